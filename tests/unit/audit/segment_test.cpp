// What the audit says of segments made by hand: balls under constant forces, whose paths, depths
// and books are known in closed form, and solids on any smooth path against looks at many times.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/check.h"
#include "carom/base/random.h"
#include "unit/audit/audited_frame.h"

namespace carom::audit {
namespace {

using geometry::Box;
using geometry::Sphere;
using record::HandMadeFrame;
using record::HandMadeSegment;

constexpr double kG = 9.81, kRadius = 0.5, kMass = 2;
const Vec3 kGravity(0, 0, -kG);
const BodyId kFirst{0}, kSecond{1}, kThird{2}, kFourth{3};
const Vec3 kForce(3, -4, 5), kCouple(0, 0.2, 0);

// High above a plane that pushes it all the same.
Scene make_pushed_ball() {
  Scene scene = make_scene(kGravity);
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{kRadius}, kMass),
      {.x = Vec3(7, 0, 20), .v = Vec3(1, 0, 2), .w = Vec3(0, 3, 0)});
  return scene;
}

// Two segments that follow on each other, and one after a flight.
void push(HandMadeFrame& frame) {
  frame.press(0.1, 0.3, kSecond, kFirst, {kForce, kCouple});
  frame.press(0.3, 0.5, kSecond, kFirst, {-2 * kForce, kCouple});
  frame.press(0.7, 0.8, kSecond, kFirst, {kForce, -kCouple});
}

TEST(SegmentAudit, BalancesForcesWithFlightsBetween) {
  Audited run(make_pushed_ball());
  push(run.frame);
  const auto result = run.finish(1);
  expect_balanced(result, 1e-11);
  const BodyState end = run.frame.finish(1).end.bodies[1];
  // m v: weight for a second, the force for 0.2 − 2 · 0.2 + 0.1 of one.
  EXPECT_NEAR((kMass * (end.v - Vec3(1, 0, 2)) - kMass * kGravity + 0.1 * kForce).norm(), 0, 1e-12);
  EXPECT_NEAR(result.energy_dissipated, result.energy_initial - result.energy_final, 1e-11);
  EXPECT_LE(result.max_penetration, 0);
}

TEST(SegmentAudit, BalancesSegmentsOverAWholeFrame) {
  Audited run(make_pushed_ball());
  run.frame.press(0, 0.4, kSecond, kFirst, {kForce, kCouple});
  run.frame.press(0.4, 1, kSecond, kFirst, {-kForce, kCouple});
  expect_balanced(run.finish(1), 1e-11);
}

TEST(SegmentAudit, AgreesWithTheSameMotionToldOfAllBodies) {
  Audited run(make_pushed_ball());
  Audit whole;
  whole.begin(run.scene);
  for (int k = 0; k < 3; ++k) {
    const record::ClusterSegment segment =
        run.frame.press(0.1 * k, 0.1 * (k + 1), kSecond, kFirst, {(k - 1.5) * kForce, kCouple})
            .view();
    const Flight flight{
        segment.t0, segment.duration(), {make_motion(Vec3::Zero()), segment.motions[0]}};
    whole.segment({flight, segment.forces});
  }
  const auto found = run.finish(0.1 * 3), same = whole.result();
  EXPECT_NEAR(found.energy_dissipated, same.energy_dissipated, 1e-11);
  EXPECT_NEAR(found.energy_max_gain, same.energy_max_gain, 1e-11);
  EXPECT_NEAR(found.energy_final, same.energy_final, 1e-11);
  expect_balanced(found, 1e-11);
}

// Two push each other, then all three are on one segment, then the other two on one.
TEST(SegmentAudit, BalancesBodiesThatJoinAndPart) {
  Scene scene = make_scene();
  for (const double x : {0.0, 2.0, 4.0})
    add(scene, make_dynamic(Sphere{kRadius}, kMass), {.x = Vec3(x, 0, 0), .v = Vec3(x, 0, 1)});
  Audited run(scene);
  run.frame.press(0, 0.2, kFirst, kSecond, {Vec3(-1, 0, 0)});
  const BodyState from = run.frame.at(kSecond, 0.2), to = run.frame.at(kSecond, 0.4);
  HandMadeSegment& all = run.frame.press(0.2, 0.4, kFirst, kThird, {Vec3(-2, 0, 0)});
  all.move(kSecond, {from.pose(), from.twist(), {}}, {to.pose(), to.twist(), {}});
  run.frame.known(kSecond, 0.4, to);
  run.frame.press(0.4, 0.6, kThird, kSecond, {Vec3(3, 0, 0)});
  const auto result = run.finish(1);
  expect_balanced(result, 1e-12);
  EXPECT_NEAR(result.energy_dissipated, result.energy_initial - result.energy_final, 1e-12);
}

