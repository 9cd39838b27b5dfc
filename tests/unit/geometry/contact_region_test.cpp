// Expected regions are worked by hand from the shapes' positions, or clipped by an independent
// routine; distances are written down, not computed, so that a region does not depend on how its
// pair of shapes was found to touch.
#include "carom/geometry/regions/contact_region.h"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "carom/base/random.h"
#include "carom/geometry/shapes/convex_hull.h"
#include "carom/math/rotation.h"

namespace carom::geometry {
namespace {

using std::numbers::pi;

constexpr double kTolerance = 1e-10;

struct Body {
  Convex convex;
  Pose X;
};

Body make_body(const Shape& shape, const Vec3& p, const Quat& q = Quat::Identity()) {
  return {make_convex(shape), {p, q}};
}

Quat turn(const Vec3& axis, double angle) { return math::quat_exp(angle * axis.normalized()); }

struct Touching {
  Body a, b;
  Distance distance;
};

// b's top touches a's bottom at the given point, normal upward.
Touching make_touching(const Body& a, const Body& b, const Vec3& at,
                       const Vec3& normal = Vec3::UnitZ(), double value = 0) {
  Distance distance;
  distance.value = value;
  distance.normal = normal.normalized();
  distance.p_A = at + value / 2 * distance.normal;
  distance.p_B = at - value / 2 * distance.normal;
  return {a, b, distance};
}

Touching moved(const Touching& pair, const Pose& X) {
  Touching out = pair;
  out.a.X = X * pair.a.X;
  out.b.X = X * pair.b.X;
  out.distance.normal = X.q * pair.distance.normal;
  out.distance.p_A = X * pair.distance.p_A;
  out.distance.p_B = X * pair.distance.p_B;
  return out;
}

Touching swapped(const Touching& pair) {
  Touching out{pair.b, pair.a, pair.distance};
  out.distance.normal = -pair.distance.normal;
  std::swap(out.distance.p_A, out.distance.p_B);
  std::swap(out.distance.feature_a, out.distance.feature_b);
  return out;
}

struct Found {
  std::vector<RegionPoint> points;
  std::vector<ContactPoint> contacts;  // world, normal from b to a
};

Found find(const Touching& pair, double tolerance = kTolerance) {
  Found found;
  find_contact_region({pair.a.convex, pair.a.X}, {pair.b.convex, pair.b.X}, pair.distance,
                      tolerance, found.points);
  for (const RegionPoint& point : found.points) {
    if (std::holds_alternative<Nearest>(point.pair)) {
      found.contacts.push_back({0.5 * (pair.distance.p_A + pair.distance.p_B), pair.distance.normal,
                                pair.distance.value});
      continue;
    }
    ContactPoint contact = point.swapped ? contact_point(point.pair, pair.b.X, pair.a.X)
                                         : contact_point(point.pair, pair.a.X, pair.b.X);
    if (point.swapped) contact.normal = -contact.normal;
    found.contacts.push_back(contact);
  }
  return found;
}

// Each expected position is found once, with the expected normal.
void expect_points(const Found& found, std::vector<Vec3> expected, const Vec3& normal,
                   double tolerance = 1e-9) {
  EXPECT_EQ(found.contacts.size(), expected.size());
  for (const ContactPoint& contact : found.contacts) {
    const auto near = std::find_if(expected.begin(), expected.end(), [&](const Vec3& p) {
      return (p - contact.point).norm() <= tolerance;
    });
    if (near == expected.end()) {
      ADD_FAILURE() << "not expected: " << contact.point.transpose();
    } else {
      expected.erase(near);
    }
    EXPECT_LE((contact.normal - normal).norm(), tolerance) << contact.normal.transpose();
    EXPECT_LE(contact.gap, kTolerance);
  }
}

template <typename Pair>
int count(const Found& found) {
  return static_cast<int>(
      std::count_if(found.points.begin(), found.points.end(),
                    [](const auto& p) { return std::holds_alternative<Pair>(p.pair); }));
}

const Box kCube{Vec3(0.5, 0.5, 0.5)};
const Box kTable{Vec3(2, 2, 0.5)};  // its top is at 0 when placed at -0.5
const Body kFloor = make_body(Plane{Vec3::UnitZ(), 0}, Vec3::Zero());

Body table() { return make_body(kTable, Vec3(0, 0, -0.5)); }

TEST(ContactRegion, OfACubeOnATableHasItsFourCorners) {
  for (const Body& ground : {table(), kFloor}) {
    const auto found =
        find(make_touching(make_body(kCube, Vec3(0.2, 0.3, 0.5)), ground, Vec3(0.2, 0.3, 0)));
    expect_points(found, {{-0.3, -0.2, 0}, {0.7, -0.2, 0}, {0.7, 0.8, 0}, {-0.3, 0.8, 0}},
                  Vec3::UnitZ());
    EXPECT_EQ(count<PointPlane>(found), 4);
    for (const RegionPoint& point : found.points) EXPECT_FALSE(point.swapped);
  }
}

TEST(ContactRegion, OfAnOverhangingCubeIsTheRectangleInCommon) {
  const auto found =
      find(make_touching(make_body(kCube, Vec3(2.2, 0, 0.5)), table(), Vec3(1.9, 0, 0)));
  expect_points(found, {{1.7, -0.5, 0}, {1.7, 0.5, 0}, {2, -0.5, 0}, {2, 0.5, 0}}, Vec3::UnitZ());
}

TEST(ContactRegion, OfCubesTurnedAgainstEachOtherIsAnOctagon) {
  // |x| + |y| ≤ √½ cut from |x|, |y| ≤ ½ leaves corners at (½, √½ - ½) and its mirror images.
  const auto found =
      find(make_touching(make_body(kCube, Vec3(0, 0, 0.5), turn(Vec3::UnitZ(), pi / 4)),
                         make_body(kCube, Vec3(0, 0, -0.5)), Vec3::Zero()));
  const double c = std::sqrt(0.5) - 0.5;
  expect_points(found,
                {{0.5, c, 0},
                 {c, 0.5, 0},
                 {-c, 0.5, 0},
                 {-0.5, c, 0},
                 {-0.5, -c, 0},
                 {-c, -0.5, 0},
                 {c, -0.5, 0},
                 {0.5, -c, 0}},
                Vec3::UnitZ());
  std::set<std::int64_t> ids;
  for (const RegionPoint& point : found.points) ids.insert(point.id);
  EXPECT_EQ(ids.size(), 8U);
}

TEST(ContactRegion, OfEqualCubesStackedHasFourPoints) {
  const auto found = find(make_touching(make_body(kCube, Vec3(0, 0, 0.5)),
                                        make_body(kCube, Vec3(0, 0, -0.5)), Vec3::Zero()));
  expect_points(found, {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}},
                Vec3::UnitZ());
}

// A cube balancing on an edge: turned by 45° about y, its lowest edge runs along y.
Body on_edge(const Vec3& lowest, double yaw = 0) {
  return make_body(kCube, lowest + Vec3(0, 0, std::sqrt(0.5)),
                   turn(Vec3::UnitZ(), yaw) * turn(Vec3::UnitY(), pi / 4));
}

TEST(ContactRegion, OfACubeOnItsEdgeHasTwoPoints) {
  for (const Body& ground : {table(), kFloor}) {
    const auto found = find(make_touching(on_edge(Vec3::Zero()), ground, Vec3::Zero()));
    expect_points(found, {{0, -0.5, 0}, {0, 0.5, 0}}, Vec3::UnitZ());
  }
  const auto over = find(make_touching(on_edge(Vec3(0, 2.2, 0)), table(), Vec3(0, 1.9, 0)));
  expect_points(over, {{0, 1.7, 0}, {0, 2, 0}}, Vec3::UnitZ());
}

TEST(ContactRegion, OfACubeOnItsCornerHasOnePoint) {
  const Quat q = math::turn_between(Vec3(1, 1, 1), -Vec3::UnitZ());
  const Body cube = make_body(kCube, Vec3(0.1, 0.2, std::sqrt(0.75)), q);
  const auto found = find(make_touching(cube, table(), Vec3(0.1, 0.2, 0)));
  expect_points(found, {{0.1, 0.2, 0}}, Vec3::UnitZ());
  EXPECT_FALSE(found.points[0].swapped);
  const auto other = find(swapped(make_touching(cube, table(), Vec3(0.1, 0.2, 0))));
  expect_points(other, {{0.1, 0.2, 0}}, -Vec3::UnitZ());
  EXPECT_TRUE(other.points[0].swapped);
}

Body roof(double yaw = 0) {
  return make_body(kCube, Vec3(0, 0, -std::sqrt(0.5)),
                   turn(Vec3::UnitZ(), yaw) * turn(Vec3::UnitY(), pi / 4));
}

TEST(ContactRegion, OfCrossedEdgesIsOnePairOfEdges) {
  const auto found = find(make_touching(on_edge(Vec3::Zero(), 1), roof(), Vec3::Zero()));
  expect_points(found, {Vec3::Zero()}, Vec3::UnitZ());
  EXPECT_EQ(count<EdgeEdge>(found), 1);
}

TEST(ContactRegion, OfParallelEdgesIsTheirCommonSegment) {
  const auto found = find(make_touching(on_edge(Vec3(0, 0.3, 0)), roof(), Vec3::Zero()));
  expect_points(found, {{0, -0.2, 0}, {0, 0.5, 0}}, Vec3::UnitZ());
}

TEST(ContactRegion, OfACornerOnAnEdgeOrCornerHasOnePoint) {
  const Quat q = math::turn_between(Vec3(1, 1, 1), -Vec3::UnitZ());
  const Body standing = make_body(kCube, Vec3(0, 0, std::sqrt(0.75)), q);
  const auto on_roof = find(make_touching(standing, roof(), Vec3::Zero()));
  expect_points(on_roof, {Vec3::Zero()}, Vec3::UnitZ());
  EXPECT_FALSE(on_roof.points[0].swapped);
  const auto below = find(swapped(make_touching(standing, roof(), Vec3::Zero())));
  EXPECT_TRUE(below.points[0].swapped);
  const Body tip = make_body(kCube, Vec3(0, 0, -std::sqrt(0.75)),
                             math::turn_between(Vec3(1, 1, 1), Vec3::UnitZ()));
  expect_points(find(make_touching(standing, tip, Vec3::Zero())), {Vec3::Zero()}, Vec3::UnitZ());
}

TEST(ContactRegion, OfCornersGivenANormalThatDoesNotPartThemTakesOneThatDoes) {
  const Quat down = math::turn_between(Vec3(1, 1, 1), -Vec3::UnitZ());
  const Quat up = math::turn_between(Vec3(1, 1, 1), Vec3::UnitZ());
  Touching pair = make_touching(make_body(kCube, Vec3(0, 0, std::sqrt(0.75)), down),
                                make_body(kCube, Vec3(0, 0, -std::sqrt(0.75)), up), Vec3::Zero(),
                                Vec3(1, 0.3, 0.1));
  pair.distance.feature_a = pair.distance.feature_b = {FeatureKind::Vertex, 7};
  const auto found = find(pair);
  ASSERT_EQ(found.contacts.size(), 1U);
  const Vec3 n = found.contacts[0].normal;
  EXPECT_NEAR(found.contacts[0].gap, 0, 1e-15);
  for (int v = 0; v < 8; ++v) {  // both cubes keep to their side of the plane
    EXPECT_GE(n.dot(pair.a.X * pair.a.convex.polytope->vertices[v]), -1e-12);
    EXPECT_LE(n.dot(pair.b.X * pair.b.convex.polytope->vertices[v]), 1e-12);
  }
}

TEST(ContactRegion, OfATiltedFaceHasOnlyTheCornersThatTouch) {
  const double tilt = 1e-6;  // about y through the lower edge: the others are 1e-6 m up
  const Quat q = turn(-Vec3::UnitY(), tilt);
  const Body cube = make_body(kCube, q * Vec3(0.5, 0, 0.5), q);
  const auto pair = make_touching(cube, table(), Vec3(0, 0, 0));
  expect_points(find(pair), {{0, -0.5, 0}, {0, 0.5, 0}}, Vec3::UnitZ());
  EXPECT_EQ(find(pair, 1e-5).contacts.size(), 4U);
}

TEST(ContactRegion, HasTheSignOfTheGap) {
  for (const double gap : {-1e-11, 1e-11}) {
    const auto found = find(make_touching(make_body(kCube, Vec3(0, 0, 0.5 + gap)), table(),
                                          Vec3::Zero(), Vec3::UnitZ(), gap));
    ASSERT_EQ(found.contacts.size(), 4U);
    for (const ContactPoint& contact : found.contacts) EXPECT_NEAR(contact.gap, gap, 1e-15);
  }
}

TEST(ContactRegion, IsEmptyApart) {
  const auto found = find(make_touching(make_body(kCube, Vec3(0, 0, 0.6)), table(),
                                        Vec3(0, 0, 0.05), Vec3::UnitZ(), 0.1));
  EXPECT_TRUE(found.points.empty());
}

TEST(ContactRegion, OfBallsIsOnePoint) {
  const Body ball = make_body(Sphere{0.3}, Vec3(0, 0, 0.3));
  for (const Body& ground : {table(), kFloor}) {
    const auto found = find(make_touching(ball, ground, Vec3::Zero()));
    expect_points(found, {Vec3::Zero()}, Vec3::UnitZ());
    EXPECT_EQ(count<PointPlane>(found), 1);
  }
  const auto balls =
      find(make_touching(ball, make_body(Sphere{0.5}, Vec3(0, 0, -0.5)), Vec3::Zero()));
  expect_points(balls, {Vec3::Zero()}, Vec3::UnitZ());
  EXPECT_EQ(count<BallBall>(balls), 1);
  const auto on_ridge = find(make_touching(ball, roof(), Vec3::Zero()));
  expect_points(on_ridge, {Vec3::Zero()}, Vec3::UnitZ());
  EXPECT_EQ(count<BallEdge>(on_ridge), 1);
  const Body tip = make_body(kCube, Vec3(0, 0, -std::sqrt(0.75)),
                             math::turn_between(Vec3(1, 1, 1), Vec3::UnitZ()));
  const auto on_tip = find(make_touching(ball, tip, Vec3::Zero()));
  expect_points(on_tip, {Vec3::Zero()}, Vec3::UnitZ());
  EXPECT_EQ(count<BallBall>(on_tip), 1);
}

const Quat kLying = turn(Vec3::UnitX(), pi / 2);  // z becomes -y

TEST(ContactRegion, OfALyingCapsuleIsASegment) {
  const Capsule capsule{0.2, 1};
  for (const Body& ground : {table(), kFloor}) {
    const auto found =
        find(make_touching(make_body(capsule, Vec3(0, 0, 0.2), kLying), ground, Vec3::Zero()));
    expect_points(found, {{0, -0.5, 0}, {0, 0.5, 0}}, Vec3::UnitZ());
    EXPECT_EQ(count<PointPlane>(found), 2);
  }
  const auto over =
      find(make_touching(make_body(capsule, Vec3(0, 1.8, 0.2), kLying), table(), Vec3(0, 1.7, 0)));
  expect_points(over, {{0, 1.3, 0}, {0, 2, 0}}, Vec3::UnitZ());
  const auto standing =
      find(make_touching(make_body(capsule, Vec3(0, 0, 0.7)), table(), Vec3::Zero()));
  expect_points(standing, {Vec3::Zero()}, Vec3::UnitZ());
}

TEST(ContactRegion, OfParallelRoundBarsIsASegment) {
  for (const Shape& upper : {Shape(Capsule{0.2, 1}), Shape(Cylinder{0.2, 1})}) {
    for (const Shape& lower : {Shape(Capsule{0.3, 1}), Shape(Cylinder{0.3, 1})}) {
      const Body a = make_body(upper, Vec3(0, 0.4, 0.2), kLying);
      const auto found =
          find(make_touching(a, make_body(lower, Vec3(0, 0, -0.3), kLying), Vec3::Zero()));
      expect_points(found, {{0, -0.1, 0}, {0, 0.5, 0}}, Vec3::UnitZ());
      EXPECT_EQ(count<BallBall>(found), 2);
      const Quat across = turn(Vec3::UnitZ(), 1) * kLying;
      const auto crossed =
          find(make_touching(a, make_body(lower, Vec3(0, 0, -0.3), across), Vec3::Zero()));
      expect_points(crossed, {Vec3::Zero()}, Vec3::UnitZ());
      EXPECT_EQ(count<EdgeEdge>(crossed), 1);
    }
  }
}

TEST(ContactRegion, OfARoundBarAcrossAnEdgeOrUnderABallIsOnePoint) {
  const Quat across = turn(Vec3::UnitZ(), 1) * kLying;
  for (const Shape& shape : {Shape(Capsule{0.2, 1}), Shape(Cylinder{0.2, 1})}) {
    const auto found =
        find(make_touching(make_body(shape, Vec3(0, 0, 0.2), across), roof(), Vec3::Zero()));
    expect_points(found, {Vec3::Zero()}, Vec3::UnitZ());
    EXPECT_EQ(count<EdgeEdge>(found), 1);
    const Body bar = make_body(shape, Vec3(0, 0.1, -0.2), kLying);
    const auto under =
        find(make_touching(make_body(Sphere{0.3}, Vec3(0, 0, 0.3)), bar, Vec3::Zero()));
    expect_points(under, {Vec3::Zero()}, Vec3::UnitZ());
    EXPECT_EQ(count<BallEdge>(under), 1);
  }
  const Quat slanting = turn(Vec3::UnitY(), 0.5);
  const Body capsule =
      make_body(Capsule{0.2, 1}, Vec3(0, 0, 0.2) + slanting * Vec3(0, 0, 0.5), slanting);
  const auto on_end = find(make_touching(capsule, roof(), Vec3::Zero()));
  expect_points(on_end, {Vec3::Zero()}, Vec3::UnitZ());
  EXPECT_EQ(count<BallEdge>(on_end), 1);
}

// The table's border is at y = 2: there the bar's side crosses it, whether it lies on the table or
// has begun to tip over, if only by as little as the tolerance allows a face.
TEST(ContactRegion, OfARoundBarOverABorderIsACrossing) {
  for (const Shape& shape : {Shape(Capsule{0.2, 1}), Shape(Cylinder{0.2, 1})}) {
    const Body lying = make_body(shape, Vec3(0, 2.1, 0.2), kLying);
    const auto flat = find(make_touching(lying, table(), Vec3(0, 1.9, 0)));
    expect_points(flat, {{0, 1.6, 0}, {0, 2, 0}}, Vec3::UnitZ());
    EXPECT_EQ(count<EdgeEdge>(flat), 1);
    for (const double tilt : {1e-9, 1e-7, 1e-3}) {
      const Quat q = turn(Vec3::UnitX(), -tilt);
      const Vec3 border(0, 2, 0);
      const Body tipping = make_body(shape, border + q * (lying.X.p - border), q * kLying);
      const auto tipped = find(make_touching(tipping, table(), border, q * Vec3::UnitZ()));
      expect_points(tipped, {border}, q * Vec3::UnitZ(), 1e-15);
      EXPECT_EQ(count<EdgeEdge>(tipped), 1);
    }
  }
}

TEST(ContactRegion, OfACapsuleAlongAnEdgeIsASegment) {
  const auto found = find(
      make_touching(make_body(Capsule{0.2, 1}, Vec3(0, 0.3, 0.2), kLying), roof(), Vec3::Zero()));
  expect_points(found, {{0, -0.2, 0}, {0, 0.5, 0}}, Vec3::UnitZ());
}

TEST(ContactRegion, OfALyingCylinderIsASegmentOnItsRims) {
  for (const Body& ground : {table(), kFloor}) {
    const auto found = find(
        make_touching(make_body(Cylinder{0.2, 1}, Vec3(0, 0, 0.2), kLying), ground, Vec3::Zero()));
    expect_points(found, {{0, -0.5, 0}, {0, 0.5, 0}}, Vec3::UnitZ());
    EXPECT_EQ(count<RimPlane>(found), 2);
  }
}

TEST(ContactRegion, OfALyingConeIsFromRimToApex) {
  const Cone cone{0.3, 0.4};  // slant 0.5: lying, its axis rises to the base
  const double slant = 0.5, lift = std::atan2(0.3, 0.4);
  const Quat q = turn(Vec3::UnitY(), pi / 2 + lift);  // apex forward and down
  const Vec3 apex_from_center = q * Vec3(0, 0, 0.2);
  const Body body = make_body(cone, -apex_from_center, q);
  for (const Body& ground : {table(), kFloor}) {
    const auto found = find(make_touching(body, ground, Vec3(-0.1, 0, 0)));
    expect_points(found, {{0, 0, 0}, {-slant, 0, 0}}, Vec3::UnitZ());
    EXPECT_EQ(count<RimPlane>(found), 1);
    EXPECT_EQ(count<PointPlane>(found), 1);
  }
}

TEST(ContactRegion, OfAStandingCylinderCarriesItsMoments) {
  for (const Shape& shape : {Shape(Cylinder{0.4, 1}), Shape(Cone{0.4, 1})}) {
    for (const Body& ground : {table(), kFloor}) {
      const auto found =
          find(make_touching(make_body(shape, Vec3(0, 0, 0.5)), ground, Vec3::Zero()));
      std::vector<Vec3> rim;
      for (int i = 0; i < 8; ++i) {
        rim.emplace_back(0.4 * std::cos(i * pi / 4), 0.4 * std::sin(i * pi / 4), 0);
      }
      expect_points(found, rim, Vec3::UnitZ());
      EXPECT_EQ(count<PointPlane>(found), 8);
    }
  }
}

TEST(ContactRegion, OfADiscExactlyAtTheToleranceIsStillWhole) {
  const Quat q = turn(Vec3(1, 2, 3), 1);
  const auto pair = moved(make_touching(make_body(Cone{0.4, 1}, Vec3(0, 0, 0.5 + 1e-7)), kFloor,
                                        Vec3::Zero(), Vec3::UnitZ(), 1e-7),
                          {Vec3(0.1, 0.2, 0.3), q});
  const auto found = find(pair, pair.distance.value);
  EXPECT_EQ(found.contacts.size(), 8U);
  for (const ContactPoint& contact : found.contacts) EXPECT_NEAR(contact.gap, 1e-7, 1e-15);
}

TEST(ContactRegion, OfAnOverhangingDiscEndsWhereTheRimLeavesTheTable) {
  const auto found =
      find(make_touching(make_body(Cylinder{0.5, 1}, Vec3(2.3, 0, 0.5)), table(), Vec3(1.9, 0, 0)));
  const double c = 0.5 * std::sqrt(0.5);  // samples at ±135° and 180° are over the table
  expect_points(found, {{1.8, 0, 0}, {2.3 - c, c, 0}, {2.3 - c, -c, 0}, {2, 0.4, 0}, {2, -0.4, 0}},
                Vec3::UnitZ());
}

TEST(ContactRegion, OfACornerUnderADiscOutsideItsSamplesIsFound) {
  // The cube's corner reaches 0.02 into the disc between two samples, beyond the chord.
  const Vec3 outward(std::cos(pi / 8), std::sin(pi / 8), 0);
  const Body disc = make_body(Cylinder{1, 0.2}, Vec3(0, 0, 0.1));
  const Vec3 corner = 0.98 * outward;
  const Quat q = turn(Vec3::UnitZ(), pi / 8 + pi / 4);
  const Body cube = make_body(kCube, corner + std::sqrt(0.5) * outward - Vec3(0, 0, 0.5), q);
  const auto found = find(make_touching(disc, cube, corner + 0.001 * outward));
  EXPECT_EQ(found.contacts.size(), 3U);
  for (const ContactPoint& contact : found.contacts) {
    EXPECT_GE(contact.point.dot(outward), 0.98 - 1e-9);
    EXPECT_LE(contact.point.norm(), 1 + 1e-9);
  }
}

TEST(ContactRegion, OfTwoDiscsIsBoundedByTheSmallerOrByBoth) {
  const Body upper = make_body(Cylinder{0.5, 1}, Vec3(0, 0, 0.5));
  const auto inside =
      find(make_touching(upper, make_body(Cylinder{1, 1}, Vec3(0.2, 0, -0.5)), Vec3::Zero()));
  EXPECT_EQ(inside.contacts.size(), 8U);
  for (const ContactPoint& contact : inside.contacts) EXPECT_NEAR(contact.point.norm(), 0.5, 1e-12);
  const auto equal =
      find(make_touching(upper, make_body(Cylinder{0.5, 1}, Vec3(0, 0, -0.5)), Vec3::Zero()));
  EXPECT_EQ(equal.contacts.size(), 8U);
  const auto lens =
      find(make_touching(upper, make_body(Cylinder{0.5, 1}, Vec3(0.6, 0, -0.5)), Vec3(0.3, 0, 0)));
  // Ends (0.3, ±0.4) by Pythagoras; of each disc's samples those at 0 and ±45° towards the other.
  const double c = 0.5 * std::sqrt(0.5);
  expect_points(lens,
                {{0.3, 0.4, 0},
                 {0.3, -0.4, 0},
                 {0.5, 0, 0},
                 {0.1, 0, 0},
                 {c, c, 0},
                 {c, -c, 0},
                 {0.6 - c, c, 0},
                 {0.6 - c, -c, 0}},
                Vec3::UnitZ());
}

TEST(ContactRegion, OfATiltedCylinderIsOneRimPoint) {
  const double tilt = 0.3;
  const Quat q = turn(Vec3::UnitY(), tilt);  // lowest at the rim's +x side
  const Vec3 lowest = q * Vec3(0.4, 0, -0.5);
  const Body body = make_body(Cylinder{0.4, 1}, -lowest, q);
  for (const Body& ground : {table(), kFloor}) {
    const auto found = find(make_touching(body, ground, Vec3::Zero()));
    expect_points(found, {Vec3::Zero()}, Vec3::UnitZ());
    EXPECT_EQ(count<RimPlane>(found), 1);
  }
}

TEST(ContactRegion, OfAnEllipsoidIsOnePoint) {
  const Body body = make_body(Ellipsoid{Vec3(1, 2, 3)}, Vec3(0, 0, 3));
  for (const Body& ground : {table(), kFloor}) {
    const auto found = find(make_touching(body, ground, Vec3::Zero()));
    expect_points(found, {Vec3::Zero()}, Vec3::UnitZ());
    EXPECT_EQ(count<EllipsoidPlane>(found), 1);
  }
  EXPECT_EQ(count<Nearest>(find(make_touching(body, roof(), Vec3::Zero()))), 1);
}

TEST(ContactRegion, SnapsAnInexactNormalToTheFacesOrLinesThatTouch) {
  const Vec3 off = Vec3(1e-5, -2e-5, 1);
  EXPECT_EQ(find(make_touching(make_body(kCube, Vec3(0, 0, 0.5)), table(), Vec3::Zero(), off))
                .contacts.size(),
            4U);
  EXPECT_EQ(
      find(make_touching(make_body(Cylinder{0.4, 1}, Vec3(0, 0, 0.5)), table(), Vec3::Zero(), off))
          .contacts.size(),
      8U);
  EXPECT_EQ(
      find(make_touching(on_edge(Vec3(0, 0.3, 0)), roof(), Vec3::Zero(), off)).contacts.size(), 2U);
  const Body upper = make_body(Cylinder{0.2, 1}, Vec3(0, 0, 0.2), kLying);
  const Body lower = make_body(Cylinder{0.3, 1}, Vec3(0, 0, -0.3), kLying);
  EXPECT_EQ(find(make_touching(upper, lower, Vec3::Zero(), Vec3(0, 1e-7, 1))).contacts.size(), 2U);
}

TEST(ContactRegion, OfAnEdgeAcrossANarrowFaceHasTwoIds) {
  // The face is as narrow as the edge's body is long, and two of its corners lie on the edge.
  const Body beam = make_body(Box{Vec3(5, 0.1, 0.1)}, Vec3(0, 0.1, 0.1 + 0.5));
  const Body post = make_body(Box{Vec3(0.01, 0.1, 0.5)}, Vec3(0, -0.1, 0));
  const auto found = find(make_touching(beam, post, Vec3(0, 0, 0.5)));
  expect_points(found, {{-0.01, 0, 0.5}, {0.01, 0, 0.5}}, Vec3::UnitZ());
  EXPECT_NE(found.points[0].id, found.points[1].id);
}

TEST(ContactRegion, OfALargeEllipsoidOnALeaningSmallFaceIsItsNearestPoint) {
  // Along the normal the face's corners are all within the tolerance, but the ellipsoid would sink
  // into the face's plane by 100 (1 - cos 1e-4) = 5e-7 m.
  const Quat lean = turn(Vec3::UnitX(), 1e-4);
  const Vec3 corner = lean * Vec3(0, 1e-5, 0);
  const Body small =
      make_body(Box{Vec3(1e-5, 1e-5, 1e-5)}, -corner - lean * Vec3(0, 0, 1e-5), lean);
  const Body large = make_body(Ellipsoid{Vec3(100, 90, 100)}, Vec3(0, 0, 100));
  const auto found = find(make_touching(large, small, Vec3::Zero()), 1e-8);
  EXPECT_EQ(count<Nearest>(found), 1);
}

TEST(ContactRegion, OfADiscLeaningOverACornerIsNotAtTheRimsLowestPoint) {
  // The disc leans by 1e-6 about x, so that its rim is lowest at -y; the cube's top, which reaches
  // under it at +x alone, is touched elsewhere.
  const double lean = 1e-6, radius = 0.3;
  const Quat q = turn(Vec3::UnitX(), lean);
  const Body disc = make_body(Cylinder{radius, 0.2}, q * Vec3(0, 0, 0.1), q);
  const Body cube = make_body(kCube, Vec3(0.7, 0.5, -0.5));  // corner at (0.2, 0)
  Touching pair = make_touching(disc, cube, Vec3(0.25, 0, 0));
  const auto found = find(pair, 1e-8);
  ASSERT_FALSE(found.points.empty());
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    EXPECT_FALSE(std::holds_alternative<RimPlane>(found.points[i].pair));
    EXPECT_GE(found.contacts[i].point.x(), 0.2 - 1e-6);
    EXPECT_GE(found.contacts[i].point.y(), -1e-6);
  }
}

