// Expected gaps are heights of corners, caps and rims, worked out from the shapes' positions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "carom/base/random.h"
#include "carom/geometry/regions/near_boxes.h"
#include "carom/geometry/shapes/convex_hull.h"
#include "carom/math/rotation.h"

namespace carom::geometry {
namespace {

using std::numbers::pi;
using ::testing::DoubleNear;
using ::testing::UnorderedElementsAre;

constexpr double kDegree = pi / 180;

struct Body {
  Convex convex;
  Pose X;
  Placed placed() const { return {convex, X}; }
};

Body make_body(const Shape& shape, const Vec3& p, const Quat& q = Quat::Identity()) {
  return {make_convex(shape), {p, q}};
}

Quat turn(const Vec3& axis, double angle) { return math::quat_exp(angle * axis.normalized()); }

// The upper half space is free: a box of 2 × 2 × 2 with its top at z = 0.
Body make_table() { return make_body(Box{Vec3(1, 1, 1)}, Vec3(0, 0, -1)); }

std::vector<NearPoint> find(const Body& a, const Body& b, double margin) {
  DistanceHint hint;
  const Distance distance = compute_distance(a.placed(), b.placed(), hint);
  std::vector<NearPoint> out;
  find_near_region(a.placed(), b.placed(), distance, {.margin = margin}, out);
  return out;
}

std::vector<NearPoint> find_boxes(const Body& a, const Body& b, double margin) {
  std::vector<NearPoint> out;
  EXPECT_TRUE(find_near_boxes(a.placed(), b.placed(), {.margin = margin}, out) || out.empty());
  return out;
}

// What holds for boxes holds for both ways.
class NearBoxes : public ::testing::TestWithParam<decltype(&find)> {};
INSTANTIATE_TEST_SUITE_P(Either, NearBoxes, ::testing::Values(&find, &find_boxes));

std::vector<double> gaps(const std::vector<NearPoint>& points) {
  std::vector<double> out;
  for (const NearPoint& point : points) out.push_back(point.at.gap);
  return out;
}

// So that its lowest corner is at the given height.
Body lifted(Body body, double height) {
  double lowest = HUGE_VAL;
  for (const Vec3& v : body.convex.polytope->vertices) lowest = std::min(lowest, (body.X * v).z());
  body.X.p.z() += height - lowest;
  return body;
}

std::vector<double> lower_corners(const Body& box, const Vec3& half) {
  std::vector<double> heights;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      heights.push_back((box.X * Vec3(x * half.x(), y * half.y(), -half.z())).z());
    }
  }
  return heights;
}

TEST_P(NearBoxes, OfABoxLeaningOverATableIsItsFourLowerCorners) {
  const Vec3 half(0.1, 0.15, 0.05);
  for (const double lean : {0.0, 0.1 * kDegree, 2 * kDegree, 5 * kDegree}) {
    for (const double height : {-0.002, 0.0, 1e-5, 0.005, 0.02}) {
      const Quat q = turn(Vec3(1, 0.4, 0), lean) * turn(Vec3::UnitZ(), 0.5);
      const Body box = lifted(make_body(Box{half}, Vec3(0.2, -0.1, 0), q), height);
      const auto found = GetParam()(box, make_table(), 0.06);
      ASSERT_EQ(found.size(), 4U) << lean << " " << height;
      const auto heights = lower_corners(box, half);
      EXPECT_THAT(gaps(found), UnorderedElementsAre(
                                   DoubleNear(heights[0], 1e-12), DoubleNear(heights[1], 1e-12),
                                   DoubleNear(heights[2], 1e-12), DoubleNear(heights[3], 1e-12)));
      for (const NearPoint& point : found) {
        EXPECT_LT((point.at.normal - Vec3::UnitZ()).norm(), 1e-12);
        EXPECT_NEAR(point.at.point.z(), point.at.gap / 2, 1e-12);
      }
    }
  }
}