TEST(SegmentAudit, ChargesADrivenPlatter) {
  Scene scene = make_scene(kGravity);
  add(scene, make_driven(Box{Vec3(4, 4, 1)}), {.x = Vec3(0, 0, -20), .v = Vec3(1, 0, 0.5)});
  add(scene, make_dynamic(Sphere{kRadius}, kMass), {.x = Vec3(1, 0, 0)});
  Audited run(scene);
  run.frame.press(0.2, 0.6, kSecond, kFirst, {kForce});
  const auto result = run.finish(1);
  expect_balanced(result, 1e-11);
  const double spent = kForce.dot(0.4 * Vec3(1, 0, 0.5));
  EXPECT_NEAR(result.energy_final - result.energy_initial, spent - result.energy_dissipated, 1e-11);
}

// What a driven body spends follows from the impulse: a record that says otherwise explains
// nothing.
TEST(SegmentAudit, DoesNotBelieveWhatADrivenBodyIsSaidToSpend) {
  Scene scene = make_scene();
  add(scene, make_driven(Box{Vec3(4, 4, 1)}), {.x = Vec3(0, 0, -20), .v = Vec3(1, 0, 0.5)});
  add(scene, make_dynamic(Sphere{kRadius}, kMass), {.x = Vec3(1, 0, 0)});
  const auto audit = [&](double more) {
    Audited run(scene);
    run.frame.press(0.2, 0.6, kSecond, kFirst, {kForce}).effects[0].work_b += more;
    return run.finish(1);
  };
  const auto honest = audit(0), boasting = audit(7);
  EXPECT_LE(honest.energy_ledger_error, 1e-11);
  EXPECT_NEAR(boasting.energy_ledger_error, 7, 1e-11);
  EXPECT_NEAR(boasting.energy_max_gain, honest.energy_max_gain, 1e-11);
}

TEST(SegmentAudit, ReportsAnEndVelocityThatForcesDoNotExplain) {
  for (const bool goes_on_with_it : {true, false}) {
    Audited run(make_pushed_ball());
    HandMadeSegment& wrong = run.frame.press(0.1, 0.3, kSecond, kFirst, {kForce});
    const BodyState right = wrong.ends[0];
    wrong.ends[0].v.z() += 0.5;
    run.frame.known(kSecond, 0.3, goes_on_with_it ? wrong.ends[0] : right);
    run.frame.press(0.3, 0.5, kSecond, kFirst, {kForce});
    const auto result = run.finish(1);
    EXPECT_NEAR(result.momentum_error, 0.5 * kMass, 1e-12);
    const double speed = right.v.z();
    EXPECT_NEAR(result.energy_ledger_error,
                kMass / 2 * std::abs((speed + 0.5) * (speed + 0.5) - speed * speed), 1e-11);
  }
}

// Faster than it came, and as it should be afterwards: the segments alone are right.
TEST(SegmentAudit, ReportsASegmentThatDoesNotStartAsItsBodyCame) {
  Audited run(make_pushed_ball());
  HandMadeFrame right = run.frame;
  right.press(0.1, 0.5, kSecond, kFirst, {kForce});
  run.frame.press(0.1, 0.3, kSecond, kFirst, {kForce});
  BodyState faster = run.frame.at(kSecond, 0.3);
  faster.v.x() += 0.5;
  run.frame.known(kSecond, 0.3, faster);
  run.frame.press(0.3, 0.5, kSecond, kFirst, {kForce});
  run.frame.known(kSecond, 0.5, right.at(kSecond, 0.5));
  run.frame.press(0.5, 0.6, kSecond, kFirst, {kForce});
  EXPECT_NEAR(run.finish(1).momentum_error, 0.5 * kMass, 1e-12);
}

