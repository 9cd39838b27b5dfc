#include "carom/geometry/shapes/mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "carom/geometry/shapes/mesh_normals.h"
#include "support/meshes.h"

namespace carom::geometry {
namespace {

using Kind = TriangleFeature::Kind;
using support::Surface;
using ::testing::HasSubstr;

constexpr double kTight = 1e-12;

Vec3 random_direction(base::Random& random) {
  Vec3 v;
  do {
    v = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  } while (v.norm() > 1 || v.norm() < 0.1);
  return v.normalized();
}

struct Corner {
  std::int32_t triangle;
  int k;
};

// Some triangle with a corner there.
Corner find_corner(const TriangleMesh& mesh, const Vec3& p) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::int32_t>(t);
      if (mesh.corner(i, k) == p) return {i, k};
    }
  }
  throw std::runtime_error("no such vertex");
}

// Some triangle with an edge between them, in either direction.
Corner find_edge(const TriangleMesh& mesh, const Vec3& p, const Vec3& q) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::int32_t>(t);
      const Vec3 &a = mesh.corner(i, k), &b = mesh.corner(i, (k + 1) % 3);
      if ((a == p && b == q) || (a == q && b == p)) return {i, k};
    }
  }
  throw std::runtime_error("no such edge");
}

Vec3 at_vertex(const TriangleMesh& mesh, const Vec3& p, const Vec3& n) {
  const Corner corner = find_corner(mesh, p);
  return allowed_normal(mesh, corner.triangle, {Kind::Vertex, corner.k}, n);
}

Vec3 at_edge(const TriangleMesh& mesh, const Vec3& p, const Vec3& q, const Vec3& n) {
  const Corner corner = find_edge(mesh, p, q);
  return allowed_normal(mesh, corner.triangle, {Kind::Edge, corner.k}, n);
}

EdgeKind kind_between(const TriangleMesh& mesh, const Vec3& p, const Vec3& q) {
  const Corner corner = find_edge(mesh, p, q);
  const auto edge = mesh.triangle_edges[static_cast<std::size_t>(corner.triangle)]
                                       [static_cast<std::size_t>(corner.k)];
  return mesh.edges[static_cast<std::size_t>(edge)].kind;
}

TEST(TriangleMesh, WeldsVerticesAndKnowsItsEdges) {
  Surface loose;  // a tetrahedron, every triangle with vertices of its own
  const std::array<Vec3, 4> p = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  for (const auto& [a, b, c] : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {1, 1, 2}}) {
    const auto n = static_cast<std::int32_t>(loose.vertices.size());
    for (const int i : {a, b, c}) loose.vertices.push_back(p[static_cast<std::size_t>(i)]);
    loose.triangles.push_back({n, n + 1, n + 2});
  }
  const auto mesh = support::make_mesh(loose);
  EXPECT_EQ(mesh->vertices.size(), 4);
  EXPECT_EQ(mesh->triangles.size(), 4);  // the one without three corners is gone
  EXPECT_EQ(mesh->edges.size(), 6);
  EXPECT_TRUE(mesh->closed);
  for (const auto& edge : mesh->edges) EXPECT_EQ(edge.kind, EdgeKind::Convex);
  for (int v = 0; v < 4; ++v) EXPECT_EQ(mesh->triangles_around(v).size(), 3);
  const std::int32_t slanted = find_edge(*mesh, p[1], p[2]).triangle;
  const Vec3& normal = mesh->normals[static_cast<std::size_t>(slanted)];
  EXPECT_TRUE(normal.isApprox(Vec3::Ones().normalized(), kTight) ||
              normal.isApprox(-Vec3::UnitZ(), kTight));
}

TEST(TriangleMesh, TellsConvexFlatConcaveAndBoundaryEdges) {
  const auto mesh = support::make_mesh(support::make_prism(support::make_l(), 1));
  EXPECT_EQ(kind_between(*mesh, Vec3(1, 1, 0), Vec3(1, 1, 1)), EdgeKind::Concave);
  EXPECT_EQ(kind_between(*mesh, Vec3(0, 0, 0), Vec3(0, 0, 1)), EdgeKind::Convex);
  EXPECT_EQ(kind_between(*mesh, Vec3(0, 0, 0), Vec3(2, 0, 1)), EdgeKind::Flat);
  const auto sheet = support::make_mesh(support::make_sheet(1, [](int, int) { return 0; }));
  EXPECT_EQ(kind_between(*sheet, Vec3(0, 0, 0), Vec3(1, 0, 0)), EdgeKind::Boundary);
  EXPECT_FALSE(sheet->closed);
}