TEST_P(NearBoxes, EndsAtTheMargin) {
  const Vec3 half(0.1, 0.1, 0.1);
  const Body box =
      lifted(make_body(Box{half}, Vec3::Zero(), turn(Vec3::UnitY(), 3 * kDegree)), 0.004);
  const double far = 0.004 + 0.2 * std::sin(3 * kDegree);  // of the raised edge
  EXPECT_THAT(gaps(GetParam()(box, make_table(), far - 1e-3)),
              UnorderedElementsAre(DoubleNear(0.004, 1e-12), DoubleNear(0.004, 1e-12)));
  EXPECT_EQ(GetParam()(box, make_table(), far + 1e-3).size(), 4U);
  EXPECT_TRUE(GetParam()(box, make_table(), 0.003).empty());
}

// Half over the edge of the table, at x = 1.
TEST_P(NearBoxes, OfABoxThatHangsOverEndsAtTheEdge) {
  const Body box = make_body(Box{Vec3(0.1, 0.1, 0.1)}, Vec3(1, 0.3, 0.103));
  const auto found = GetParam()(box, make_table(), 0.01);
  ASSERT_EQ(found.size(), 4U);
  int at_edge = 0;
  for (const NearPoint& point : found) {
    EXPECT_NEAR(point.at.gap, 0.003, 1e-12);
    EXPECT_NEAR(std::abs(point.at.point.y() - 0.3), 0.1, 1e-12);
    if (std::abs(point.at.point.x() - 1) < 1e-12) ++at_edge;
  }
  EXPECT_EQ(at_edge, 2);
}

// A plank rises by 1° from an edge just inside the table's left side, over its right side: there
// the gap is the rise over 1.9 m, along the normal.
TEST_P(NearBoxes, HoldsTheFarSideOfATableUnderARisingPlank) {
  const double rise = 1 * kDegree, margin = 0.05;
  const Quat q = turn(Vec3::UnitY(), -rise);
  const Body plank =
      make_body(Box{Vec3(5, 0.2, 0.1)}, Vec3(-0.9, 0, 0.001) + q * Vec3(5, 0, 0.1), q);
  const auto found = GetParam()(plank, make_table(), margin);
  ASSERT_EQ(found.size(), 4U);
  const double far = 0.001 + 1.9 * std::tan(rise);
  EXPECT_THAT(gaps(found), UnorderedElementsAre(DoubleNear(0.001, 1e-12), DoubleNear(0.001, 1e-12),
                                                DoubleNear(far, 1e-12), DoubleNear(far, 1e-12)));
}

TEST_P(NearBoxes, OfCrossedEdgesIsTheirCrossing) {
  const double half = 0.1, edge = half * std::sqrt(2.0);
  const Body low =
      make_body(Box{Vec3::Constant(half)}, Vec3(0, 0, -edge), turn(Vec3::UnitX(), pi / 4));
  const Body high = make_body(Box{Vec3::Constant(half)}, Vec3(0.03, 0.02, edge + 0.004),
                              turn(Vec3::UnitY(), pi / 4));
  const auto found = GetParam()(high, low, 0.008);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].at.gap, 0.004, 1e-12);
  EXPECT_LT((found[0].at.point - Vec3(0.03, 0, 0.002)).norm(), 1e-12);
}

TEST(NearRegion, OfALyingCapsuleIsBothItsEnds) {
  const double lean = 1 * kDegree, length = 0.4, radius = 0.05;
  const Quat q = turn(Vec3::UnitY(), pi / 2 + lean);
  const Body capsule = make_body(Capsule{radius, length},
                                 Vec3(0, 0, radius + length / 2 * std::sin(lean) + 0.001), q);
  EXPECT_THAT(gaps(find(capsule, make_table(), 0.02)),
              UnorderedElementsAre(DoubleNear(0.001, 1e-12),
                                   DoubleNear(0.001 + length * std::sin(lean), 1e-12)));
}

