#include "carom/methods/elastic/shape_factors.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <variant>

#include "carom/math/elliptic.h"

namespace carom::methods {

namespace {

constexpr double kLine = 1e-4;   // κ₂/κ₁ below which a contact is a line
constexpr double kRound = 1e-6;  // κ₁/κ₂ - 1 below which the slender factor is 1 to 14 digits
constexpr double kBlunt = 0.1;   // radius of a cone's tip, beside its base
constexpr double kCap = 1e-6;    // ends of a capsule's axis, beside its length
constexpr int kSecantCap = 20;
constexpr double kSecantEnd = 1e-10;  // of ln(a/b)

// Curved by 1/radius along the circle about z that passes through the place.
Mat3 along_circle(double radius, const Vec3& normal) {
  const Vec3 along = Vec3::UnitZ().cross(normal);
  const double size = along.norm();
  if (size == 0) return Mat3::Zero();
  return along * along.transpose() / (radius * size);
}

struct CurvatureOf {
  const SurfacePoint& at;

  Mat3 across() const { return Mat3::Identity() - at.normal * at.normal.transpose(); }

  Mat3 operator()(const geometry::Sphere& s) const { return across() / s.radius; }
  Mat3 operator()(const geometry::Capsule& s) const {
    const bool cap = std::abs(at.point.z()) >= (0.5 - kCap) * s.length;
    return cap ? Mat3(across() / s.radius) : along_circle(s.radius, at.normal);
  }
  Mat3 operator()(const geometry::Ellipsoid& s) const {
    const double support = s.radii.cwiseProduct(at.normal).norm();
    const Mat3 form = s.radii.cwiseProduct(s.radii).cwiseInverse().asDiagonal();
    return support * across() * form * across();
  }
  Mat3 operator()(const geometry::Cylinder& s) const { return along_circle(s.radius, at.normal); }
  Mat3 operator()(const geometry::Cone& s) const {
    const double narrowed = std::clamp(0.5 - at.point.z() / s.length, kBlunt, 1.0);
    return along_circle(narrowed * s.radius, at.normal);
  }
  template <typename Flat>
  Mat3 operator()(const Flat&) const {
    return Mat3::Zero();
  }
};

// ∫ cos²/√(1 - m sin²), ∫ sin²/√(1 - m sin²) over a quarter turn, of an ellipse with axes of ratio
// exp(u), m = 1 - exp(-2u): K = B + D.
struct Integrals {
  double B, D;
};
Integrals integrate(double u) {
  const double complement = std::exp(-2 * u);
  const double D = math::carlson_rj(0, complement, 1, 1) / 3;
  return {math::carlson_rf(0, complement, 1) - D, D};
}

// The only curvature of a sphere, none of shapes with flat faces.
std::optional<double> round_curvature(const geometry::Convex& convex) {
  if (const auto* sphere = std::get_if<geometry::Sphere>(&convex.shape)) return 1 / sphere->radius;
  if (convex.polytope != nullptr || std::holds_alternative<geometry::Plane>(convex.shape)) return 0;
  return {};
}

double end_curvature(const geometry::Convex& convex) {
  const auto* capsule = std::get_if<geometry::Capsule>(&convex.shape);
  return capsule != nullptr ? 1 / capsule->radius : 0;
}

GeometryFactors factors_for(double curvature, const geometry::Convex& a,
                            const geometry::Convex& b) {
  if (curvature > 0) return hertz_factors(1 / curvature);
  return plain_factors(std::min(a.radius, b.radius));
}

Mat3 curvature_in_world(const ShapeAt& shape, const SurfacePoint& at) {
  const Pose X_SW = shape.X_WS.inverse();
  const Mat3 turn = shape.X_WS.q.toRotationMatrix();
  return turn * curvature_at(shape.convex, {X_SW * at.point, X_SW.q * at.normal}) *
         turn.transpose();
}

}  // namespace

Mat3 curvature_at(const geometry::Convex& convex, const SurfacePoint& at) {
  return std::visit(CurvatureOf{at}, convex.shape);
}

// κ₁/κ₂ = (a/b)² B/D (Johnson, 4.28), solved for u = ln(a/b) by secants from Brewe and Hamrock's.
double slender_factor(double ratio) {
  if (ratio < 1 + kRound) return 1;
  const double aim = std::log(ratio);
  double before = aim / 2, u = 0.636 * aim;
  Integrals of = integrate(before);
  double missed = 2 * before + std::log(of.B / of.D) - aim;
  for (int i = 0; i < kSecantCap; ++i) {
    of = integrate(u);
    const double misses = 2 * u + std::log(of.B / of.D) - aim;
    if (std::abs(misses) < kSecantEnd || misses == missed) break;
    const double next = u - misses * (u - before) / (misses - missed);
    before = std::exchange(u, next);
    missed = misses;
  }
  return std::numbers::pi / std::numbers::sqrt2 * std::exp(0.5 * u) * std::pow(of.B * of.D, 0.25) /
         std::pow(of.B + of.D, 1.5);
}

std::optional<GeometryFactors> round_factors(const geometry::Convex& a, const geometry::Convex& b) {
  const std::optional<double> of_a = round_curvature(a), of_b = round_curvature(b);
  if (!of_a || !of_b) return {};
  return factors_for(*of_a + *of_b, a, b);
}

GeometryFactors shape_factors(const ShapeAt& a, const ShapeAt& b, const SurfacePoint& at) {
  if (const auto round = round_factors(a.convex, b.convex)) return *round;
  const Mat3 gap = curvature_in_world(a, at) + curvature_in_world(b, at);
  const double half = 0.5 * gap.trace();
  const double product = half * half - std::max(0.0, 0.5 * gap.squaredNorm() - half * half);
  const double first = half + std::sqrt(std::max(0.0, half * half - product));
  if (product <= kLine * first * first)
    return factors_for(end_curvature(a.convex) + end_curvature(b.convex), a.convex, b.convex);
  GeometryFactors factors = hertz_factors(1 / std::sqrt(product));
  factors.factor *= slender_factor(first * first / product);
  return factors;
}

}  // namespace carom::methods