TEST(TriangleMesh, SaysWhatIsNoSurface) {
  const std::vector<Vec3> p = {Vec3::Zero(),  Vec3::UnitX(),   Vec3::UnitY(),
                               Vec3::UnitZ(), Vec3(0.5, 0, 0), Vec3(0, -1, 0)};
  const auto problem = [&](const std::vector<Triangle>& triangles) {
    return make_triangle_mesh(p, triangles).problem;
  };
  EXPECT_THAT(problem({}), HasSubstr("no triangles"));
  EXPECT_THAT(problem({{0, 1, 4}}), HasSubstr("without area at (0, 0, 0)"));
  EXPECT_THAT(problem({{0, 1, 2}, {0, 1, 3}}), HasSubstr("the same way along the edge from"));
  EXPECT_THAT(problem({{0, 1, 2}, {1, 0, 3}, {1, 0, 5}}), HasSubstr("more than two triangles"));
  EXPECT_EQ(problem({{0, 1, 2}}), "");
}

TEST(TriangleMesh, FindsTrianglesLikeTryingAll) {
  base::Random random(4);
  const auto mesh =
      support::make_mesh(support::make_sheet(20, [&](int, int) { return random.uniform(-1, 1); }));
  std::vector<std::int32_t> found;
  for (int round = 0; round < 200; ++round) {
    const Vec3 low(random.uniform(-2, 20), random.uniform(-2, 20), random.uniform(-2, 1));
    const Box3 box{low, low + Vec3::Constant(random.uniform(0, 4))};
    std::vector<std::int32_t> expected;
    for (std::size_t t = 0; t < mesh->triangles.size(); ++t) {
      const auto i = static_cast<std::int32_t>(t);
      const Vec3 &a = mesh->corner(i, 0), &b = mesh->corner(i, 1), &c = mesh->corner(i, 2);
      const Box3 around{a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
      if (around.overlaps(box)) expected.push_back(i);
    }
    find_triangles(*mesh, box, found);
    EXPECT_EQ(found, expected);
  }
}

TEST(TriangleMesh, WindsOnceAboutWhatIsInside) {
  const auto mesh = support::make_mesh(support::make_prism(support::make_l(), 1));
  EXPECT_NEAR(compute_winding_number(*mesh, Vec3(0.5, 1.5, 0.5)), 1, kTight);
  EXPECT_NEAR(compute_winding_number(*mesh, Vec3(1.5, 1.5, 0.5)), 0, kTight);
}

TEST(AllowedNormal, OfAFlatGridIsItsOneNormalEverywhere) {
  const auto mesh = support::make_mesh(support::make_sheet(4, [](int, int) { return 0; }));
  base::Random random(5);
  for (int round = 0; round < 100; ++round) {
    const Vec3 n = random_direction(random);
    EXPECT_EQ(allowed_normal(*mesh, 7, {Kind::Face, 0}, n), Vec3::UnitZ());
    EXPECT_TRUE(at_edge(*mesh, Vec3(2, 2, 0), Vec3(3, 2, 0), n).isApprox(Vec3::UnitZ(), kTight));
    EXPECT_TRUE(at_vertex(*mesh, Vec3(2, 2, 0), n).isApprox(Vec3::UnitZ(), kTight));
  }
}

TEST(AllowedNormal, OfARidgeLiesBetweenItsTwoSlopes) {
  const auto mesh = support::make_mesh(support::make_sheet(2, [](int x, int) { return x == 1; }));
  const Vec3 left = Vec3(-1, 0, 1).normalized(), right = Vec3(1, 0, 1).normalized();
  const Vec3 p(1, 0, 1), q(1, 1, 1);
  const auto ridge = [&](const Vec3& n) { return at_edge(*mesh, p, q, n); };
  const Vec3 between = Vec3(0.3, 0, 1).normalized();
  EXPECT_TRUE(ridge(between).isApprox(between, kTight));
  EXPECT_TRUE(ridge(Vec3(0, 0.6, 0.8)).isApprox(Vec3::UnitZ(), kTight));  // square to the edge
  EXPECT_TRUE(ridge(Vec3(1, 0, 0.1).normalized()).isApprox(right, kTight));
  EXPECT_TRUE(ridge(Vec3(-1, 0, -0.1).normalized()).isApprox(left, kTight));
  EXPECT_TRUE(at_vertex(*mesh, q, between).isApprox(between, kTight));
  EXPECT_TRUE(at_vertex(*mesh, q, Vec3(0.6, 0.8, 0)).isApprox(right, kTight));
}

TEST(AllowedNormal, OfAValleyIsOneOfItsSlopes) {
  const auto mesh = support::make_mesh(support::make_sheet(2, [](int x, int) { return x != 1; }));
  const Vec3 left = Vec3(1, 0, 1).normalized(), right = Vec3(-1, 0, 1).normalized();
  const Vec3 p(1, 0, 0), q(1, 1, 0);
  EXPECT_TRUE(at_edge(*mesh, p, q, Vec3(0.1, 0, 1).normalized()).isApprox(left, kTight));
  EXPECT_TRUE(at_edge(*mesh, p, q, Vec3(-0.1, 0, 1).normalized()).isApprox(right, kTight));
  EXPECT_TRUE(at_vertex(*mesh, q, Vec3(0.1, 0, 1).normalized()).isApprox(left, kTight));
  EXPECT_TRUE(at_vertex(*mesh, q, -Vec3::UnitZ()).z() > 0);  // never into the ground
}

// Up along x, down along y: nothing can touch the middle with a normal that is not an edge's or a
// face's.
TEST(AllowedNormal, OfASaddleComesFromItsEdgesAndFaces) {
  const auto mesh = support::make_mesh(support::make_sheet(
      2, [](int x, int y) { return 0.5 * (std::abs(x - 1) - std::abs(y - 1)); }));
  base::Random random(6);
  const Vec3 saddle(1, 1, 0);
  for (int round = 0; round < 100; ++round) {
    const Vec3 n = random_direction(random);
    const Vec3 allowed = at_vertex(*mesh, saddle, n);
    EXPECT_NEAR(allowed.norm(), 1, kTight);
    double nearest = -1;  // over a fine sampling of what the faces and convex edges allow
    for (const auto& edge : mesh->edges) {
      if (edge.right < 0) continue;
      const auto at = [&](std::int32_t v) { return mesh->vertices[static_cast<std::size_t>(v)]; };
      if (at(edge.from) != saddle && at(edge.to) != saddle) continue;
      const Vec3& left = mesh->normals[static_cast<std::size_t>(edge.left)];
      const Vec3& right = mesh->normals[static_cast<std::size_t>(edge.right)];
      const int steps = edge.kind == EdgeKind::Convex ? 2000 : 1;
      for (int i = 0; i <= steps; ++i) {
        const double part = static_cast<double>(i) / steps;
        nearest = std::max(nearest, n.dot(((1 - part) * left + part * right).normalized()));
      }
    }
    EXPECT_NEAR(n.dot(allowed), nearest, 1e-6);
  }
}

TEST(AllowedNormal, OfAPeakIsAnythingInItsCone) {
  const auto mesh =
      support::make_mesh(support::make_sheet(2, [](int x, int y) { return x == 1 && y == 1; }));
  const Vec3 peak(1, 1, 1);
  const Vec3 inside = Vec3(0.2, -0.1, 1).normalized();
  EXPECT_TRUE(at_vertex(*mesh, peak, inside).isApprox(inside, kTight));
  const Vec3 outside = Vec3(1, 0.2, 0.1).normalized();
  EXPECT_FALSE(at_vertex(*mesh, peak, outside).isApprox(outside, 1e-3));
  EXPECT_GT(at_vertex(*mesh, peak, -Vec3::UnitZ()).z(), 0);
}

TEST(AllowedNormal, OfAPitIsOneOfItsFaces) {
  const auto mesh = support::make_mesh(
      support::make_sheet(2, [](int x, int y) { return x == 1 && y == 1 ? -1 : 0; }));
  const Vec3 pit(1, 1, -1);
  const Corner corner = find_corner(*mesh, pit);
  const std::int32_t vertex = mesh->triangles[static_cast<std::size_t>(corner.triangle)]
                                             [static_cast<std::size_t>(corner.k)];
  base::Random random(8);
  for (int round = 0; round < 100; ++round) {
    const Vec3 n = random_direction(random);
    const Vec3 allowed = at_vertex(*mesh, pit, n);
    double nearest = -1;
    for (const std::int32_t t : mesh->triangles_around(vertex)) {
      nearest = std::max(nearest, n.dot(mesh->normals[static_cast<std::size_t>(t)]));
    }
    EXPECT_NEAR(n.dot(allowed), nearest, kTight);
  }
}

}  // namespace
}  // namespace carom::geometry