// Sutherland and Hodgman's clipping, and an area: the independent overlap of two convex polygons.
using Polygon = std::vector<Eigen::Vector2d>;

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

Polygon clip(Polygon subject, const Polygon& clipper) {
  for (std::size_t i = 0; i < clipper.size(); ++i) {
    const Eigen::Vector2d from = clipper[i], along = clipper[(i + 1) % clipper.size()] - from;
    Polygon kept;
    for (std::size_t k = 0; k < subject.size(); ++k) {
      const Eigen::Vector2d p = subject[k], q = subject[(k + 1) % subject.size()];
      const double inside_p = cross(along, p - from), inside_q = cross(along, q - from);
      if (inside_p >= 0) kept.push_back(p);
      if ((inside_p < 0) != (inside_q < 0)) {
        kept.push_back(p + inside_p / (inside_p - inside_q) * (q - p));
      }
    }
    subject = kept;
  }
  return subject;
}

double area(const Polygon& polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    sum += cross(polygon[i], polygon[(i + 1) % polygon.size()]) / 2;
  }
  return sum;
}

Polygon random_polygon(base::Random& random) {
  std::vector<double> angles(3 + random.next() % 6);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    angles[i] = 2 * pi * (static_cast<double>(i) + 0.8 * random.uniform()) /
                static_cast<double>(angles.size());
  }
  Polygon polygon;
  const double wide = random.uniform(0.2, 1), high = random.uniform(0.2, 1);
  for (const double angle : angles)
    polygon.emplace_back(wide * std::cos(angle), high * std::sin(angle));
  return polygon;
}

