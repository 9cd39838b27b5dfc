// Factors of shape against the paper's table, closed forms of surfaces, and Hertz' equations solved
// by brute force.
#include "carom/methods/elastic/shape_factors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace carom::methods {
namespace {

using geometry::make_convex;

constexpr double kRadius = 0.03;

GeometryFactors factors(const geometry::Shape& a, const geometry::Shape& b,
                        const Quat& turn_a = Quat::Identity(),
                        const Quat& turn_b = Quat::Identity(), const Vec3& normal = Vec3::UnitX(),
                        const Vec3& point = Vec3::Zero()) {
  const geometry::Convex on_a = make_convex(a), on_b = make_convex(b);
  return shape_factors({on_a, {Vec3::Zero(), turn_a}}, {on_b, {Vec3::Zero(), turn_b}},
                       {point, normal});
}

void expect_hertz(const GeometryFactors& found, double radius, double slender = 1) {
  EXPECT_EQ(found.exponent, 1.5);
  EXPECT_NEAR(found.arm, radius, 1e-13 * radius);
  EXPECT_NEAR(found.factor, 4.0 / 3 * std::sqrt(radius) * slender, 1e-9 * found.factor);
}

// Johnson's equations (4.23) to (4.26) for an ellipse of axes a >= b = 1: the curvatures it belongs
// to, and how much more it pushes than a round contact of the same R under the same approach.
struct Ellipse {
  double ratio, factor;  // κ₁/κ₂ and what it is stiffer by
};
Ellipse solve_hertz(double axes) {
  const double a = axes, b = 1, e = std::sqrt(1 - 1 / (axes * axes));
  const double K = std::comp_ellint_1(e), E = std::comp_ellint_2(e);
  // With p₀/E* = 1 the deflection falls off by κ₂ x²/2 + κ₁ y²/2.
  const double first = 2 * b / (e * e * a * a) * (axes * axes * E - K);
  const double second = 2 * b / (e * e * a * a) * (K - E);
  const double depth = b * K, force = 2.0 / 3 * std::numbers::pi * a * b;
  const double round = 4.0 / 3 * std::sqrt(1 / std::sqrt(first * second)) * std::pow(depth, 1.5);
  return {first / second, force / round};
}

// The deflection under p₀ √(1 - x²/a² - y²/b²) on an elastic half-space, at a point, by adding up
// Boussinesq's 1/(π E* r) over the ellipse in polar coordinates about that point.
double deflection(double a, double b, double x, double y) {
  constexpr int kTurns = 2000;
  double sum = 0;
  for (int i = 0; i < kTurns; ++i) {
    const double phi = (i + 0.5) * 2 * std::numbers::pi / kTurns;
    const double c = std::cos(phi) / a, s = std::sin(phi) / b;
    // p = √(C - 2 B r - A r²) along the ray; its integral to the rim in closed form.
    const double A = c * c + s * s, B = x / a * c + y / b * s,
                 C = 1 - x * x / (a * a) - y * y / (b * b);
    const double size = C + B * B / A;
    const double start = B / std::sqrt(A * size);
    sum += size / (2 * std::sqrt(A)) *
           (std::numbers::pi / 2 - std::asin(start) - start * std::sqrt(1 - start * start));
  }
  return sum * 2 * std::numbers::pi / kTurns / std::numbers::pi;
}

// The equations themselves: pressed by that pressure the two surfaces fit.
TEST(ShapeFactors, TheReferenceSolvesHertzProblem) {
  for (const double axes : {1.3, 3.0, 8.0}) {
    const double e = std::sqrt(1 - 1 / (axes * axes));
    const double K = std::comp_ellint_1(e), E = std::comp_ellint_2(e);
    const double along = (K - E) / (e * e * axes * axes);  // of x², x along a
    const double across = (axes * axes * E - K) / (e * e * axes * axes);
    EXPECT_NEAR(deflection(axes, 1, 0, 0), K, 1e-9);
    EXPECT_NEAR(deflection(axes, 1, 0.5, 0), K - along * 0.25, 1e-9);
    EXPECT_NEAR(deflection(axes, 1, 0, 0.5), K - across * 0.25, 1e-9);
    EXPECT_NEAR(solve_hertz(axes).ratio, across / along, 1e-12 * across / along);
  }
}

TEST(ShapeFactors, SlenderContactsAreStifferAsHertzSays) {
  for (const double axes : {1.01, 1.1, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 300.0}) {
    const Ellipse hertz = solve_hertz(axes);
    EXPECT_NEAR(slender_factor(hertz.ratio), hertz.factor, 1e-9 * hertz.factor) << axes;
  }
  EXPECT_EQ(slender_factor(1), 1);
  EXPECT_NEAR(slender_factor(1 + 1e-5), 1, 1e-11);
}

// Table 1.
TEST(ShapeFactors, SpheresAndPlanes) {
  expect_hertz(factors(geometry::Sphere{0.03}, geometry::Sphere{0.05}), 0.01875);
  expect_hertz(factors(geometry::Sphere{0.03}, geometry::Plane{Vec3::UnitZ(), 0}), 0.03);
  expect_hertz(factors(geometry::Box{Vec3(1, 1, 1)}, geometry::Sphere{0.03}), 0.03);
  const GeometryFactors flat =
      factors(geometry::Box{Vec3(0.1, 0.2, 0.2)}, geometry::Plane{Vec3::UnitZ(), 0});
  EXPECT_EQ(flat.exponent, 1);
  EXPECT_NEAR(flat.factor, 0.3, 1e-15);
  EXPECT_NEAR(flat.arm, 0.3, 1e-15);
}

// At a pole of an ellipsoid with radii a, b, c the principal radii are b²/a and c²/a.
TEST(ShapeFactors, PolesOfAnEllipsoid) {
  const Vec3 radii(0.1, 0.2, 0.3);
  const geometry::Plane plane{Vec3::UnitZ(), 0};
  for (int k = 0; k < 3; ++k) {
    const double a = radii[k], b = radii[(k + 1) % 3], c = radii[(k + 2) % 3];
    const double ratio = std::max(b, c) * std::max(b, c) / (std::min(b, c) * std::min(b, c));
    const GeometryFactors found = factors(geometry::Ellipsoid{radii}, plane, Quat::Identity(),
                                          Quat::Identity(), Vec3::Unit(k));
    expect_hertz(found, b * c / a, slender_factor(ratio));
  }
}

// The tensor against the surface itself: how far it falls below its tangent plane.
TEST(ShapeFactors, CurvatureOfAnEllipsoid) {
  const Vec3 radii(0.1, 0.2, 0.3), normal = Vec3(0.3, -0.5, 0.7).normalized();
  const Vec3 square = radii.cwiseProduct(radii);
  const Vec3 place = square.cwiseProduct(normal) / radii.cwiseProduct(normal).norm();
  const Mat3 tensor = curvature_at(make_convex(geometry::Ellipsoid{radii}), {place, normal});
  EXPECT_LT((tensor * normal).norm(), 1e-14);
  const math::Tangents tangents = math::make_tangents(normal);
  for (const Vec3& t :
       {tangents.first, tangents.second, Vec3((tangents.first + tangents.second) / std::sqrt(2))}) {
    const double h = 1e-4;
    const auto fall = [&](double s) {  // |(place + s t - f n)/radii| = 1 solved for f
      const Vec3 on_plane = place + s * t;
      const double A = normal.cwiseQuotient(radii).squaredNorm(),
                   B = normal.cwiseQuotient(radii).dot(on_plane.cwiseQuotient(radii)),
                   C = on_plane.cwiseQuotient(radii).squaredNorm() - 1;
      return C / (B + std::sqrt(B * B - A * C));
    };
    EXPECT_NEAR((fall(h) + fall(-h)) / (h * h), t.dot(tensor * t), 1e-4 * t.dot(tensor * t));
  }
}

// Crossed at a right angle, cylinders of equal radius are a sphere of that radius on a plane.
TEST(ShapeFactors, CrossedCylinders) {
  const geometry::Cylinder cylinder{kRadius, 1};
  const auto crossed = [&](double angle) {
    return factors(cylinder, cylinder, Quat::Identity(),
                   Quat(Eigen::AngleAxisd(angle, Vec3::UnitX())));
  };
  expect_hertz(crossed(std::numbers::pi / 2), kRadius);
  for (const double angle : {0.3, 1.0, 2.0}) {
    const double ratio = (1 + std::abs(std::cos(angle))) / (1 - std::abs(std::cos(angle)));
    expect_hertz(crossed(angle), kRadius / std::sin(angle), slender_factor(ratio));
  }
  EXPECT_EQ(crossed(0).exponent, 1);
  EXPECT_EQ(crossed(std::numbers::pi).exponent, 1);
  EXPECT_EQ(crossed(0).factor, make_convex(cylinder).radius);
  EXPECT_EQ(factors(cylinder, geometry::Plane{Vec3::UnitX(), 0}).exponent, 1);
}

TEST(ShapeFactors, BallsOnCylindersAndCones) {
  const geometry::Sphere ball{0.05};
  const geometry::Cylinder cylinder{kRadius, 1};
  const double across = 1 / 0.05 + 1 / kRadius, along = 1 / 0.05;
  expect_hertz(factors(cylinder, ball), 1 / std::sqrt(across * along),
               slender_factor(across / along));
  expect_hertz(factors(cylinder, ball, Quat::Identity(), Quat::Identity(), Vec3::UnitZ()), 0.05);
  // Halfway up a cone the circle has half the radius; along the normal the axis is further away.
  const geometry::Cone cone{0.3, 0.4};
  const Vec3 normal(0.8, 0, 0.6);
  const double circle = 0.8 / 0.15 + 1 / 0.05;
  expect_hertz(factors(cone, ball, Quat::Identity(), Quat::Identity(), normal, Vec3(0.15, 0, 0)),
               1 / std::sqrt(circle * along), slender_factor(circle / along));
}

TEST(ShapeFactors, Capsules) {
  const geometry::Capsule capsule{kRadius, 0.4};
  const geometry::Plane plane{Vec3::UnitX(), 0};
  const Quat quarter(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()));
  expect_hertz(factors(capsule, capsule, Quat::Identity(), quarter), kRadius);
  expect_hertz(factors(capsule, plane), kRadius);  // at its ends
  expect_hertz(factors(capsule, capsule), kRadius / 2);
  expect_hertz(factors(capsule, geometry::Sphere{kRadius}, Quat::Identity(), Quat::Identity(),
                       Vec3::UnitZ(), Vec3(0, 0, 0.2 + kRadius)),
               kRadius / 2);
}

// How the bodies lie in the world does not matter.
TEST(ShapeFactors, TurnWithTheShapes) {
  const geometry::Ellipsoid egg{Vec3(0.1, 0.2, 0.3)};
  const geometry::Cylinder cylinder{kRadius, 1};
  const Quat turn_a = Quat(0.4, 0.2, -0.7, 0.3).normalized(),
             turn = Quat(0.1, -0.6, 0.5, 0.3).normalized();
  const GeometryFactors before = factors(egg, cylinder, turn_a);
  const GeometryFactors after = factors(egg, cylinder, turn * turn_a, turn, turn * Vec3::UnitX());
  EXPECT_NEAR(before.factor, after.factor, 1e-12 * before.factor);
  EXPECT_NEAR(before.arm, after.arm, 1e-12 * before.arm);
}

}  // namespace
}  // namespace carom::methods
