// Random pairs of shapes in flight: every combination of shapes, on parabolas that lead them
// towards, past and around each other within a second, at rest, in steady spin or turning as free
// bodies do, up to ten turns; some touch at the start, with faces and edges aligned, at rest or
// sliding.
#pragma once

#include "carom/geometry/times/time_of_contact.h"
#include "support/distance_cases.h"

namespace carom::support {

struct MotionCase {
  int kind_a, kind_b;
  bool touching;  // at the start
  geometry::Convex a, b;
  Pose X_AS, X_BS;  // the shapes on their bodies
  RigidMotion motion_a, motion_b;
  geometry::MotionQuery query;
  double size;  // of the larger shape
};

class MotionCases {
 public:
  explicit MotionCases(std::uint64_t seed) : random_(~seed), shapes_(seed) {}

  MotionCase next() {
    const DistanceCase shapes = comparable_shapes();
    const double size_a = finite(shapes.a), size_b = finite(shapes.b);
    MotionCase c{shapes.kind_a,
                 shapes.kind_b,
                 random_.uniform() < 0.3,
                 shapes.a,
                 shapes.b,
                 placement(size_a),
                 placement(size_b),
                 {},
                 {},
                 {},
                 std::max(size_a, size_b)};
    const double tolerance = std::pow(10, -6 - 4 * random_.uniform()) * c.size;
    c.query = {1, tolerance, 10 * tolerance, 10 * tolerance};
    if (c.touching) {
      start_touching(c, shapes);
    } else {
      start_apart(c);
    }
    return c;
  }

 private:
  static double finite(const geometry::Convex& convex) {
    return std::isfinite(convex.radius) ? convex.radius : 0;
  }
  static bool is_plane(const geometry::Convex& convex) { return !std::isfinite(convex.radius); }

  // Of sizes that differ by no more than a factor of 100.
  DistanceCase comparable_shapes() {
    DistanceCase found = shapes_.next();
    for (int i = 0; i < 1000; ++i) {
      const double a = finite(found.a), b = finite(found.b);
      const bool plane = a == 0 || b == 0;
      const bool touching =
          found.placement == Placement::Touching || found.placement == Placement::Parallel;
      if ((plane || std::max(a, b) <= 100 * std::min(a, b)) && touching) break;
      found = shapes_.next();
    }
    return found;
  }

  double symmetric() { return random_.uniform(-1, 1); }
  Vec3 vector(double size) { return size * Vec3(symmetric(), symmetric(), symmetric()); }
  Quat attitude() { return math::quat_exp(vector(2)); }
  bool one_in(int count) { return random_.uniform() * count < 1; }

  // Half of the shapes sit at their body's centre of mass.
  Pose placement(double size) {
    if (one_in(2)) return {};
    return {vector(0.5 * size), attitude()};
  }

  Vec3 spin() {
    constexpr std::array speeds{0.0, 1.0, 6.0, 25.0, 60.0};
    const double speed = speeds[static_cast<std::size_t>(random_.uniform() * speeds.size())];
    return speed * vector(1).normalized();
  }

  math::Rotation rotation(const Quat& q0) {
    const Vec3 w = spin();
    if (one_in(2)) return math::SteadySpin{q0, w};
    const double least = random_.uniform(0.2, 1), middle = random_.uniform(least, 1.2);
    const double most = random_.uniform(middle, middle + least);
    return math::FreeTop({{least, middle, most}, Quat::Identity()}, q0, w);
  }

  // A plane far away would sweep space at any speed, so it turns slowly.
  math::Rotation rotation_of(const geometry::Convex& convex, const Quat& q0) {
    if (!is_plane(convex)) return rotation(q0);
    return math::SteadySpin{q0, one_in(2) ? Vec3(Vec3::Zero()) : vector(0.5)};
  }

  // Where the bodies would be at `time` if nothing pulled at them, they start so far apart.
  void start_apart(MotionCase& c) {
    const double reach = finite(c.a) + finite(c.b);
    const double time = random_.uniform(0.1, 1.2);
    const Vec3 pull = one_in(3) ? Vec3(Vec3::Zero()) : vector(4 * reach);
    const Vec3 apart = random_.uniform(1.5, 6) * reach * vector(1).normalized();
    const Vec3 aim = vector(0.5 * reach) - apart;
    c.motion_a = {vector(reach), vector(reach), vector(reach), rotation_of(c.a, attitude())};
    c.motion_b = {c.motion_a.x0 + apart, c.motion_a.v0 + aim / time - 0.5 * time * pull,
                  c.motion_a.a + pull, rotation_of(c.b, attitude())};
    if (is_plane(c.a) || is_plane(c.b)) set_apart(c, random_.uniform(0.1, 3) * reach);
  }

  geometry::Distance distance_at_start(const MotionCase& c) const {
    geometry::DistanceHint hint;
    return compute_distance({c.a, pose_at(c.motion_a, 0) * c.X_AS},
                            {c.b, pose_at(c.motion_b, 0) * c.X_BS}, hint);
  }

  void set_apart(MotionCase& c, double gap) const {
    const geometry::Distance found = distance_at_start(c);
    c.motion_b.x0 += (found.value - gap) * found.normal;
  }

  // The poses of a distance query that touches, then resting on each other, sliding, spinning about
  // the normal, or leaving and coming back.
  void start_touching(MotionCase& c, const DistanceCase& shapes) {
    const Pose X_WA = shapes.X_WA * c.X_AS.inverse(), X_WB = shapes.X_WB * c.X_BS.inverse();
    const bool still = one_in(2);
    const auto turning = [&](const geometry::Convex& convex, const Quat& q) {
      return still ? math::Rotation(math::SteadySpin{q, Vec3::Zero()}) : rotation_of(convex, q);
    };
    c.motion_a = {X_WA.p, Vec3::Zero(), Vec3::Zero(), turning(c.a, X_WA.q)};
    c.motion_b = {X_WB.p, Vec3::Zero(), Vec3::Zero(), turning(c.b, X_WB.q)};
    set_apart(c, random_.uniform(0, 0.9) * c.query.gap_tolerance);
    const Vec3 n = distance_at_start(c).normal;  // from b to a
    const double reach = finite(c.a) + finite(c.b);
    const Vec3 slide = vector(reach).cross(n);
    const double leave = one_in(2) ? 0 : reach * random_.uniform(0, 2);
    const double back = one_in(2) ? 0 : 2 * leave / random_.uniform(0.2, 1.5);
    c.motion_a.v0 = slide + leave * n;
    c.motion_a.a = -back * n;
  }

  base::Random random_;
  DistanceCases shapes_;
};

}  // namespace carom::support
