#include "carom/geometry/shapes/convex_hull.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <map>

#include "carom/base/random.h"
#include "carom/math/pose.h"

namespace carom::geometry {
namespace {

std::vector<Vec3> box_corners(const Vec3& half) {
  std::vector<Vec3> points;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      for (const double z : {-1.0, 1.0}) points.push_back(half.cwiseProduct(Vec3(x, y, z)));
    }
  }
  return points;
}

std::vector<Vec3> cloud(std::size_t n, base::Random& random) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < n; ++i) {
    points.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  }
  return points;
}

Vec3 facet_normal(const Polyhedron& p, const std::vector<int>& loop) {
  Vec3 area = Vec3::Zero();
  for (std::size_t i = 2; i < loop.size(); ++i) {
    const Vec3& a = p.vertices[loop[0]];
    area += (p.vertices[loop[i - 1]] - a).cross(p.vertices[loop[i]] - a);
  }
  return area.normalized();
}

// What makes a polyhedron a hull of the points: every directed edge has exactly its reverse, and no
// point lies outside a facet's plane, which also fixes the loops' orientation.
void expect_hull_of(const Polyhedron& p, const std::vector<Vec3>& points, double tolerance) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& loop : p.facets) {
    ASSERT_GE(loop.size(), 3U);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      ++edges[{loop[i], loop[(i + 1) % loop.size()]}];
    }
    const Vec3 n = facet_normal(p, loop);
    for (const Vec3& x : points) EXPECT_LE(n.dot(x - p.vertices[loop[0]]), tolerance);
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1U);
  }
  const auto n_edges = static_cast<long>(edges.size()) / 2;
  EXPECT_EQ(std::ssize(p.vertices) - n_edges + std::ssize(p.facets), 2) << "Euler";
}

TEST(ConvexHull, OfABoxHasSixQuadrilaterals) {
  const auto points = box_corners({1, 2, 3});
  const HullResult hull = make_convex_hull(points);
  ASSERT_TRUE(hull.polyhedron) << hull.problem;
  EXPECT_EQ(hull.polyhedron->vertices, points);
  ASSERT_EQ(hull.polyhedron->facets.size(), 6U);
  for (const auto& loop : hull.polyhedron->facets) EXPECT_EQ(loop.size(), 4U);
  expect_hull_of(*hull.polyhedron, points, 1e-14);
}

TEST(ConvexHull, MergesFacetsOfATurnedBoxInAnyUnit) {
  const Pose X{Vec3(1e3, -2e3, 5e2), Quat(0.3, 0.5, -0.2, 0.7).normalized()};
  for (const double unit : {1e-6, 1.0, 1e6}) {
    auto points = box_corners({1, 2, 3});
    for (Vec3& p : points) p = unit * (X * p);
    const HullResult hull = make_convex_hull(points);
    ASSERT_TRUE(hull.polyhedron) << hull.problem;
    EXPECT_EQ(hull.polyhedron->facets.size(), 6U);
    expect_hull_of(*hull.polyhedron, points, 1e-11 * unit);
  }
}

TEST(ConvexHull, DropsInnerDuplicateAndFacePoints) {
  auto points = box_corners({1, 1, 1});
  const auto corners = points;
  points.insert(points.begin(), {Vec3(0, 0, 0), Vec3(0.5, 0, 1), Vec3(1, 1, 0), Vec3(1, 0, 1)});
  points.push_back(corners[3]);
  const HullResult hull = make_convex_hull(points);
  ASSERT_TRUE(hull.polyhedron) << hull.problem;
  EXPECT_EQ(hull.polyhedron->vertices.size(), 8U);
  EXPECT_EQ(hull.polyhedron->facets.size(), 6U);
  expect_hull_of(*hull.polyhedron, points, 1e-14);
}

TEST(ConvexHull, OfAnOctahedronHasEightTriangles) {
  const std::vector<Vec3> points = {Vec3(1, 0, 0),  Vec3(-1, 0, 0), Vec3(0, 1, 0),
                                    Vec3(0, -1, 0), Vec3(0, 0, 1),  Vec3(0, 0, -1)};
  const HullResult hull = make_convex_hull(points);
  ASSERT_TRUE(hull.polyhedron) << hull.problem;
  EXPECT_EQ(hull.polyhedron->facets.size(), 8U);
  expect_hull_of(*hull.polyhedron, points, 1e-14);
}

TEST(ConvexHull, SaysWhyThereIsNone) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto problem = [](const std::vector<Vec3>& points) {
    const HullResult hull = make_convex_hull(points);
    EXPECT_FALSE(hull.polyhedron);
    return hull.problem;
  };
  EXPECT_EQ(problem({}), "a hull needs at least 4 points, there are 0");
  EXPECT_EQ(problem({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}),
            "a hull needs at least 4 points, there are 3");
  EXPECT_EQ(problem(std::vector<Vec3>(5, Vec3(1, 2, 3))), "all points coincide");
  EXPECT_EQ(problem({Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(2, 2, 2), Vec3(5, 5, 5)}),
            "all points lie on one line");
  EXPECT_EQ(problem({Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(0, 1, 1), Vec3(3, 4, 1), Vec3(2, 2, 1)}),
            "all points lie in one plane");
  EXPECT_EQ(problem({Vec3(0, 0, inf), Vec3(1, 0, 1), Vec3(0, 1, 1), Vec3(3, 4, 2)}),
            "a coordinate is not finite");
  EXPECT_EQ(problem({Vec3(0, 0, 0), Vec3(1, nan, 1), Vec3(0, 1, 1), Vec3(3, 4, 2)}),
            "a coordinate is not finite");
}

TEST(ConvexHull, WritesNothingToTheTerminal) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  (void)make_convex_hull(box_corners({1, 1, 1}));
  (void)make_convex_hull(std::vector<Vec3>(5, Vec3(1, 2, 3)));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

RC_GTEST_PROP(ConvexHull, IsClosedConvexAndAroundAllPoints, (std::uint64_t seed)) {
  base::Random random(seed);
  const auto points = cloud(4 + random.next() % 100, random);
  const HullResult hull = make_convex_hull(points);
  RC_ASSERT(hull.polyhedron != nullptr);
  expect_hull_of(*hull.polyhedron, points, 1e-13);
  RC_ASSERT(!testing::Test::HasFailure());
}

// Points on a coarse lattice: many coplanar, collinear and repeated ones.
RC_GTEST_PROP(ConvexHull, CopesWithLattices, (std::uint64_t seed)) {
  base::Random random(seed);
  std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  for (Vec3& p : cloud(60, random)) points.push_back((2.49 * p).array().round());
  const HullResult hull = make_convex_hull(points);
  RC_ASSERT(hull.polyhedron != nullptr);
  expect_hull_of(*hull.polyhedron, points, 1e-13);
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace carom::geometry
