#include "carom/audit/penetration.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/base/random.h"
#include "support/meshes.h"
#include "unit/audit/small_scenes.h"

namespace carom::audit {
namespace {

using geometry::Box;
using geometry::Sphere;

Scene make_ball_over_ground(double height) {
  Scene scene = make_scene();
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{0.5}), {.x = Vec3(0, 0, height)});
  return scene;
}

TEST(Penetration, OfABallThroughTheFloorIsItsDepthAtTheEnd) {
  const Scene scene = make_ball_over_ground(1);
  const auto result =
      audit_stretch(scene, 0.5, {make_motion(Vec3::Zero()), make_motion({0, 0, 1}, {0, 0, -2})});
  EXPECT_NEAR(result.max_penetration, 0.5, 1e-12);  // the centre ends on the floor
}

TEST(Penetration, IsZeroForABallThatStopsAtTheFloor) {
  const Scene scene = make_ball_over_ground(1);
  const auto result =
      audit_stretch(scene, 0.5, {make_motion(Vec3::Zero()), make_motion({0, 0, 1}, {0, 0, -1})});
  EXPECT_LE(result.max_penetration, 1e-15);
}

// The centre dips to 0.5 - sunk at s = 1/3 and is clear of the floor at both ends of the segment.
TEST(Penetration, IsFoundInsideASegmentWhoseEndsAreClear) {
  for (const double sunk : {1e-7, 1e-4, 0.2}) {
    const double a = 8, dip = 1.0 / 3;
    const double top = 0.5 - sunk + a * dip * dip / 2;
    const Scene scene = make_ball_over_ground(top);
    const auto result = audit_stretch(
        scene, 0.8,
        {make_motion(Vec3::Zero()), make_motion({0, 0, top}, {0, 0, -a * dip}, {0, 0, a})});
    EXPECT_NEAR(result.max_penetration, sunk, 1e-12);
  }
}

// The same floor, of triangles: seams between them change nothing.
TEST(Penetration, ThroughAMeshIsThatThroughTheFloor) {
  Scene scene = make_scene();
  const auto flat = support::make_sheet(6, [](int, int) { return 0; });
  add(scene, make_fixed(geometry::Mesh{support::make_mesh(flat)}), {});
  add(scene, make_dynamic(Sphere{0.5}), {.x = Vec3(3, 3, 1)});
  const auto sunk = [&](const Vec3& x0, const Vec3& v0) {
    return audit_stretch(scene, 0.5, {make_motion(Vec3::Zero()), make_motion(x0, v0)})
        .max_penetration;
  };
  EXPECT_NEAR(sunk({3, 3, 1}, {0, 0, -1.2}), 0.1, 1e-11);
  EXPECT_NEAR(sunk({2.2, 3.4, 1}, {1, 1, -1.2}), 0.1, 1e-11);
  EXPECT_LE(sunk({2.2, 3.4, 1}, {1, 1, -1}), 1e-11);
  EXPECT_LE(sunk({-1, 3, 1}, {0, 0, -9}), 0);  // past the edge
}

TEST(Penetration, IsFoundWhenFastBallsPassThroughEachOther) {
  Scene scene = make_scene();
  add(scene, make_dynamic(Sphere{0.5}), {.x = Vec3(-10, 0, 0)});
  add(scene, make_dynamic(Sphere{0.5}), {.x = Vec3(10, 0.3, 0)});
  const auto result = audit_stretch(
      scene, 1, {make_motion({-10, 0, 0}, {20, 0, 0}), make_motion({10, 0.3, 0}, {-20, 0, 0})});
  EXPECT_NEAR(result.max_penetration, 0.7, 1e-9);  // they pass at distance 0.3, half way
}

// A rod of half length 2 turns once about y, 1.5 above the floor: its ends sweep below it.
TEST(Penetration, IsFoundWhenACornerSweepsThroughTheFloor) {
  Scene scene = make_scene();
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Box{Vec3(2, 0.1, 0.1)}), {.x = Vec3(0, 0, 1.5)});
  const auto result =
      audit_stretch(scene, 1,
                    {make_motion(Vec3::Zero()),
                     make_motion({0, 0, 1.5}, Vec3::Zero(), Vec3::Zero(), {0, 2 * M_PI, 0})});
  const double reach = std::hypot(2, 0.1);
  EXPECT_NEAR(result.max_penetration, reach - 1.5, 1e-5);
}

