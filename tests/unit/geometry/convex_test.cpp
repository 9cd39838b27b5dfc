#include "carom/geometry/shapes/convex.h"

#include <gtest/gtest.h>

#include <memory>

namespace carom::geometry {
namespace {

Polyhedron make_triangle() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}}; }

// Every edge lies on both of its faces, and both lie on the side it says.
void expect_consistent(const Polytope& polytope) {
  for (const Polytope::Edge& edge : polytope.edges) {
    const Vec3& from = polytope.vertices[edge.from];
    for (const int f : {edge.left, edge.right}) {
      const Polytope::Face& face = polytope.faces[f];
      EXPECT_NEAR(face.normal.dot(from), face.offset, 1e-15);
      EXPECT_NEAR(face.normal.dot(edge.direction), 0, 1e-15);
      const double side = f == edge.left ? 1 : -1;
      for (const int corner : polytope.corners_of(f)) {
        const Vec3 inward = side * face.normal.cross(edge.direction);
        EXPECT_GE(inward.dot(polytope.vertices[corner] - from), -1e-15);
      }
    }
  }
}

TEST(Convex, ABoxHasTheFacesEdgesAndNeighboursOfACuboid) {
  const Convex box = make_convex(Box{{1, 2, 3}});
  ASSERT_TRUE(box.polytope);
  EXPECT_EQ(box.polytope->vertices.size(), 8U);
  EXPECT_EQ(box.polytope->edges.size(), 12U);
  ASSERT_EQ(box.polytope->faces.size(), 6U);
  for (int v = 0; v < 8; ++v) EXPECT_EQ(box.polytope->neighbours_of(v).size(), 3U);
  for (const Polytope::Face& face : box.polytope->faces) {
    EXPECT_DOUBLE_EQ(face.offset, face.normal.cwiseAbs().dot(Vec3(1, 2, 3)));
  }
  expect_consistent(*box.polytope);
  EXPECT_EQ(box.core, box.polytope);
}

TEST(Convex, ATriangleIsAPolytopeWithAFrontAndABack) {
  const Polytope triangle = make_polytope(make_triangle());
  ASSERT_EQ(triangle.faces.size(), 2U);
  EXPECT_EQ(triangle.faces[0].normal, -triangle.faces[1].normal);
  EXPECT_EQ(triangle.edges.size(), 3U);
  expect_consistent(triangle);
}

TEST(Convex, TheCoreOfARoundShapeIsThePointOrSegmentInsideIt) {
  const Convex sphere = make_convex(Sphere{2}), capsule = make_convex(Capsule{1, 4});
  EXPECT_FALSE(sphere.polytope);
  ASSERT_TRUE(sphere.core && capsule.core);
  EXPECT_EQ(sphere.core->vertices.size(), 1U);
  EXPECT_TRUE(sphere.core->neighbours_of(0).empty());
  ASSERT_EQ(capsule.core->edges.size(), 1U);
  EXPECT_EQ(capsule.core->vertices[capsule.core->edges[0].to], Vec3(0, 0, 2));
  EXPECT_EQ(capsule.radius, 3);
  EXPECT_FALSE(make_convex(Ellipsoid{{1, 2, 3}}).core);
}

}  // namespace
}  // namespace carom::geometry
