#include "carom/geometry/shapes/shape.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::geometry {
namespace {

Hull make_tetrahedron() {
  auto polyhedron = std::make_shared<Polyhedron>();
  polyhedron->vertices = {Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(0, 4, 0), Vec3(0, 0, 5)};
  polyhedron->facets = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return {polyhedron};
}

TEST(Shape, IsNamedAsInSceneFiles) {
  EXPECT_EQ(name_of(Sphere{1}), "sphere");
  EXPECT_EQ(name_of(Box{Vec3::Ones()}), "box");
  EXPECT_EQ(name_of(Capsule{1, 2}), "capsule");
  EXPECT_EQ(name_of(Cylinder{1, 2}), "cylinder");
  EXPECT_EQ(name_of(Cone{1, 2}), "cone");
  EXPECT_EQ(name_of(Ellipsoid{Vec3::Ones()}), "ellipsoid");
  EXPECT_EQ(name_of(Plane{Vec3::UnitZ(), 0}), "plane");
  EXPECT_EQ(name_of(make_tetrahedron()), "hull");
}

TEST(Shape, FitsItsBoundingBallExactly) {
  EXPECT_DOUBLE_EQ(bounding_radius(Sphere{2}), 2);
  EXPECT_DOUBLE_EQ(bounding_radius(Box{Vec3(1, 2, 2)}), 3);
  EXPECT_DOUBLE_EQ(bounding_radius(Capsule{1, 4}), 3);
  EXPECT_DOUBLE_EQ(bounding_radius(Cylinder{3, 8}), 5);
  EXPECT_DOUBLE_EQ(bounding_radius(Cone{3, 8}), 5);
  EXPECT_DOUBLE_EQ(bounding_radius(Ellipsoid{Vec3(1, 7, 3)}), 7);
  EXPECT_DOUBLE_EQ(bounding_radius(make_tetrahedron()), 5);
  EXPECT_TRUE(std::isinf(bounding_radius(Plane{Vec3::UnitZ(), 0})));
}

TEST(RoundedPoints, AreBallCentresOrSharpCorners) {
  RoundedPoints out;
  ASSERT_TRUE(find_rounded_points(Capsule{0.5, 4}, out));
  ASSERT_EQ(out.points.size(), 2U);
  EXPECT_DOUBLE_EQ(out.radius, 0.5);
  EXPECT_EQ(out.points[0], Vec3(0, 0, -2));
  EXPECT_EQ(out.points[1], Vec3(0, 0, 2));

  ASSERT_TRUE(find_rounded_points(Sphere{3}, out));
  ASSERT_EQ(out.points.size(), 1U);
  EXPECT_EQ(out.points[0], Vec3::Zero());
  EXPECT_DOUBLE_EQ(out.radius, 3);

  ASSERT_TRUE(find_rounded_points(make_tetrahedron(), out));
  EXPECT_EQ(out.points.size(), 4U);
  EXPECT_DOUBLE_EQ(out.radius, 0);
}

TEST(RoundedPoints, OfABoxAreItsEightDistinctCorners) {
  RoundedPoints out;
  ASSERT_TRUE(find_rounded_points(Box{Vec3(1, 2, 3)}, out));
  ASSERT_EQ(out.points.size(), 8U);
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : out.points) {
    EXPECT_EQ(p.cwiseAbs(), Vec3(1, 2, 3));
    sum += p;
    for (const Vec3& other : out.points) EXPECT_TRUE(&p == &other || p != other);
  }
  EXPECT_EQ(sum, Vec3::Zero());
}

TEST(RoundedPoints, DoNotExistForCurvedShapesWithoutThem) {
  RoundedPoints out;
  EXPECT_FALSE(find_rounded_points(Cylinder{1, 1}, out));
  EXPECT_FALSE(find_rounded_points(Cone{1, 1}, out));
  EXPECT_FALSE(find_rounded_points(Ellipsoid{Vec3::Ones()}, out));
  EXPECT_FALSE(find_rounded_points(Plane{Vec3::UnitZ(), 0}, out));
}

}  // namespace
}  // namespace carom::geometry
