#include "carom/audit/overlap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "carom/base/random.h"
#include "carom/geometry/shapes/convex_hull.h"
#include "carom/geometry/shapes/mesh.h"

namespace carom::audit {
namespace {

using namespace geometry;

Solid solid(const Shape& shape) { return make_solid({shape, Pose{}, MaterialId{}, true}); }

double depth(const Shape& a, const Pose& X_a, const Shape& b, const Pose& X_b) {
  OverlapFinder finder;
  const Solid solid_a = solid(a), solid_b = solid(b);
  return finder.find({solid_a, X_a}, {solid_b, X_b}).depth;
}

Pose at(double x, double y, double z) { return {Vec3(x, y, z), Quat::Identity()}; }

Quat turn(const Vec3& axis, double angle) { return math::quat_exp(angle * axis.normalized()); }

Vec3 draw_vector(base::Random& random, double size) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

Quat draw_attitude(base::Random& random) {
  return turn(draw_vector(random, 1), random.uniform(0, 3));
}

Hull draw_hull(base::Random& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.push_back(draw_vector(random, 1));
  return {make_convex_hull(points).polyhedron};
}

std::vector<Solid> triangles_of(const Mesh& mesh, const Pose& X_BM) {
  std::vector<Solid> solids;
  append_solids({mesh, X_BM, MaterialId{}, true}, solids);
  return solids;
}

Mesh make_one_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const std::vector<Vec3> corners = {a, b, c};
  const std::vector<Triangle> triangles = {{0, 1, 2}};
  return {make_triangle_mesh(corners, triangles).mesh};
}

TEST(Overlap, WithATriangleIsHowFarOneReachesThroughIt) {
  const auto floor =
      triangles_of(make_one_triangle({-9, -9, 0}, {9, -9, 0}, {0, 9, 0}), at(0, 0, 1));
  ASSERT_EQ(floor.size(), 1U);
  const auto sunk = [&](const Shape& shape, const Pose& X) {
    OverlapFinder finder;
    const Solid other = solid(shape);
    return finder.find({other, X}, {floor[0], floor[0].X_BS}).depth;
  };
  EXPECT_NEAR(sunk(Box{Vec3(1, 2, 3)}, at(0.3, -2, 3.9)), 0.1, 1e-14);
  EXPECT_NEAR(sunk(Box{Vec3(1, 2, 3)}, at(0.3, -2, -1.8)), 0.2, 1e-14);  // from below
  EXPECT_NEAR(sunk(Sphere{0.5}, at(0.3, -2, 1.4)), 0.1, 1e-11);
  EXPECT_NEAR(sunk(Box{Vec3(1, 1, 1)}, at(0, -9.9, 1)), 0.1, 1e-14);  // at the rim
  EXPECT_LT(sunk(Box{Vec3(1, 1, 1)}, at(0, -10.1, 1)), 0);
  EXPECT_LT(sunk(Sphere{0.5}, at(0, 0, 1.6)), 0);
}

// Two methods that share nothing: separating axes with the rims of a flat triangle, and support
// points.
TEST(Overlap, OfTrianglesAndHullsIsTheSameFromSupportPoints) {
  base::Random random(12);
  int overlapping = 0;
  for (int round = 0; round < 300; ++round) {
    const auto corner = [&] { return draw_vector(random, 1); };
    const Solid flat = triangles_of(make_one_triangle(corner(), corner(), corner()), Pose{})[0];
    const Solid hull = solid(draw_hull(random));
    const Pose X{draw_vector(random, 1), draw_attitude(random)};
    OverlapFinder by_axes;
    ExpandingPolytope by_support;
    const double depth = by_axes.find({flat, flat.X_BS}, {hull, X}).depth;
    if (depth < 0) continue;
    ++overlapping;
    EXPECT_NEAR(depth, by_support.find(flat, hull, flat.X_BS.inverse() * X).depth, 1e-9);
  }
  EXPECT_GT(overlapping, 50);
}

// Heights along the plane's normal in closed form, each shape tilted by 0.4 rad from it.
TEST(Overlap, WithAPlaneIsTheSupportInClosedForm) {
  const double tilt = 0.4, c = std::cos(tilt), s = std::sin(tilt);
  const Plane ground{Vec3::UnitZ(), 0.25};
  const Pose X{Vec3(3, -2, 1), turn(Vec3::UnitX(), tilt)};
  const auto sunk = [&](const Shape& shape) { return depth(shape, X, ground, Pose{}); };
  EXPECT_NEAR(sunk(Sphere{0.5}), 0.5 - 0.75, 1e-15);
  EXPECT_NEAR(sunk(Box{Vec3(1, 2, 3)}), 2 * s + 3 * c - 0.75, 1e-14);
  EXPECT_NEAR(sunk(Capsule{0.5, 4}), 0.5 + 2 * c - 0.75, 1e-14);
  EXPECT_NEAR(sunk(Cylinder{0.5, 4}), 0.5 * s + 2 * c - 0.75, 1e-14);
  EXPECT_NEAR(sunk(Cone{0.5, 4}), 0.5 * s + 2 * c - 0.75, 1e-14);
  EXPECT_NEAR(sunk(Ellipsoid{Vec3(1, 2, 3)}), std::hypot(2 * s, 3 * c) - 0.75, 1e-14);
  const Pose upside_down{Vec3(0, 0, 1), turn(Vec3::UnitX(), M_PI)};
  EXPECT_NEAR(depth(Cone{0.5, 4}, upside_down, ground, Pose{}), 2 - 0.75, 1e-14);
}

TEST(Overlap, WithAPlaneDoesNotDependOnTheOrder) {
  const Plane slope{Vec3(0.6, 0, 0.8), 1};
  const Pose X_plane{Vec3(1, 1, 1), turn(Vec3(1, 2, 3), 0.7)};
  const Pose X{Vec3(0.3, 0.2, 0.1), turn(Vec3(3, -1, 2), 1.1)};
  EXPECT_EQ(depth(Box{Vec3(1, 2, 3)}, X, slope, X_plane),
            depth(slope, X_plane, Box{Vec3(1, 2, 3)}, X));
}

TEST(Overlap, OfSpheresIsTheSumOfRadiiLessTheDistance) {
  EXPECT_NEAR(depth(Sphere{1}, at(0, 0, 0), Sphere{2}, at(2, 1, 2)), 0, 1e-15);
  EXPECT_NEAR(depth(Sphere{1}, at(0, 0, 0), Sphere{2.5}, at(2, 1, 2)), 0.5, 1e-15);
}

TEST(Overlap, OfBoxesFaceToFaceIsTheirCommonThickness) {
  const Box box{Vec3(1, 1, 1)};
  EXPECT_NEAR(depth(box, at(0, 0, 0), box, at(0.3, 0.2, 1.9)), 0.1, 1e-15);
  EXPECT_LT(depth(box, at(0, 0, 0), box, at(0.3, 0.2, 2.001)), 0);
}

// Two boxes of half edge 1 stand on edge, crossing at a right angle: each reaches √2 to the other.
TEST(Overlap, OfCrossedEdgesIsAlongTheirCommonNormal) {
  const Box box{Vec3(1, 1, 1)};
  const Pose below{Vec3(0, 0, 0), turn(Vec3::UnitX(), M_PI / 4)};
  const double reach = 2 * std::sqrt(2.0);
  for (const double sunk : {1e-9, 1e-3, 0.1}) {
    const Pose above{Vec3(0.1, -0.1, reach - sunk), turn(Vec3::UnitY(), M_PI / 4)};
    EXPECT_NEAR(depth(box, below, box, above), sunk, 1e-14);
  }
}

// Point to box distance by clamping: faces, edges and corners alike.
RC_GTEST_PROP(Overlap, OfASphereAndABoxIsTheRadiusLessTheDistance, (std::uint64_t seed)) {
  base::Random random(seed);
  const Vec3 half(1, 0.7, 0.4);
  const Vec3 center = draw_vector(random, 2);
  const Vec3 outside = center - center.cwiseMax(-half).cwiseMin(half);
  RC_PRE(outside.norm() > 0.01);
  const double sunk = random.uniform(1e-9, 0.009);
  const Sphere sphere{outside.norm() + sunk};
  const Pose X{draw_vector(random, 10), draw_attitude(random)};
  const double found = depth(Box{half}, X, sphere, {X * center, draw_attitude(random)});
  RC_ASSERT(std::abs(found - sunk) < 1e-11);
}

RC_GTEST_PROP(Overlap, OfASphereAndAFarBoxIsNone, (std::uint64_t seed)) {
  base::Random random(seed);
  const Vec3 half(1, 0.7, 0.4);
  const Vec3 center = draw_vector(random, 2);
  const Vec3 outside = center - center.cwiseMax(-half).cwiseMin(half);
  RC_PRE(outside.norm() > 0.01);
  const double apart = random.uniform(1e-9, 0.009);
  const Sphere sphere{outside.norm() - apart};
  const Pose X{draw_vector(random, 10), draw_attitude(random)};
  const double found = depth(Box{half}, X, sphere, {X * center, draw_attitude(random)});
  RC_ASSERT(found < 0);
  RC_ASSERT(found >= -apart - 1e-11);
}

// Axes along x and y at height difference z: the closest points are where they cross.
TEST(Overlap, OfCrossedCapsulesIsTheRadiiLessTheDistanceOfTheirAxes) {
  const Pose along_x{Vec3(0.3, 0, 0), turn(Vec3::UnitY(), M_PI / 2)};
  for (const double sunk : {1e-9, 1e-4, 0.05}) {
    const Pose along_y{Vec3(0, 0.2, 0.5 - sunk), turn(Vec3::UnitX(), M_PI / 2)};
    EXPECT_NEAR(depth(Capsule{0.2, 2}, along_x, Capsule{0.3, 1}, along_y), sunk, 1e-11);
  }
}

TEST(Overlap, OfRoundShapesAlongTheirAxesIsTheSumOfTheirExtents) {
  const double sunk = 1e-6;
  const Ellipsoid egg{Vec3(1, 2, 3)};
  EXPECT_NEAR(depth(egg, at(0, 0, 0), Sphere{0.5}, at(0, 0, 3.5 - sunk)), sunk, 1e-11);
  EXPECT_NEAR(depth(egg, at(0, 0, 0), egg, at(2 - sunk, 0, 0)), sunk, 1e-11);
  EXPECT_NEAR(depth(Cylinder{1, 2}, at(0, 0, 0), Box{Vec3(1, 1, 1)}, at(0.4, 0.3, 2 - sunk)), sunk,
              1e-11);
  EXPECT_NEAR(depth(Cylinder{1, 2}, at(0, 0, 0), Cylinder{0.5, 2}, at(1.5 - sunk, 0, 0.3)), sunk,
              1e-11);
  EXPECT_NEAR(depth(Box{Vec3(1, 1, 1)}, at(0, 0, 0), Cone{1, 2},
                    {Vec3(0.2, 0.1, 2 - sunk), turn(Vec3::UnitX(), M_PI)}),
              sunk, 1e-11);
}

// Two routines that share nothing: axes of the faces and edges, and support points alone.
// Upright beside an upright box: the lesser of how far they overlap along z, and of a disc and a
// rectangle.
double upright_depth(const Cylinder& c, const Vec3& x, const Box& box) {
  const double along = c.length / 2 + box.half.z() - std::abs(x.z());
  const double out_x = std::abs(x.x()) - box.half.x(), out_y = std::abs(x.y()) - box.half.y();
  const double outside = std::hypot(std::max(out_x, 0.0), std::max(out_y, 0.0));
  const double across = c.radius - (outside > 0 ? outside : std::max(out_x, out_y));
  return std::min(along, across);
}

// As in a hole made of boxes: flush ends and faces, clearances from none to a millimetre.
TEST(Overlap, OfAnUprightCylinderAndABoxIsThatOfADiscAndARectangle) {
  const Cylinder peg{0.05, 0.2};
  const Box wall{Vec3(0.1, 0.25, 0.1)};
  for (const double clearance : {-1e-3, -1e-6, 0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3}) {
    for (const double y : {0.0, 1e-9, 0.01, 0.2, 0.25, 0.27}) {
      for (const double z : {0.0, 1e-12, 1e-3, 0.1, 0.199, 0.2}) {
        for (const double angle : {0.0, 0.3, 1.5707963267948966}) {
          const Vec3 x(wall.half.x() + peg.radius + clearance, y, z);
          const double expected = upright_depth(peg, x, wall);
          const double found = depth(peg, {x, turn(Vec3::UnitZ(), angle)}, wall, Pose{});
          EXPECT_LE(found, std::max(expected, 0.0) + 1e-10)
              << "clearance " << clearance << ", y " << y << ", z " << z << ", angle " << angle;
          if (expected > 0) {
            EXPECT_GE(found, expected - 1e-12);
          }
        }
      }
    }
  }
}

// The same by chance, the pair turned as a whole.
RC_GTEST_PROP(Overlap, OfUprightCylindersAndBoxesIsThatOfDiscsAndRectangles, (std::uint64_t seed)) {
  base::Random random(seed);
  const Cylinder peg{random.uniform(0.01, 1), random.uniform(0.01, 2)};
  const Box wall{Vec3(random.uniform(0.01, 1), random.uniform(0.01, 1), random.uniform(0.01, 1))};
  const Vec3 reach = wall.half + Vec3(peg.radius, peg.radius, peg.length / 2);
  const Vec3 x = draw_vector(random, 1).cwiseProduct(reach);
  const Pose turned{draw_vector(random, 1),
                    random.uniform(0, 1) < 0.5 ? Quat::Identity() : draw_attitude(random)};
  const double expected = upright_depth(peg, x, wall);
  const double found = depth(peg, turned * Pose{x, Quat::Identity()}, wall, turned);
  RC_ASSERT(found <= std::max(expected, 0.0) + 1e-9);
  if (expected > 0) RC_ASSERT(found >= expected - 1e-9);
}

// A cylinder that stands on a wall's face but for the last digits of its tilt: a surface of
// slivers.
TEST(Overlap, OfFacesThatAreNearlyParallelIsNoMoreThanAlongTheirNormal) {
  base::Random random(7);
  OverlapFinder finder;
  for (int i = 0; i < 20000; ++i) {
    const Solid wall = solid(
        Box{Vec3(random.uniform(0.02, 0.5), random.uniform(0.02, 0.5), random.uniform(0.02, 0.5))});
    const Vec3& half = std::get<Box>(wall.shape).half;
    const Cylinder shape{0.05, random.uniform(0.02, 0.4)};
    const Solid peg = solid(shape);
    const double tilt = std::pow(10, random.uniform(-13, -9));
    const Quat q = turn(draw_vector(random, 1), tilt) * turn(Vec3::UnitZ(), random.uniform(0, 6));
    const Vec3 d = q.conjugate() * -Vec3::UnitX();
    const double gap = random.uniform(-1e-3, 1e-3);
    const Vec3 x(half.x() + d.dot(support_point(peg, d)) + gap, random.uniform(-1, 1) * half.y(),
                 random.uniform(-1, 1) * (half.z() + shape.length / 2));
    const double found = finder.find({wall, Pose{}}, {peg, {x, q}}).depth;
    ASSERT_LE(found, std::max(-gap, 0.0) + 1e-10) << i;
  }
}

RC_GTEST_PROP(Overlap, OfHullsIsTheSameBySeparatingAxesAndBySupportPoints, (std::uint64_t seed)) {
  base::Random random(seed);
  const bool boxes = random.uniform() < 0.5;
  const Solid a = boxes ? solid(Box{Vec3(1, 0.6, 0.3)}) : solid(draw_hull(random));
  const Solid b = solid(draw_hull(random));
  const Pose X_AB{draw_vector(random, 1.2), draw_attitude(random)};
  const double by_axes = SeparatingAxes{}.find(*a.polytope, *b.polytope, X_AB).depth;
  const double by_points = ExpandingPolytope{}.find(a, b, X_AB).depth;
  RC_ASSERT((by_axes > 0) == (by_points > 0));
  if (by_axes > 0) RC_ASSERT(std::abs(by_axes - by_points) < 1e-10);
}

Shape draw_shape(base::Random& random) {
  switch (random.next() % 7) {
    case 0:
      return Sphere{0.5};
    case 1:
      return Box{Vec3(0.5, 0.3, 0.8)};
    case 2:
      return Capsule{0.3, 1};
    case 3:
      return Cylinder{0.4, 1};
    case 4:
      return Cone{0.5, 1.2};
    case 5:
      return Ellipsoid{Vec3(0.3, 0.5, 0.9)};
    default:
      return draw_hull(random);
  }
}

// The depth is the least overlap over all directions: none of many tried may beat it.
RC_GTEST_PROP(Overlap, IsNotBeatenByAnyOtherDirection, (std::uint64_t seed)) {
  base::Random random(seed);
  const Solid a = solid(draw_shape(random)), b = solid(draw_shape(random));
  const PlacedSolid placed_a{a, {draw_vector(random, 0.5), draw_attitude(random)}};
  const PlacedSolid placed_b{b, {draw_vector(random, 0.5), draw_attitude(random)}};
  OverlapFinder finder;
  const Overlap found = finder.find(placed_a, placed_b);
  RC_ASSERT(std::abs(compute_overlap_along(placed_a, placed_b, found.direction) - found.depth) <
            1e-12);
  for (int i = 0; i < 1000 && found.depth > 0; ++i) {
    const Vec3 d = draw_vector(random, 1).normalized();
    const Vec3 near = (found.direction + 0.01 * d).normalized();
    RC_ASSERT(compute_overlap_along(placed_a, placed_b, d) > found.depth - 1e-11);
    RC_ASSERT(compute_overlap_along(placed_a, placed_b, near) > found.depth - 1e-11);
  }
}

RC_GTEST_PROP(Overlap, IsTheSameWithTheSolidsSwappedAndMoved, (std::uint64_t seed)) {
  base::Random random(seed);
  const Shape a = draw_shape(random), b = draw_shape(random);
  const Pose X_a{draw_vector(random, 0.5), draw_attitude(random)};
  const Pose X_b{draw_vector(random, 0.5), draw_attitude(random)};
  const Pose X{draw_vector(random, 10), draw_attitude(random)};
  const double here = depth(a, X_a, b, X_b);
  const double swapped = depth(b, X_b, a, X_a), moved = depth(a, X * X_a, b, X * X_b);
  RC_ASSERT((here > 0) == (swapped > 0));
  if (here <= 0) RC_SUCCEED("apart");
  RC_ASSERT(std::abs(here - swapped) < 1e-9);
  RC_ASSERT(std::abs(here - moved) < 1e-9);
}

}  // namespace
}  // namespace carom::audit