// A box turns on its corner inside another, off its middle: how deep that corner comes, 0.1 m, is a
// cosine of the angle.
TEST(Penetration, DeepInsideIsThatOfTheDeepestTime) {
  Scene scene = make_scene();
  add(scene, make_fixed(Box{Vec3(5, 5, 5)}), {.x = Vec3(0, 0, -5)});
  const double reach = std::hypot(0.5, 0.5), height = reach - 0.1;
  add(scene, make_dynamic(Box{Vec3(0.5, 0.5, 0.5)}), {.x = Vec3(0, 0, height)});
  for (const double spin : {1.0, 3.0, 5.0, 7.0}) {
    const auto result =
        audit_stretch(scene, 1,
                      {make_motion({0, 0, -5}),
                       make_motion({0, 0, height}, Vec3::Zero(), Vec3::Zero(), {0, spin, 0})});
    EXPECT_NEAR(result.max_penetration, 0.1, 1e-7) << spin;
  }
}

TEST(Penetration, IsFoundAtTheStartAtOutputsAndAtImpacts) {
  const Scene sunk = make_ball_over_ground(0.4);
  Audit at_start;
  at_start.begin(sunk);
  EXPECT_NEAR(at_start.result().max_penetration, 0.1, 1e-15);

  const Scene clear = make_ball_over_ground(1);
  State state;
  state.bodies = {BodyState{}, BodyState{.x = Vec3(0, 0, 0.3)}};
  Audit at_output;
  at_output.begin(clear);
  EXPECT_EQ(at_output.result().max_penetration, 0);
  at_output.output(state);
  EXPECT_NEAR(at_output.result().max_penetration, 0.2, 1e-15);

  Audit at_impact;
  at_impact.begin(clear);
  const record::ContactEvent contact{.a = BodyId{1}, .b = BodyId{0}};
  at_impact.impact({std::span(&contact, 1), {}, state, state});
  EXPECT_NEAR(at_impact.result().max_penetration, 0.2, 1e-15);
}

TEST(Penetration, DoesNotCountWhatDoesNotCollide) {
  const Body ball = make_dynamic(Sphere{0.5});
  Body ghost = ball;
  ghost.shapes[0].collide = false;
  Scene scene = make_scene();
  add(scene, make_ground(), {});
  add(scene, make_fixed(Sphere{1}), {});
  add(scene, ghost, {.x = Vec3(0, 0, 0.2)});
  Audit audit;
  audit.begin(scene);
  EXPECT_EQ(audit.result().max_penetration, 0);

  Scene joined = make_scene();
  add(joined, ball, {});
  add(joined, ball, {.x = Vec3(0, 0, 0.8)});
  model::Joint joint;
  joint.a = BodyId{1};
  joint.b = BodyId{0};
  joined.joints.push_back(joint);
  Audit neck;
  neck.begin(joined);
  EXPECT_EQ(neck.result().max_penetration, 0);
  joined.joints[0].collide = true;
  neck.begin(joined);
  EXPECT_NEAR(neck.result().max_penetration, 0.2, 1e-15);
}

TEST(Penetration, SeesEveryPieceOfACompound) {
  Body dumbbell = make_dynamic(Sphere{0.1});
  dumbbell.shapes[0].X_BS.p = Vec3(-1, 0, 0);
  dumbbell.shapes.push_back(dumbbell.shapes[0]);
  dumbbell.shapes[1].X_BS.p = Vec3(1, 0, 0);
  Scene scene = make_scene();
  add(scene, dumbbell, {.x = Vec3(0, 0, 5)});
  add(scene, make_dynamic(Sphere{0.2}), {.x = Vec3(1.25, 0, 5)});
  Audit audit;
  audit.begin(scene);
  EXPECT_NEAR(audit.result().max_penetration, 0.05, 1e-12);
}

