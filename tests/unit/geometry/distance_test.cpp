// Expected values are worked out by hand in each test; random pairs stand in tests/property.
#include "carom/geometry/distance/distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "carom/geometry/shapes/convex_hull.h"

namespace carom::geometry {
namespace {

const double kRoot2 = std::sqrt(2.0);

Pose at(double x, double y, double z) { return {{x, y, z}, Quat::Identity()}; }
Pose turned(const Vec3& p, const Vec3& axis, double angle) {
  const Vec3 half = std::sin(angle / 2) * axis.normalized();
  return {p, Quat(std::cos(angle / 2), half.x(), half.y(), half.z())};
}

Distance distance(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  const Convex convex_a = make_convex(a), convex_b = make_convex(b);
  DistanceHint hint;
  const Distance found = compute_distance({convex_a, X_WA}, {convex_b, X_WB}, hint);
  EXPECT_EQ(found.status, DistanceStatus::Converged);
  EXPECT_LT((found.p_A - found.p_B - found.value * found.normal).norm(),
            1e-12 * (1 + std::abs(found.value)));
  return found;
}

void expect_vec(const Vec3& found, const Vec3& expected, double tolerance) {
  EXPECT_LE((found - expected).norm(), tolerance)
      << found.transpose() << " instead of " << expected.transpose();
}

Shape make_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return Hull{std::make_shared<const Polyhedron>(Polyhedron{{a, b, c}, {{0, 1, 2}, {0, 2, 1}}})};
}

TEST(Distance, OfSpheresIsThatOfTheirCentresLessTheRadii) {
  const Distance apart = distance(Sphere{1}, at(3, 0, 0), Sphere{0.5}, at(0, 4, 0));
  EXPECT_NEAR(apart.value, 3.5, 1e-15);
  expect_vec(apart.normal, Vec3(0.6, -0.8, 0), 1e-15);
  EXPECT_NEAR(distance(Sphere{1}, at(0, 0, 0), Sphere{2}, at(0, 0, 0)).value, -3, 1e-15);
}

TEST(Distance, OfASphereInABoxIsTheWayOutThroughTheNearestFace) {
  const Distance found = distance(Sphere{0.1}, at(0.2, 0.7, 0), Box{{1, 1, 1}}, at(0, 0, 0));
  EXPECT_NEAR(found.value, -0.4, 1e-15);
  expect_vec(found.normal, Vec3::UnitY(), 0);
  EXPECT_EQ(found.feature_b.kind, FeatureKind::Face);
}

TEST(Distance, OfASphereBeyondTheEdgeOfABoxIsToThatEdge) {
  const Distance found = distance(Box{{1, 1, 1}}, at(0, 0, 0), Sphere{1}, at(4, 5, 0.5));
  EXPECT_NEAR(found.value, 4, 1e-15);
  expect_vec(found.normal, Vec3(-0.6, -0.8, 0), 1e-15);
  expect_vec(found.p_A, Vec3(1, 1, 0.5), 1e-15);
  ASSERT_EQ(found.feature_a.kind, FeatureKind::Edge);
  const Convex box = make_convex(Box{{1, 1, 1}});
  const Polytope::Edge& edge = box.polytope->edges[found.feature_a.index];
  expect_vec(0.5 * (box.polytope->vertices[edge.from] + box.polytope->vertices[edge.to]),
             Vec3(1, 1, 0), 0);
}

TEST(Distance, OfASphereToAConeDependsOnTheRegion) {
  const Cone cone{1, 1};  // apex at z = 0.5, sides at 45 degrees
  EXPECT_NEAR(distance(Sphere{0.1}, at(0, 0, 2.5), cone, at(0, 0, 0)).value, 1.9, 1e-15);
  EXPECT_NEAR(distance(Sphere{0.1}, at(0.5, 0, -2.5), cone, at(0, 0, 0)).value, 1.9, 1e-15);
  EXPECT_NEAR(distance(Sphere{0.1}, at(1, 0, 0.5), cone, at(0, 0, 0)).value, kRoot2 / 2 - 0.1,
              1e-15);
  EXPECT_NEAR(distance(Sphere{0.1}, at(4, 0, -4.5), cone, at(0, 0, 0)).value, 4.9, 1e-15);
  EXPECT_NEAR(distance(Sphere{0.1}, at(0, 0, -0.4), cone, at(0, 0, 0)).value, -0.2, 1e-15);
}

TEST(Distance, OfASphereAtTheCentreOfAnEllipsoidIsItsShortestRadius) {
  const Distance found = distance(Sphere{0.25}, at(0, 0, 0), Ellipsoid{{3, 1, 2}}, at(0, 0, 0));
  EXPECT_NEAR(found.value, -1.25, 1e-15);
  EXPECT_NEAR(std::abs(found.normal.y()), 1, 1e-15);
}

TEST(Distance, OfASphereToAnEllipsoidFollowsItsNormal) {
  // Out along the normal at a point of the surface by 0.7.
  const Vec3 radii(3, 1, 2), on = radii.cwiseProduct(Vec3(0.36, 0.48, 0.8));
  const Vec3 normal = on.cwiseQuotient(radii).cwiseQuotient(radii).normalized();
  const Vec3 centre = on + 0.7 * normal;
  const Distance found = distance(Sphere{0.2}, {centre, Quat::Identity()}, Ellipsoid{radii}, {});
  EXPECT_NEAR(found.value, 0.5, 1e-14);
  expect_vec(found.p_B, on, 1e-14);
}

TEST(Distance, OfCrossedCapsulesIsThatOfTheirAxes) {
  const Pose across = turned({0, 3, 0}, Vec3::UnitY(), M_PI / 2);
  const Distance found = distance(Capsule{0.5, 4}, {}, Capsule{1, 4}, across);
  EXPECT_NEAR(found.value, 1.5, 1e-15);
  expect_vec(found.normal, -Vec3::UnitY(), 1e-15);
  const Pose through = turned({0, 0, 0}, Vec3::UnitY(), M_PI / 2);
  const Distance crossing = distance(Capsule{0.5, 4}, {}, Capsule{1, 4}, through);
  EXPECT_NEAR(crossing.value, -1.5, 1e-15);
  EXPECT_NEAR(std::abs(crossing.normal.y()), 1, 1e-15);
}

TEST(Distance, OfOneCapsuleAlongAnotherOnTheSameAxisIsAcrossIt) {
  const Distance found = distance(Capsule{0.5, 4}, {}, Capsule{0.25, 1}, at(0, 0, 0.5));
  EXPECT_NEAR(found.value, -0.75, 1e-15);
  EXPECT_NEAR(found.normal.z(), 0, 1e-15);
}

TEST(Distance, OfABoxOverAPlaneIsItsLowestVertexAndOnItTheFace) {
  const Plane floor{Vec3::UnitZ(), 0.5};
  const Pose on_corner = turned({0, 0, 4}, Vec3(1, -1, 0), std::atan(kRoot2));
  EXPECT_NEAR(distance(Box{{1, 1, 1}}, on_corner, floor, {}).value, 3.5 - std::sqrt(3.0), 1e-15);
  const Distance flat = distance(floor, {}, Box{{1, 1, 1}}, at(7, 8, 1.5));
  EXPECT_NEAR(flat.value, 0, 1e-15);
  expect_vec(flat.normal, -Vec3::UnitZ(), 0);
  EXPECT_EQ(flat.feature_b.kind, FeatureKind::Face);
}

TEST(Distance, OfBoxesTouchingByTheirFacesHasTheFacesNormal) {
  const Distance found = distance(Box{{1, 1, 1}}, at(2, 0.3, 0.4), Box{{1, 1, 1}}, {});
  EXPECT_NEAR(found.value, 0, 1e-15);
  expect_vec(found.normal, Vec3::UnitX(), 1e-15);
}

TEST(Distance, OfBoxesTouchingByCrossedEdgesHasTheNormalOfBothEdges) {
  // Edges along y and x touch at the origin from below and above.
  const Pose below = turned({0, 0, -kRoot2}, Vec3::UnitY(), M_PI / 4);
  const Pose above = turned({0, 0, kRoot2}, Vec3::UnitX(), M_PI / 4);
  const Distance found = distance(Box{{1, 1, 1}}, above, Box{{1, 1, 1}}, below);
  EXPECT_NEAR(found.value, 0, 1e-15);
  expect_vec(found.normal, Vec3::UnitZ(), 1e-14);
  EXPECT_EQ(found.feature_a.kind, FeatureKind::Edge);
  EXPECT_EQ(found.feature_b.kind, FeatureKind::Edge);
}

TEST(Distance, OfABoxDeepInAnotherIsTheShortestTranslationOut) {
  const Distance found = distance(Box{{3, 3, 3}}, {}, Box{{1, 0.5, 1}}, at(0, 1, 0.5));
  EXPECT_NEAR(found.value, -2.5, 1e-14);
  expect_vec(found.normal, -Vec3::UnitY(), 1e-15);
}

TEST(Distance, OfATriangleCountsItsBothSides) {
  const Shape triangle = make_triangle({-1, -1, 0}, {1, -1, 0}, {0, 1, 0});
  const Distance above = distance(Box{{1, 1, 1}}, at(0, 0, 1.5), triangle, {});
  EXPECT_NEAR(above.value, 0.5, 1e-15);
  expect_vec(above.normal, Vec3::UnitZ(), 1e-15);
  const Distance below = distance(Box{{1, 1, 1}}, at(0, 0, -0.75), triangle, {});
  EXPECT_NEAR(below.value, -0.25, 1e-15);
  expect_vec(below.normal, -Vec3::UnitZ(), 1e-15);
}

TEST(Distance, OfCylindersSideBySideEndToEndAndRimToRim) {
  const Cylinder a{1, 2}, b{0.5, 4};
  EXPECT_NEAR(distance(a, {}, b, at(3, 4, 0)).value, 3.5, 1e-14);
  EXPECT_NEAR(distance(a, {}, b, at(0.2, 0, 5)).value, 2, 1e-14);
  const Distance rims = distance(a, {}, b, at(4.5, 0, 7));  // rims at (1, 1) and (4, 5)
  EXPECT_NEAR(rims.value, 5, 1e-14);
  expect_vec(rims.normal, Vec3(-0.6, 0, -0.8), 1e-14);
}

TEST(Distance, OfACylinderWithinAnotherOnTheSameAxisIsOutThroughTheSide) {
  const Distance found = distance(Cylinder{1, 20}, {}, Cylinder{0.25, 1}, {});
  EXPECT_NEAR(found.value, -1.25, 1e-13);
  EXPECT_NEAR(found.normal.z(), 0, 1e-13);
}

TEST(Distance, OfAConeOnItsApexAndOnItsSide) {
  const Box ground{{10, 10, 1}};
  const Pose upside_down = turned({1, 2, 4}, Vec3::UnitX(), M_PI);
  EXPECT_NEAR(distance(Cone{1, 2}, upside_down, ground, {}).value, 2, 1e-13);
  const double tilt = M_PI / 2 + std::atan(0.5);  // the side faces down
  const Distance lying = distance(Cone{1, 2}, turned({0, 0, 5}, Vec3::UnitY(), tilt), ground, {});
  EXPECT_NEAR(lying.value, 5 - 1 / std::sqrt(5.0) - 1, 1e-13);
  expect_vec(lying.normal, Vec3::UnitZ(), 1e-13);
}

TEST(Distance, OfEllipsoidsAlongACommonAxis) {
  const Distance found = distance(Ellipsoid{{1, 2, 3}}, {}, Ellipsoid{{0.5, 4, 2}}, at(2, 0, 0));
  EXPECT_NEAR(found.value, 0.5, 1e-14);
  expect_vec(found.normal, -Vec3::UnitX(), 1e-7);
}

// Two ellipsoids that touch at a point with a known normal: one is the other reflected there.
TEST(Distance, OfTouchingCurvedShapesKeepsItsNormal) {
  const Vec3 radii(1, 2, 3), on = radii.cwiseProduct(Vec3(0.36, 0.48, 0.8));
  const Vec3 normal = on.cwiseQuotient(radii).cwiseQuotient(radii).normalized();
  for (const double gap : {0.0, 1e-13, -1e-13, 1e-9, -1e-9}) {
    const Vec3 p = 2 * on + gap * normal;
    const Distance found = distance(Ellipsoid{radii}, {p, Quat::Identity()}, Ellipsoid{radii}, {});
    EXPECT_NEAR(found.value, gap, 1e-15);
    expect_vec(found.normal, normal, 1e-8);
  }
}

TEST(Distance, FarFromTheOriginLosesOnlyWhatThePositionsLose) {
  const Vec3 far(1e6, -2e6, 3e6);
  const Pose a{far, Quat::Identity()}, b{far + Vec3(0, 0, 3), Quat::Identity()};
  EXPECT_NEAR(distance(Cylinder{1, 2}, a, Cone{1, 2}, b).value, 1, 1e-14);
}

TEST(Distance, AnyHintGivesTheSameAnswer) {
  const Convex box = make_convex(Box{{1, 2, 3}});
  const Pose X_WA, X_WB = turned({3, 3, 3}, Vec3(1, 2, 3), 1);
  DistanceHint none;
  const double expected = compute_distance({box, X_WA}, {box, X_WB}, none).value;
  for (const auto kind :
       {FeatureKind::Vertex, FeatureKind::Edge, FeatureKind::Face, FeatureKind::Surface}) {
    for (const int index : {-1, 0, 3, 5, 11, 1000}) {
      DistanceHint hint{{kind, index}, {FeatureKind::Face, index}, Vec3(0, 0, index)};
      EXPECT_NEAR(compute_distance({box, X_WA}, {box, X_WB}, hint).value, expected, 1e-14);
    }
  }
}

}  // namespace
}  // namespace carom::geometry
