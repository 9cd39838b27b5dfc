#include "carom/geometry/distance/feature_pair.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/distance/distance.h"

namespace carom::geometry {

namespace {

using math::Sample;
using math::VectorSample;

// A vector fixed on a body, in world axes, as the body turns.
VectorSample turning(const Pose& X, const Twist& V, const Twist& A, const Vec3& fixed) {
  const Vec3 r = X.q * fixed;
  const Vec3 rate = V.w.cross(r);
  return {r, rate, A.w.cross(r) + V.w.cross(rate)};
}
VectorSample turning_a(const PairKinematics& k, const Vec3& fixed) {
  return turning(k.X_WA, k.V_A, k.A_A, fixed);
}
VectorSample turning_b(const PairKinematics& k, const Vec3& fixed) {
  return turning(k.X_WB, k.V_B, k.A_B, fixed);
}

// From b's centre of mass to a's.
VectorSample between_centers(const PairKinematics& k) {
  return {k.X_WA.p - k.X_WB.p, k.V_A.v - k.V_B.v, k.A_A.v - k.A_B.v};
}

VectorSample from_b(const PairKinematics& k, const Vec3& p_A) {
  return between_centers(k) + turning_a(k, p_A);
}
VectorSample between(const PairKinematics& k, const Vec3& p_A, const Vec3& p_B) {
  return from_b(k, p_A) - turning_b(k, p_B);
}

Sample gap_of(const PointPlane& pair, const PairKinematics& k) {
  return dot(turning_b(k, pair.n_B), from_b(k, pair.p_A)) - (pair.offset + pair.radius);
}

Sample gap_of(const BallBall& pair, const PairKinematics& k) {
  return norm(between(k, pair.p_A, pair.p_B)) - (pair.radius_a + pair.radius_b);
}

Sample gap_of(const BallEdge& pair, const PairKinematics& k) {
  const VectorSample across = cross(between(k, pair.p_A, pair.p_B), turning_b(k, pair.e_B));
  return norm(across) - (pair.radius_a + pair.radius_b);
}

Sample gap_of(const EdgeEdge& pair, const PairKinematics& k) {
  const VectorSample across = pair.sign * cross(turning_a(k, pair.e_A), turning_b(k, pair.e_B));
  return dot(across, between(k, pair.p_A, pair.p_B)) / norm(across) -
         (pair.radius_a + pair.radius_b);
}

Sample gap_of(const RimPlane& pair, const PairKinematics& k) {
  const VectorSample n = turning_b(k, pair.n_B);
  const Sample sine = norm(cross(n, turning_a(k, pair.e_A)));
  return dot(n, from_b(k, pair.c_A)) - pair.radius * sine - pair.offset;
}

Sample gap_of(const EllipsoidPlane& pair, const PairKinematics& k) {
  const VectorSample n = turning_b(k, pair.n_B);
  VectorSample Du;  // the normal in the ellipsoid's frame, stretched by its radii
  for (int i = 0; i < 3; ++i) {
    const Sample u = dot(n, turning_a(k, pair.X_AS.q * Vec3::Unit(i)));
    Du.value[i] = pair.radii[i] * u.value;
    Du.rate[i] = pair.radii[i] * u.rate;
    Du.acceleration[i] = pair.radii[i] * u.acceleration;
  }
  return dot(n, from_b(k, pair.X_AS.p)) - norm(Du) - pair.offset;
}

// θ' = (ω_a - ω_b)·z with z on a.
Sample gap_of(const HingeStop& pair, const PairKinematics& k) {
  const VectorSample z = turning_a(k, pair.X_AJ.q * Vec3::UnitZ());
  const Vec3 spin = k.V_A.w - k.V_B.w;
  const double scale = pair.lever * pair.sign;
  return {scale * (hinge_angle(pair, k.X_WA.q, k.X_WB.q) - pair.bound), scale * spin.dot(z.value),
          scale * ((k.A_A.w - k.A_B.w).dot(z.value) + spin.dot(z.rate))};
}

Sample gap_of(const Tether& pair, const PairKinematics& k) {
  const VectorSample d = between(k, pair.p_A, pair.p_B);
  const double L = pair.length;
  return {(L * L - d.value.squaredNorm()) / (2 * L), -d.value.dot(d.rate) / L,
          -(d.rate.squaredNorm() + d.value.dot(d.acceleration)) / L};
}

Distance distance_of(const Nearest& pair, const Pose& X_WA, const Pose& X_WB) {
  DistanceHint hint;
  hint.normal = X_WB.q * pair.n_B;
  return compute_distance({*pair.a, X_WA * pair.X_AS}, {*pair.b, X_WB * pair.X_BS}, hint);
}

struct GapRate {
  double value, rate;
};

// The nearest points slide over the surfaces across the normal only: the gap changes as fast as
// the material points there approach.
GapRate gap_rate(const Nearest& pair, const PairKinematics& k) {
  const Distance d = distance_of(pair, k.X_WA, k.X_WB);
  const Vec3 approach = k.V_A.at(d.p_A - k.X_WA.p) - k.V_B.at(d.p_B - k.X_WB.p);
  return {d.value, d.normal.dot(approach)};
}

void move(double dt, Pose& X, Twist& V, const Twist& A) {
  X.p += dt * (V.v + 0.5 * dt * A.v);
  X.q = math::quat_exp(dt * (V.w + 0.5 * dt * A.w)) * X.q;
  V.v += dt * A.v;
  V.w += dt * A.w;
}

PairKinematics moved(PairKinematics k, double dt) {
  move(dt, k.X_WA, k.V_A, k.A_A);
  move(dt, k.X_WB, k.V_B, k.A_B);
  return k;
}

double size_of(const Convex& a, const Convex& b) { return std::min(a.radius, b.radius); }

// The rate is exact, its derivative is taken by central differences over a ten-thousandth of the
// time in which the bodies pass one another: good to some 1e-6 of it.
Sample gap_of(const Nearest& pair, const PairKinematics& k) {
  const double size = size_of(*pair.a, *pair.b);
  const double speed = (k.V_A.v - k.V_B.v).norm() + size * (k.V_A.w.norm() + k.V_B.w.norm());
  const double reach = std::max(pair.X_AS.p.norm(), pair.X_BS.p.norm()) + size;
  const double acceleration =
      (k.A_A.v - k.A_B.v).norm() + reach * (k.A_A.w.norm() + k.A_B.w.norm());
  const GapRate now = gap_rate(pair, k);
  const double pass =
      std::min(size / std::max(speed, 1e-300), std::sqrt(size / std::max(acceleration, 1e-300)));
  const double dt = 1e-4 * std::min(pass, 1e6);
  const double change = gap_rate(pair, moved(k, dt)).rate - gap_rate(pair, moved(k, -dt)).rate;
  return {now.value, now.rate, change / (2 * dt)};
}

// A lowest point of a, at height `gap` over the plane of b.
ContactPoint above_plane(const Vec3& lowest, const Vec3& n, double gap) {
  return {lowest - 0.5 * gap * n, n, gap};
}

ContactPoint contact_point_of(const PointPlane& pair, const Pose& X_WA, const Pose& X_WB) {
  const Vec3 n = X_WB.q * pair.n_B;
  const Vec3 lowest = X_WA * pair.p_A - pair.radius * n;
  return above_plane(lowest, n, n.dot(lowest - X_WB.p) - pair.offset);
}

// Between a ball at `center` and one at center - d.
ContactPoint outside_ball(const Vec3& center, double radius, const Vec3& d, double radius_b) {
  const double distance = d.norm();
  const Vec3 n = distance > 0 ? Vec3(d / distance) : Vec3(Vec3::UnitZ());
  const double gap = distance - radius - radius_b;
  return {center - (radius + 0.5 * gap) * n, n, gap};
}

ContactPoint contact_point_of(const BallBall& pair, const Pose& X_WA, const Pose& X_WB) {
  const Vec3 a = X_WA * pair.p_A;
  return outside_ball(a, pair.radius_a, a - X_WB * pair.p_B, pair.radius_b);
}

ContactPoint contact_point_of(const BallEdge& pair, const Pose& X_WA, const Pose& X_WB) {
  const Vec3 a = X_WA * pair.p_A, e = X_WB.q * pair.e_B;
  const Vec3 d = a - X_WB * pair.p_B;
  return outside_ball(a, pair.radius_a, d - e.dot(d) * e, pair.radius_b);
}

ContactPoint contact_point_of(const EdgeEdge& pair, const Pose& X_WA, const Pose& X_WB) {
  const Vec3 e_a = X_WA.q * pair.e_A, e_b = X_WB.q * pair.e_B;
  const Vec3 p_a = X_WA * pair.p_A, p_b = X_WB * pair.p_B;
  const Vec3 m = pair.sign * e_a.cross(e_b);
  const double sine = m.norm();
  const Vec3 n = m / sine;
  const Vec3 d = p_b - p_a;
  const Vec3 on_a = p_a + pair.sign * d.cross(e_b).dot(n) / sine * e_a;
  const double gap = -n.dot(d) - pair.radius_a - pair.radius_b;
  return {on_a - (pair.radius_a + 0.5 * gap) * n, n, gap};
}

ContactPoint contact_point_of(const RimPlane& pair, const Pose& X_WA, const Pose& X_WB) {
  const Vec3 n = X_WB.q * pair.n_B;
  const Vec3 axis = X_WA.q * pair.e_A;
  const Vec3 around = n.cross(axis);
  const double sine = around.norm();
  const Vec3 down = sine > 0 ? Vec3(axis.cross(around) / sine) : Vec3::Zero();
  const Vec3 lowest = X_WA * pair.c_A - pair.radius * down;
  return above_plane(lowest, n, n.dot(lowest - X_WB.p) - pair.offset);
}

ContactPoint contact_point_of(const EllipsoidPlane& pair, const Pose& X_WA, const Pose& X_WB) {
  const Vec3 n = X_WB.q * pair.n_B;
  const Pose X_WS = X_WA * pair.X_AS;
  const Vec3 Du = pair.radii.cwiseProduct(X_WS.q.conjugate() * n);
  const Vec3 lowest = X_WS * Vec3(-pair.radii.cwiseProduct(Du) / Du.norm());
  return above_plane(lowest, n, n.dot(lowest - X_WB.p) - pair.offset);
}

ContactPoint contact_point_of(const HingeStop& pair, const Pose& X_WA, const Pose& X_WB) {
  const Pose X_WJ = X_WA * pair.X_AJ;
  const Vec3 out = X_WJ.q * Vec3::UnitX(), around = X_WJ.q * Vec3::UnitY();
  const double angle = hinge_angle(pair, X_WA.q, X_WB.q);
  return {X_WJ.p + pair.lever * out, pair.sign * around,
          pair.lever * pair.sign * (angle - pair.bound)};
}

ContactPoint contact_point_of(const Tether& pair, const Pose& X_WA, const Pose& X_WB) {
  const Vec3 a = X_WA * pair.p_A, b = X_WB * pair.p_B;
  const double distance = (b - a).norm();
  const Vec3 n = distance > 0 ? Vec3((b - a) / distance) : Vec3(Vec3::UnitZ());
  return {0.5 * (a + b), n, pair.length - distance};
}

ContactPoint contact_point_of(const Nearest& pair, const Pose& X_WA, const Pose& X_WB) {
  const Distance d = distance_of(pair, X_WA, X_WB);
  return {0.5 * (d.p_A + d.p_B), d.normal, d.value};
}

struct Face {
  Vec3 n;
  double offset;
};
Face face_on_body(const Vec3& n, double offset, const Pose& X_BS) {
  const Vec3 turned = X_BS.q * n;
  return {turned, offset + turned.dot(X_BS.p)};
}

FeaturePair moved_to(const PointPlane& p, const Pose& X_AS, const Pose& X_BS) {
  const Face face = face_on_body(p.n_B, p.offset, X_BS);
  return PointPlane{X_AS * p.p_A, p.radius, face.n, face.offset};
}
FeaturePair moved_to(const BallBall& p, const Pose& X_AS, const Pose& X_BS) {
  return BallBall{X_AS * p.p_A, X_BS * p.p_B, p.radius_a, p.radius_b};
}
FeaturePair moved_to(const BallEdge& p, const Pose& X_AS, const Pose& X_BS) {
  return BallEdge{X_AS * p.p_A, p.radius_a, X_BS * p.p_B, X_BS.q * p.e_B, p.radius_b};
}
FeaturePair moved_to(const EdgeEdge& p, const Pose& X_AS, const Pose& X_BS) {
  return EdgeEdge{X_AS * p.p_A, X_AS.q * p.e_A, X_BS * p.p_B, X_BS.q * p.e_B,
                  p.sign,       p.radius_a,     p.radius_b};
}
FeaturePair moved_to(const RimPlane& p, const Pose& X_AS, const Pose& X_BS) {
  const Face face = face_on_body(p.n_B, p.offset, X_BS);
  return RimPlane{X_AS * p.c_A, X_AS.q * p.e_A, p.radius, face.n, face.offset};
}
FeaturePair moved_to(const EllipsoidPlane& p, const Pose& X_AS, const Pose& X_BS) {
  const Face face = face_on_body(p.n_B, p.offset, X_BS);
  return EllipsoidPlane{X_AS * p.X_AS, p.radii, face.n, face.offset};
}
FeaturePair moved_to(const HingeStop& p, const Pose& X_AS, const Pose& X_BS) {
  return HingeStop{X_AS * p.X_AJ, X_BS * p.X_BJ, p.middle, p.bound, p.sign, p.lever};
}
FeaturePair moved_to(const Tether& p, const Pose& X_AS, const Pose& X_BS) {
  return Tether{X_AS * p.p_A, X_BS * p.p_B, p.length};
}
FeaturePair moved_to(const Nearest& p, const Pose& X_AS, const Pose& X_BS) {
  return Nearest{p.a, p.b, X_AS * p.X_AS, X_BS * p.X_BS, X_BS.q * p.n_B};
}

struct TurningMatters {
  bool a = true, b = true;
};
template <typename Pair>
TurningMatters turning_matters(const Pair&) {
  return {};
}
TurningMatters turning_matters(const PointPlane& pair) { return {!pair.p_A.isZero(0), true}; }
TurningMatters turning_matters(const BallEdge& pair) { return {!pair.p_A.isZero(0), true}; }
TurningMatters turning_matters(const BallBall& pair) {
  return {!pair.p_A.isZero(0), !pair.p_B.isZero(0)};
}

void place(const RigidMotion& motion, double s, bool turning, Pose& X, Twist& V, Twist& A) {
  const math::VectorSample center = center_at(motion, s);
  X.p = center.value;
  V.v = center.rate;
  A.v = center.acceleration;
  if (!turning) return;
  const math::RotationState rotation = math::rotation_at(motion.rotation, s);
  X.q = rotation.q;
  V.w = rotation.w;
  A.w = rotation.w_rate;
}

}  // namespace

double hinge_angle(const HingeStop& stop, const Quat& q_WA, const Quat& q_WB) {
  const Quat turn = (q_WB * stop.X_BJ.q).conjugate() * (q_WA * stop.X_AJ.q);
  const double angle = 2 * std::atan2(turn.z(), turn.w());
  return stop.middle + std::remainder(angle - stop.middle, 2 * std::numbers::pi);
}

PairKinematics kinematics_at(const RigidMotion& a, const RigidMotion& b, double s) {
  PairKinematics at;
  place(a, s, true, at.X_WA, at.V_A, at.A_A);
  place(b, s, true, at.X_WB, at.V_B, at.A_B);
  return at;
}

PairKinematics kinematics_at(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b,
                             double s) {
  const auto [turns_a, turns_b] =
      std::visit([](const auto& p) { return turning_matters(p); }, pair);
  PairKinematics at;
  place(a, s, turns_a, at.X_WA, at.V_A, at.A_A);
  place(b, s, turns_b, at.X_WB, at.V_B, at.A_B);
  return at;
}

ContactPoint contact_point(const FeaturePair& pair, const Pose& X_WA, const Pose& X_WB) {
  return std::visit([&](const auto& p) { return contact_point_of(p, X_WA, X_WB); }, pair);
}

math::Sample compute_gap(const FeaturePair& pair, const PairKinematics& at) {
  return std::visit([&](const auto& p) { return gap_of(p, at); }, pair);
}

FeaturePair on_bodies(const FeaturePair& pair, const Pose& X_AS, const Pose& X_BS) {
  return std::visit([&](const auto& p) { return moved_to(p, X_AS, X_BS); }, pair);
}

}  // namespace carom::geometry