TEST(Penetration, IsFoundAfterBodiesMovedFarFromWhereTheyWere) {
  Scene scene = make_scene();
  add(scene, make_dynamic(Sphere{0.5}), {.x = Vec3(0, 0, 0)});
  add(scene, make_dynamic(Sphere{0.5}), {.x = Vec3(100, 0, 0)});
  Audit audit;
  audit.begin(scene);
  for (int i = 0; i < 100; ++i) {
    const Flight flight{
        0.01 * i,
        0.01,
        {make_motion({0, 0, 0}), make_motion({100 - 0.993 * i, 0, 0}, {-99.3, 0, 0})}};
    audit.segment({flight, {}});
  }
  EXPECT_NEAR(audit.result().max_penetration, 1 - 0.7, 1e-9);
}

// A ball that sinks into the floor once in every flight: a sample finds it, and the same run has
// the same sample, also of one that is resumed.
TEST(Penetration, OfASampleIsThatOfOneFlightInTen) {
  const Scene scene = make_ball_over_ground(1);
  const auto sink = [](Audit& audit, int from, int to) {
    for (int i = from; i < to; ++i) {
      const double depth = 0.001 * (1 + i % 97);
      const Flight flight{
          1.0 * i, 0.5, {make_motion(Vec3::Zero()), make_motion({0, 0, 0.5 - depth})}};
      audit.segment({flight, {}});
    }
  };
  Audit full, sampled(record::AuditCoverage::Sampled), resumed(record::AuditCoverage::Sampled);
  for (Audit* audit : {&full, &sampled, &resumed}) audit->begin(scene);
  sink(full, 1, 60);
  sink(sampled, 1, 60);
  EXPECT_GT(sampled.result().max_penetration, 0);
  EXPECT_LT(sampled.result().max_penetration, full.result().max_penetration);
  EXPECT_EQ(sampled.result().fraction(), 0.1);
  resumed.restore(sampled.save());
  sink(sampled, 60, 90);
  sink(resumed, 60, 90);
  EXPECT_EQ(resumed.result().max_penetration, sampled.result().max_penetration);
  EXPECT_EQ(full.find_coverage(full.save()), record::AuditCoverage::Full);
  EXPECT_EQ(full.find_coverage(sampled.save()), record::AuditCoverage::Sampled);
}

TEST(Penetration, IsJudgedInOneOfTenFlightsOfEveryPairAndTime) {
  PenetrationWatch watch;
  EXPECT_TRUE(watch.is_chosen({0, 1}, 0.5));
  watch.samples = true;
  for (int pair = 1; pair <= 20; ++pair) {
    int chosen = 0;
    for (int i = 0; i < 2000; ++i) chosen += watch.is_chosen({0, pair}, 0.001 * i) ? 1 : 0;
    EXPECT_NEAR(chosen, 200, 5 * std::sqrt(200 * 0.9)) << pair;
  }
}

// Dense sampling of all pairs: the audit may find more between the samples, never less.
RC_GTEST_PROP(Penetration, OfManyBallsIsThatOfDenseSampling, (std::uint64_t seed)) {
  base::Random random(seed);
  const auto draw = [&](double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size);
    return Vec3(x, y, random.uniform(-size, size));
  };
  Scene scene = make_scene();
  std::vector<RigidMotion> motions;
  for (int i = 0; i < 15; ++i) {
    motions.push_back(make_motion(draw(3), draw(4), draw(4)));
    add(scene, make_dynamic(Sphere{0.1}), {.x = motions.back().x0});
  }
  constexpr int kSamples = 2000;
  double sampled = 0;
  for (int k = 0; k <= kSamples; ++k) {
    for (std::size_t i = 0; i < motions.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double s = static_cast<double>(k) / kSamples;
        const Vec3 apart = math::position_at(motions[i], s) - math::position_at(motions[j], s);
        sampled = std::max(sampled, 0.2 - apart.norm());
      }
    }
  }
  const double found = audit_stretch(scene, 1, motions).max_penetration;
  RC_ASSERT(found >= sampled - 1e-6);
  RC_ASSERT(found <= sampled + 30.0 / kSamples);
}

}  // namespace
}  // namespace carom::audit