TEST(SegmentAudit, ReportsAnEffectThatIsNotTheForces) {
  const auto audit = [](auto spoil) {
    Audited run(make_pushed_ball());
    spoil(run.frame.press(0.1, 0.3, kSecond, kFirst, {kForce, kCouple}).effects[0]);
    return run.finish(0.5);
  };
  using record::ForceEffect;
  const auto impulse = audit([](ForceEffect& effect) { effect.impulse.y() += 0.25; });
  EXPECT_NEAR(impulse.momentum_error, 0.25, 1e-12);
  const auto moment = audit([](ForceEffect& effect) { effect.moment.x() -= 0.125; });
  EXPECT_NEAR(moment.angular_momentum_error, 0.125, 1e-11);
  const auto work = audit([](ForceEffect& effect) { effect.work_a += 3; });
  EXPECT_NEAR(work.energy_ledger_error, 3, 1e-11);
}

// Two balls come together by 2 m/s and part again under a constant force: v²/2a deep, with the
// relative v = 2 and a = 2 F/m.
TEST(SegmentAudit, FindsHowDeepTwoBallsPress) {
  for (const int segments : {1, 3, 8}) {
    Scene scene = make_scene(kGravity);
    add(scene, make_dynamic(Sphere{kRadius}, kMass), {.x = Vec3(-1, 0, 0), .v = Vec3(1, 0, 0)});
    add(scene, make_dynamic(Sphere{kRadius}, kMass), {.x = Vec3(1, 0, 0), .v = Vec3(-1, 0, 0)});
    Audited run(scene);
    const double force = 1000, lasts = 2 * kMass / force;
    for (int k = 0; k < segments; ++k)
      run.frame.press(0.5 + lasts * k / segments, 0.5 + lasts * (k + 1) / segments, kFirst, kSecond,
                      {Vec3(-force, 0, 0)});
    const auto result = run.finish(0.7);
    EXPECT_NEAR(result.max_penetration, 2 * 2 / (2 * 2 * force / kMass), 1e-11) << segments;
    expect_balanced(result, 1e-11);
    EXPECT_NEAR(result.energy_dissipated, 0, 1e-11);
  }
}

// Each is pushed by a far body of its own, at times of its own; by then they are in each other.
TEST(SegmentAudit, FindsAnOverlapBetweenPiecesOfDifferentSegments) {
  Scene scene = make_scene();
  add(scene, make_dynamic(Sphere{kRadius}, 1), {.x = Vec3(-1, 0, 0), .v = Vec3(1, 0, 0)});
  add(scene, make_dynamic(Sphere{kRadius}, 1), {.x = Vec3(1, 0, 0), .v = Vec3(-1, 0, 0)});
  add(scene, make_fixed(Sphere{kRadius}), {.x = Vec3(-90, 0, 0)});
  add(scene, make_fixed(Sphere{kRadius}), {.x = Vec3(90, 0, 0)});
  Audited run(scene);
  // They touch at 0.5. From 0.4 the one, from 0.45 the other is slowed down by 4 m/s².
  run.frame.press(0.4, 0.55, kFirst, kThird, {Vec3(-4, 0, 0)});
  run.frame.press(0.45, 0.8, kSecond, kFourth, {Vec3(4, 0, 0)});
  run.frame.press(0.55, 0.8, kFirst, kThird, {Vec3(-4, 0, 0)});
  // Gap from 0.45 on: 0.105 − s (1.8 − 4 s), least at s = 0.225.
  const double gap = 0.105 - 0.225 * (1.8 - 4 * 0.225);
  const auto result = run.finish(0.9);
  EXPECT_NEAR(result.max_penetration, -gap, 1e-11);
  expect_balanced(result, 1e-13);
}

// Out and back within one segment, along a u² (1 − u)² h²/2 with u = s/h: farthest by a h²/32 at
// half its time, and turned alike.
record::AuditResult audit_out_and_back(const Scene& scene, BodyId id, const math::Twist& a) {
  Audited run(scene);
  const BodyState at = run.frame.at(id, 0.25);
  HandMadeSegment segment{0.25, 0.75};
  segment.move(id, {at.pose(), at.twist(), a}, {at.pose(), at.twist(), a});
  run.frame.add(segment);
  return run.finish(1);
}