// The lowest point of the rim, and others between it and the margin.
TEST(NearRegion, OfAStandingCylinderHoldsTheLowestPointOfItsRim) {
  const double lean = 1.5 * kDegree, radius = 0.1, half = 0.2;
  const double low = half * std::cos(lean) + radius * std::sin(lean);
  for (const double height : {-0.001, 0.0005, 0.01}) {
    const Body cylinder = make_body(Cylinder{radius, 2 * half}, Vec3(0.1, 0.2, low + height),
                                    turn(Vec3(1, 2, 0), lean));
    const auto found = find(cylinder, make_table(), 0.02);
    ASSERT_GE(found.size(), 4U);
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const NearPoint& point : found) {
      least = std::min(least, point.at.gap);
      most = std::max(most, point.at.gap);
    }
    EXPECT_NEAR(least, height, 0.05 * (0.02 - height));
    EXPECT_GE(least, height - 1e-9);
    EXPECT_LE(most, height + 2 * radius * std::sin(lean) + 1e-9);
  }
}

TEST(NearRegion, OfABallIsOnePoint) {
  const Body ball = make_body(Sphere{0.1}, Vec3(0.3, 0.4, 0.11));
  const auto found = find(ball, make_table(), 0.02);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].at.gap, 0.01, 1e-15);
}