Body make_prism(const Polygon& base, double from, double to) {
  std::vector<Vec3> points;
  for (const double z : {from, to}) {
    for (const Eigen::Vector2d& p : base) points.emplace_back(p.x(), p.y(), z);
  }
  return make_body(Hull{make_convex_hull(points).polyhedron}, Vec3::Zero());
}

Polygon around_middle(Polygon points) {
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (const auto& p : points) middle += p / static_cast<double>(points.size());
  std::sort(points.begin(), points.end(), [&](const auto& p, const auto& q) {
    return std::atan2((p - middle).y(), (p - middle).x()) <
           std::atan2((q - middle).y(), (q - middle).x());
  });
  return points;
}

struct Prisms {
  Polygon overlap;
  Touching pair;
};

Prisms random_prisms(base::Random& random) {
  for (;;) {
    const Polygon upper = random_polygon(random);
    Polygon lower = random_polygon(random);
    const Eigen::Vector2d shift(random.uniform(-1, 1), random.uniform(-1, 1));
    for (auto& p : lower) p += shift;
    const Polygon overlap = clip(upper, lower);
    if (overlap.size() < 3 || area(overlap) < 1e-6) continue;
    const Vec3 at(overlap[0].x(), overlap[0].y(), 0);
    return {overlap, make_touching(make_prism(upper, 0, 0.5), make_prism(lower, -0.5, 0), at)};
  }
}

