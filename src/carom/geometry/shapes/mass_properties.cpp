#include "carom/geometry/shapes/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/shapes/mesh.h"
#include "carom/math/rotation.h"

namespace carom::geometry {

namespace {

constexpr double kPi = std::numbers::pi;

double square(double x) { return x * x; }

MassProperties centred(double mass, const Vec3& moments) {
  return {mass, Vec3::Zero(), moments.asDiagonal()};
}

MassProperties compute(const Sphere& s) {
  const double mass = 4.0 / 3.0 * kPi * s.radius * square(s.radius);
  return centred(mass, Vec3::Constant(0.4 * mass * square(s.radius)));
}

MassProperties compute(const Box& box) {
  const double mass = 8 * box.half.prod();
  const Vec3 h2 = box.half.cwiseAbs2();
  return centred(mass, mass / 3 * (Vec3::Constant(h2.sum()) - h2));
}

MassProperties compute(const Cylinder& c) {
  const double mass = kPi * square(c.radius) * c.length;
  const double across = mass * (square(c.radius) / 4 + square(c.length) / 12);
  return centred(mass, {across, across, mass * square(c.radius) / 2});
}

// A cylinder and two half balls, whose own centres of mass lie 3r/8 beyond its ends.
MassProperties compute(const Capsule& c) {
  const MassProperties rod = compute(Cylinder{c.radius, c.length});
  const MassProperties ball = compute(Sphere{c.radius});
  const double shift = ball.mass * (square(c.length) / 4 + 3.0 / 8.0 * c.length * c.radius);
  const Mat3 caps = ball.inertia + Mat3(Vec3(shift, shift, 0).asDiagonal());
  return {rod.mass + ball.mass, Vec3::Zero(), rod.inertia + caps};
}

MassProperties compute(const Cone& c) {
  const double mass = kPi / 3 * square(c.radius) * c.length;
  const double across = 3.0 / 80.0 * mass * (4 * square(c.radius) + square(c.length));
  MassProperties cone = centred(mass, {across, across, 0.3 * mass * square(c.radius)});
  cone.center.z() = -c.length / 4;
  return cone;
}

MassProperties compute(const Ellipsoid& e) {
  const double mass = 4.0 / 3.0 * kPi * e.radii.prod();
  const Vec3 r2 = e.radii.cwiseAbs2();
  return centred(mass, mass / 5 * (Vec3::Constant(r2.sum()) - r2));
}

MassProperties compute(const Plane&) { return {}; }

// Signed tetrahedra from the mean of the vertices to triangles of the surface. With edges a, b, c
// from the common corner and s = a + b + c: volume = det/6, first moment = det s / 24 and second
// moment = det (aaᵀ + bbᵀ + ccᵀ + ssᵀ) / 120, where det = a·(b×c).
class SolidIntegrals {
 public:
  explicit SolidIntegrals(const std::vector<Vec3>& vertices) {
    for (const Vec3& v : vertices) origin_ += v / static_cast<double>(vertices.size());
  }

  void add(const Vec3& p, const Vec3& q, const Vec3& r) {
    const Vec3 a = p - origin_, b = q - origin_, c = r - origin_;
    const Vec3 s = a + b + c;
    const double det = a.dot(b.cross(c));
    volume_ += det / 6;
    first_ += det / 24 * s;
    second_ +=
        det / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }

  MassProperties result() const {
    const Vec3 center = first_ / volume_;
    const Mat3 spread = second_ - volume_ * center * center.transpose();
    return {volume_, origin_ + center, spread.trace() * Mat3::Identity() - spread};
  }

 private:
  Vec3 origin_ = Vec3::Zero();
  double volume_ = 0;
  Vec3 first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
};

MassProperties compute(const Hull& hull) {
  const std::vector<Vec3>& vertices = hull.polyhedron->vertices;
  SolidIntegrals integrals(vertices);
  for (const std::vector<int>& loop : hull.polyhedron->facets) {
    for (std::size_t i = 2; i < loop.size(); ++i) {
      integrals.add(vertices[loop[0]], vertices[loop[i - 1]], vertices[loop[i]]);
    }
  }
  return integrals.result();
}

MassProperties compute(const Mesh& mesh) {
  const TriangleMesh& surface = *mesh.surface;
  if (!surface.closed || compute_volume(surface) <= 0) return {};
  SolidIntegrals integrals(surface.vertices);
  for (const Triangle& t : surface.triangles) {
    integrals.add(surface.vertices[t[0]], surface.vertices[t[1]], surface.vertices[t[2]]);
  }
  return integrals.result();
}

}  // namespace

MassProperties compute_mass_properties(const Shape& shape, double density) {
  MassProperties properties = std::visit([](const auto& s) { return compute(s); }, shape);
  properties.mass *= density;
  properties.inertia *= density;
  return properties;
}

MassProperties transformed(const MassProperties& properties, const Pose& X_AB) {
  const Mat3 R = X_AB.q.toRotationMatrix();
  return {properties.mass, X_AB * properties.center, R * properties.inertia * R.transpose()};
}

// Parallel axis theorem with the reduced mass: I = I_a + I_b + m_a m_b / (m_a + m_b) (d²1 - ddᵀ).
MassProperties combined(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0) return a;
  const Vec3 d = b.center - a.center;
  const Mat3 spread = d.squaredNorm() * Mat3::Identity() - d * d.transpose();
  return {mass, a.center + b.mass / mass * d,
          a.inertia + b.inertia + a.mass * b.mass / mass * spread};
}

bool is_physical_inertia(const Mat3& inertia) {
  constexpr double kRoundOff = 1e-9;  // relative; a thin plate meets the limit exactly
  if (!inertia.allFinite()) return false;
  const double size = inertia.cwiseAbs().maxCoeff();
  if (!((inertia - inertia.transpose()).cwiseAbs().maxCoeff() <= kRoundOff * size)) return false;
  const Vec3 moments = math::make_principal_inertia(inertia).moments;  // ascending
  return moments[0] > 0 && moments[2] <= (moments[0] + moments[1]) * (1 + kRoundOff);
}

}  // namespace carom::geometry