TEST(SegmentAudit, FindsABodyThatStartsAndEndsFarAway) {
  Scene scene = make_scene();
  add(scene, make_fixed(Sphere{kRadius}), {.x = Vec3(9, 0, 0)});
  add(scene, make_dynamic(Sphere{kRadius}), {});
  const auto result = audit_out_and_back(scene, kSecond, {Vec3(8.25 * 32 * 4, 0, 0), Vec3::Zero()});
  EXPECT_NEAR(result.max_penetration, 0.25, 1e-6);
}

// A capsule's end dips into the ground: what turns a body tilts its axis too.
TEST(SegmentAudit, FindsACapsuleThatTiltsAndIsBack) {
  const double length = 1, radius = 0.1, tilt = 0.3;
  Scene scene = make_scene();
  add(scene, make_ground(), {});
  add(scene, make_dynamic(geometry::Capsule{radius, length}),
      {.x = Vec3(0, 0, 0.2), .q = math::quat_exp(Vec3(0, std::numbers::pi / 2, 0))});
  const auto result = audit_out_and_back(scene, kSecond, {Vec3::Zero(), Vec3(0, tilt * 32 * 4, 0)});
  EXPECT_NEAR(result.max_penetration, length / 2 * std::sin(tilt) + radius - 0.2, 1e-6);
}

// A gap of c − 27/16 s + s³ is least at s = 3/4; the other ball's own segment ends at 1/2, and by
// then the acceleration is no longer what it was at the start.
TEST(SegmentAudit, FindsADipLateInASegmentThatAnotherCuts) {
  const double sunk = 0.01, c = 27.0 / 32 - sunk;
  Scene scene = make_scene();
  add(scene, make_dynamic(Sphere{kRadius}), {});
  add(scene, make_dynamic(Sphere{kRadius}),
      {.x = Vec3(2 * kRadius + c, 0, 0), .v = Vec3(-27.0 / 16, 0, 0)});
  Audited run(scene);
  const Vec3 x0 = run.scene.initial[1].x, v0 = run.scene.initial[1].v;
  HandMadeSegment other{0, 0.5}, segment{0, 1};
  other.move(kFirst, {}, {});
  run.frame.add(other);
  segment.move(kSecond, {{x0, Quat::Identity()}, {v0, Vec3::Zero()}, {}},
               {{x0 + v0 + Vec3::UnitX(), Quat::Identity()},
                {v0 + 3 * Vec3::UnitX(), Vec3::Zero()},
                {6 * Vec3::UnitX(), Vec3::Zero()}});
  run.frame.add(segment);
  EXPECT_NEAR(run.finish(1).max_penetration, sunk, 1e-8);
}