TEST(ContactRegion, OfRandomPrismsHasTheCornersOfTheirOverlap) {
  base::Random random(1989);
  for (int trial = 0; trial < 500; ++trial) {
    const Prisms prisms = random_prisms(random);
    const Found found = find(prisms.pair);
    Polygon points;
    for (const ContactPoint& contact : found.contacts)
      points.emplace_back(contact.point.x(), contact.point.y());
    EXPECT_NEAR(area(around_middle(points)), area(prisms.overlap), 1e-8) << trial;
    for (const auto& p : points) {
      const auto distance = [&](const Eigen::Vector2d& q) { return (p - q).norm(); };
      double nearest = HUGE_VAL;
      for (const auto& q : prisms.overlap) nearest = std::min(nearest, distance(q));
      EXPECT_LE(nearest, 1e-8) << trial;
    }
  }
}

// Positions in the frame of the pair, sorted.
std::vector<Vec3> positions(const Found& found, const Pose& X) {
  std::vector<Vec3> out;
  for (const ContactPoint& contact : found.contacts) out.push_back(X.inverse() * contact.point);
  return out;
}

void expect_same_points(std::vector<Vec3> found, const std::vector<Vec3>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const Vec3& p : expected) {
    const auto near = std::find_if(found.begin(), found.end(),
                                   [&](const Vec3& q) { return (p - q).norm() < 1e-8; });
    EXPECT_NE(near, found.end()) << p.transpose();
  }
}