Vec3 random_vector(base::Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

Shape random_shape(base::Random& random) {
  const auto length = [&] { return random.uniform(0.5, 1.5); };
  switch (random.next() % 7) {
    case 0:
      return Sphere{length() / 2};
    case 1:
      return Box{0.5 * Vec3(length(), length(), length())};
    case 2:
      return Capsule{length() / 3, length()};
    case 3:
      return Cylinder{length() / 2, length()};
    case 4:
      return Cone{length() / 2, length()};
    case 5:
      return Ellipsoid{0.5 * Vec3(length(), length(), length())};
    default:
      break;
  }
  std::vector<Vec3> points;
  for (int i = 0; i < 20; ++i) points.push_back(random_vector(random, 0.6));
  return Hull{make_convex_hull(points).polyhedron};
}

// Signed distance of a point, by a ball of no size.
double beyond(const Body& body, const Vec3& p) {
  const Body point = make_body(Sphere{1e-9}, p);
  DistanceHint hint;
  return compute_distance(point.placed(), body.placed(), hint).value;
}

// Nowhere do gaps measured along the normal fall below the separation along it, and both ends of
// each gap are points of the shapes, or no farther outside than points count as one.
TEST(NearRegion, OfRandomShapesJoinsTheirSurfaces) {
  base::Random random(7);
  int overlapping = 0;
  for (int i = 0; i < 4000; ++i) {
    const Body a =
        make_body(random_shape(random), Vec3::Zero(), math::quat_exp(random_vector(random, 2)));
    const Vec3 away = random_vector(random, 1).normalized();
    Body b = make_body(random_shape(random), 3 * away, math::quat_exp(random_vector(random, 2)));
    DistanceHint hint;
    const Distance apart = compute_distance(a.placed(), b.placed(), hint);
    b.X.p += (apart.value - random.uniform(-0.02, 0.05)) * apart.normal;
    const Distance distance = compute_distance(a.placed(), b.placed(), hint);
    const double margin = std::max(0.0, distance.value) + random.uniform(0.001, 0.05);
    if (distance.value < 0) ++overlapping;
    const auto found = find(a, b, margin);
    ASSERT_FALSE(found.empty()) << i;
    double least = HUGE_VAL;
    for (const NearPoint& point : found) {
      least = std::min(least, point.at.gap);
      EXPECT_GE(point.at.gap, distance.value - 2e-4) << i;
      EXPECT_LE(point.at.gap, margin) << i;
      const Vec3 half = 0.5 * point.at.gap * point.at.normal;
      EXPECT_LE(beyond(a, point.at.point + half), 3e-4) << i;
      EXPECT_LE(beyond(b, point.at.point - half), 3e-4) << i;
    }
    EXPECT_LE(least, distance.value + 0.05 * (margin - distance.value) + 1e-12) << i;
  }
  EXPECT_GT(overlapping, 400);
}

double least_gap(const std::vector<NearPoint>& points) {
  double least = HUGE_VAL;
  for (const NearPoint& point : points) least = std::min(least, point.at.gap);
  return least;
}

// Two blocks of 2 × 2 × 2 side by side make a floor; a box slides from one to the other, 2 mm
// before the seam and 5 mm a step.
TEST(FindNearBoxes, DoesNotRunIntoTheSeamOfAFloor) {
  const Body next = make_body(Box{Vec3(1, 1, 1)}, Vec3(1, 0, -1));
  for (const double sunk : {-1e-5, 0.0, 1e-5}) {
    const Body box = make_body(Box{Vec3(0.1, 0.1, 0.1)}, Vec3(-0.102, 0.3, 0.1 - sunk));
    std::vector<NearPoint> found;
    const NearQuery query{.margin = 0.006, .approach = Vec3(0.005, 0, -1e-4)};
    ASSERT_TRUE(find_near_boxes(box.placed(), next.placed(), query, found));
    ASSERT_FALSE(found.empty());
    for (const NearPoint& point : found) {
      EXPECT_LT((point.at.normal - Vec3::UnitZ()).norm(), 1e-12);
      EXPECT_NEAR(point.at.gap, std::max(0.0, -sunk), 1e-12);  // over the block it would be -sunk
    }
  }
}

// A step of 5 mm is no seam.
TEST(FindNearBoxes, RunsIntoAStep) {
  const Body next = make_body(Box{Vec3(1, 1, 1)}, Vec3(1, 0, -1));
  const Body box = make_body(Box{Vec3(0.1, 0.1, 0.1)}, Vec3(-0.102, 0.3, 0.095));
  std::vector<NearPoint> found;
  const NearQuery query{.margin = 0.006, .approach = Vec3(0.005, 0, -1e-4)};
  ASSERT_TRUE(find_near_boxes(box.placed(), next.placed(), query, found));
  ASSERT_FALSE(found.empty());
  for (const NearPoint& point : found) {
    EXPECT_LT((point.at.normal + Vec3::UnitX()).norm(), 1e-12);
    EXPECT_NEAR(point.at.gap, 0.002, 1e-12);
  }
}

// The distance routine is the other way to the depth and to what is too far.
TEST(FindNearBoxes, AgreesWithTheDistanceOfRandomBoxes) {
  base::Random random(9);
  int near = 0, undecided = 0, overlapping = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto half = [&] {
      return Vec3(random.uniform(0.1, 0.5), random.uniform(0.1, 0.5), random.uniform(0.1, 0.5));
    };
    const double tumble = i % 2 == 0 ? 2 : 0.02;
    const Body a = make_body(Box{half()}, Vec3::Zero(), turn(random_vector(random, 1), tumble));
    Body b =
        make_body(Box{half()}, random_vector(random, 2), turn(random_vector(random, 1), tumble));
    DistanceHint hint;
    const Distance apart = compute_distance(a.placed(), b.placed(), hint);
    b.X.p += (apart.value - random.uniform(-0.02, 0.03)) * apart.normal;
    const double value = compute_distance(a.placed(), b.placed(), hint).value;
    const double margin = random.uniform(0.001, 0.03);
    std::vector<NearPoint> found;
    if (!find_near_boxes(a.placed(), b.placed(), {.margin = margin}, found)) {
      ++undecided;
      EXPECT_GT(value, 0) << i;
      continue;
    }
    if (value <= margin) {
      ++near;
      ASSERT_FALSE(found.empty()) << i;
    }
    if (value < 0) {
      ++overlapping;
      EXPECT_NEAR(least_gap(found), value, 0.1 * (margin - value)) << i;
    }
    for (const NearPoint& point : found) {
      EXPECT_LE(point.at.gap, margin);
      const Vec3 to_surface = 0.5 * point.at.gap * point.at.normal;
      EXPECT_LE(beyond(a, point.at.point + to_surface), 3e-4) << i;
      EXPECT_LE(beyond(b, point.at.point - to_surface), 3e-4) << i;
    }
  }
  EXPECT_GT(near, 8000);
  EXPECT_GT(overlapping, 4000);
  EXPECT_LT(undecided, 8000);
}

}  // namespace
}  // namespace carom::geometry
