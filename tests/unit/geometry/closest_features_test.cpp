#include "carom/geometry/distance/closest_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/random.h"
#include "carom/geometry/shapes/convex_hull.h"

namespace carom::geometry {
namespace {

Convex make_ball_hull(int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1) / static_cast<double>(count), r = std::sqrt(1 - z * z);
    const double angle = i * M_PI * (3 - std::sqrt(5.0));
    points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  return make_convex(Hull{make_convex_hull(points).polyhedron});
}

ClosestFeatures walk(const Convex& a, const Convex& b, const Pose& X_AB, const Feature& start_a,
                     const Feature& start_b) {
  return find_closest_features({*a.core, *b.core, X_AB, std::max(a.radius, b.radius)}, start_a,
                               start_b, Vec3::Zero());
}

TEST(ClosestFeatures, OfBoxesAreReachedFromEveryPairOfFeatures) {
  const Convex box = make_convex(Box{{1, 1, 1}});
  const Pose X_AB{{3, 3, 3}, Quat::Identity()};  // vertex to vertex
  const int counts[] = {8, 12, 6};
  for (int kind_a = 0; kind_a < 3; ++kind_a) {
    for (int kind_b = 0; kind_b < 3; ++kind_b) {
      for (int i = 0; i < counts[kind_a]; ++i) {
        for (int j = 0; j < counts[kind_b]; ++j) {
          const ClosestFeatures found = walk(box, box, X_AB, {static_cast<FeatureKind>(kind_a), i},
                                             {static_cast<FeatureKind>(kind_b), j});
          // From behind a face there is no way on; the caller then has another routine.
          if (!found.found) continue;
          EXPECT_NEAR(found.best.separation, std::sqrt(3.0), 1e-15);
          EXPECT_EQ(found.best.feature_a.kind, FeatureKind::Vertex);
          EXPECT_EQ(found.best.feature_b.kind, FeatureKind::Vertex);
        }
      }
    }
  }
  EXPECT_TRUE(walk(box, box, X_AB, {}, {}).found);
}

// Against all pairs of a vertex and a face plane, which is exact where the faces' normals point at
// each other.
TEST(ClosestFeatures, OfParallelFacesLieOnThem) {
  const Convex box = make_convex(Box{{1, 1, 1}});
  const ClosestFeatures found = walk(box, box, {{0.3, 0.2, 2.5}, Quat::Identity()}, {}, {});
  ASSERT_TRUE(found.found);
  EXPECT_NEAR(found.best.separation, 0.5, 1e-15);
  EXPECT_NEAR(found.best.n.z(), -1, 1e-15);
}

TEST(ClosestFeatures, DeepOverlapIsLeftToOthers) {
  const Convex box = make_convex(Box{{1, 1, 1}});
  EXPECT_FALSE(walk(box, box, {{0.3, 0.2, 1.5}, Quat::Identity()}, {}, {}).found);
}

// The claim of a constant cost, counted in steps: a body that turns by a hundredth of a radian at a
// time.
TEST(ClosestFeatures, ACoherentQueryTakesFewStepsWhateverTheNumberOfFaces) {
  for (const int vertices : {12, 83, 2502}) {
    const Convex hull = make_ball_hull(vertices);
    Feature a, b;
    int steps = 0;
    constexpr int kQueries = 500;
    for (int i = 0; i < kQueries; ++i) {
      const double t = 0.01 * i;
      const Pose X_AB{2.2 * Vec3(std::cos(t), std::sin(t), 0.2 * std::sin(2 * t)),
                      Quat(std::cos(0.35 * t), 0, std::sin(0.35 * t), 0)};
      const ClosestFeatures found = walk(hull, hull, X_AB, a, b);
      ASSERT_TRUE(found.found);
      a = found.best.feature_a;
      b = found.best.feature_b;
      if (i > 0) steps += found.steps;
    }
    EXPECT_LT(steps, 3 * kQueries) << vertices << " vertices";
  }
}

}  // namespace
}  // namespace carom::geometry