std::vector<Touching> assorted() {
  const Body bar = make_body(Cylinder{0.2, 1}, Vec3(0, 0.4, 0.2), kLying);
  std::vector<Touching> pairs = {
      make_touching(make_body(kCube, Vec3(1.8, 1.7, 0.5)), table(), Vec3(1.9, 1.9, 0)),
      make_touching(on_edge(Vec3(0, 0.3, 0)), roof(), Vec3::Zero()),
      make_touching(on_edge(Vec3::Zero(), 1), roof(), Vec3::Zero()),
      make_touching(on_edge(Vec3(0, 2.2, 0)), table(), Vec3(0, 1.9, 0)),
      make_touching(bar, table(), Vec3::Zero()),
      make_touching(bar, make_body(Capsule{0.3, 1}, Vec3(0, 0, -0.3), kLying), Vec3::Zero()),
      make_touching(make_body(Cylinder{0.5, 1}, Vec3(2.3, 0, 0.5)), table(), Vec3(1.9, 0, 0)),
      make_touching(make_body(Cone{0.5, 1}, Vec3(0, 0, 0.5)), kFloor, Vec3::Zero()),
      make_touching(make_body(Sphere{0.5}, Vec3(0, 0, 0.5)), table(), Vec3::Zero()),
      make_touching(make_body(Sphere{0.5}, Vec3(0, 0, 0.5)), roof(), Vec3::Zero()),
      make_touching(make_body(Capsule{0.2, 1}, Vec3(0, 0, 0.2), turn(Vec3::UnitZ(), 1) * kLying),
                    make_body(Capsule{0.3, 1}, Vec3(0, 0, -0.3), kLying), Vec3::Zero())};
  base::Random random(4);
  for (int i = 0; i < 50; ++i) pairs.push_back(random_prisms(random).pair);
  return pairs;
}