// A slow twin: bodies go from one random state to the next along segments, with flights between,
// each at times of its own, and are looked at many times. Deep in each other, solids are least so
// along one direction now and another soon: searches may miss how deep they are just between.
TEST(SegmentAudit, AgreesWithDenseSamplingOfSolidsOnSegments) {
  const geometry::Shape shapes[] = {geometry::Cylinder{0.3, 0.05}, Box{Vec3(0.2, 0.1, 0.15)},
                                    Sphere{0.2}, geometry::Capsule{0.1, 0.4}};
  constexpr int kBodies = 4;
  for (int seed = 0; seed < 45; ++seed) {
    const bool all_balls = seed % 3 == 0;
    base::Random random(static_cast<std::uint64_t>(seed));
    const auto draw = [&](double size) {
      const double x = random.uniform(-size, size), y = random.uniform(-size, size);
      return Vec3(x, y, random.uniform(-size, size));
    };
    Scene scene = make_scene(Vec3(0, 0, -3));
    for (int i = 0; i < kBodies; ++i) {
      const Vec3 corner(i % 2 == 0 ? 0.4 : -0.4, i / 2 == 0 ? 0.4 : -0.4, 0);  // to the middle
      add(scene, make_dynamic(all_balls ? shapes[2] : shapes[(seed + i) % 4]),
          {.x = corner, .q = math::quat_exp(draw(3)), .v = -corner + draw(0.3), .w = draw(4)});
    }
    Audited run(scene);
    std::vector<State> looks;
    for (int k = 0; k <= 600; ++k) looks.push_back({1e-3 * k, std::vector<BodyState>(kBodies)});
    for (int i = 0; i < kBodies; ++i) {
      const auto id = static_cast<BodyId>(i);
      const auto look = [&](double from, double to, auto state_at) {
        for (State& state : looks)
          if (from <= state.t && state.t <= to) state[id] = state_at(state.t);
      };
      const auto fly = [&](double from, double to) {
        look(from, to, [&](double t) { return run.frame.at(id, t); });
      };
      double t = 0;
      while (t < 0.4) {
        const double t0 = t + std::max(0.0, random.uniform(-0.05, 0.05)),
                     t1 = t0 + random.uniform(0.02, 0.1);
        fly(t, t0);
        const BodyState from = run.frame.at(id, t0), on = run.frame.at(id, t1);
        const math::MotionEnd end{{on.x + draw(0.02), math::quat_exp(draw(0.1)) * on.q},
                                  {on.v + draw(0.3), on.w + draw(1)},
                                  {draw(10), draw(20)}};
        HandMadeSegment segment{t0, t1};
        segment.move(id, {from.pose(), from.twist(), {draw(10), draw(20)}}, end);
        look(t0, t1, [&](double at) { return dynamics::state_on(segment.motions[0], at - t0); });
        run.frame.add(segment);
        t = t1;
      }
      fly(t, 0.6);
    }
    Audit sampled;
    sampled.begin(scene);
    for (const State& state : looks) sampled.output(state);
    const double found = run.finish(0.6).max_penetration;
    EXPECT_GE(found, sampled.result().max_penetration - (all_balls ? 1e-9 : 1e-3)) << seed;
    EXPECT_LE(found, sampled.result().max_penetration + 2e-3) << seed;
  }
}

// A body on a segment comes off its hinge and is back on it when the frame ends.
TEST(SegmentAudit, FindsAnOpenJointAtTheEndOfASegment) {
  Scene scene = make_scene();
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{kRadius}, 1), {.x = Vec3(0, 0, 5)});
  model::Joint joint;
  joint.type = model::JointType::Ball;
  joint.a = kFirst;
  joint.b = kSecond;
  joint.X_AJ.p = Vec3(0, 0, 5);
  scene.joints.push_back(joint);
  Audited run(scene);
  const math::MotionEnd closed{{Vec3(0, 0, 5), Quat::Identity()}, {}, {}};
  const math::MotionEnd open{{Vec3(0, 0.03, 5.04), Quat::Identity()}, {}, {}};
  HandMadeSegment off{0.1, 0.3}, back{0.3, 0.5};
  off.move(kSecond, closed, open);
  back.move(kSecond, open, closed);
  run.frame.add(off);
  run.frame.add(back);
  EXPECT_NEAR(run.finish(0.6).max_joint_error, 0.05, 1e-15);
}

TEST(SegmentAudit, GoesOnBitForBitBetweenFrames) {
  Audited whole(make_pushed_ball());
  HandMadeSegment& segment = whole.frame.press(0.1, 0.5, kSecond, kFirst, {kForce, kCouple});
  segment.stored_end = 3;
  const record::Frame early = whole.frame.finish(0.5);
  Audit first, second;
  first.begin(whole.scene);
  whole.audit.frame(early);
  first.frame(early);
  second.begin(whole.scene);
  second.restore(first.save());
  HandMadeFrame last(whole.scene, early.end);
  HandMadeSegment& more = last.press(0.5, 0.6, kSecond, kFirst, {kForce, kCouple});
  more.stored_start = 3;
  const record::Frame late = last.finish(0.7);
  whole.audit.frame(late);
  second.frame(late);
  EXPECT_EQ(whole.audit.save(), second.save());
  EXPECT_NE(first.save(), second.save());
}

TEST(SegmentAudit, RefusesSegmentsOfOneBodyThatOverlap) {
  Audited run(make_pushed_ball());
  run.frame.press(0.1, 0.3, kSecond, kFirst, {kForce});
  run.frame.press(0.2, 0.4, kSecond, kFirst, {kForce});
  EXPECT_THROW(run.finish(1), base::CheckFailure);
}

}  // namespace
}  // namespace carom::audit