TEST(ContactRegion, IsTheSameAfterARigidMotion) {
  base::Random random(5);
  const auto vector = [&](double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size));
  };
  for (const Touching& pair : assorted()) {
    const Found before = find(pair);
    const Pose X{vector(10), math::quat_exp(vector(3))};
    const Found after = find(moved(pair, X));
    expect_same_points(positions(after, X), positions(before, Pose{}));
    ASSERT_EQ(after.points.size(), before.points.size());
    for (std::size_t i = 0; i < after.points.size(); ++i) {
      EXPECT_EQ(after.points[i].id, before.points[i].id);
    }
  }
}

TEST(ContactRegion, IsTheSameForTheShapesSwapped) {
  for (const Touching& pair : assorted()) {
    const Found before = find(pair), after = find(swapped(pair));
    expect_same_points(positions(after, Pose{}), positions(before, Pose{}));
  }
}

TEST(ContactRegion, KeepsItsIdsUnderSmallMotion) {
  base::Random random(6);
  for (const Touching& pair : assorted()) {
    const Found before = find(pair);
    Touching nudged = pair;
    const Vec3 slide(1e-12 * random.uniform(-1, 1), 1e-12 * random.uniform(-1, 1), 0);
    nudged.a.X.p += slide;
    nudged.a.X.q = turn(Vec3::UnitZ(), 1e-12 * random.uniform(-1, 1)) * nudged.a.X.q;
    const Found after = find(nudged);
    ASSERT_EQ(after.points.size(), before.points.size());
    for (std::size_t i = 0; i < after.points.size(); ++i) {
      EXPECT_EQ(after.points[i].id, before.points[i].id);
      EXPECT_LE((after.contacts[i].point - before.contacts[i].point).norm(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace carom::geometry
