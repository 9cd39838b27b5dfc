// What the audit says of frames made by hand: balls on parabolas, with expected values in closed
// form.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/random.h"
#include "unit/audit/audited_frame.h"

namespace carom::audit {
namespace {

using geometry::Box;
using geometry::Sphere;
using record::HandMadeFrame;

constexpr double kG = 9.81, kRadius = 0.5, kMass = 2;
const Vec3 kGravity(0, 0, -kG);
const BodyId kFirst{0}, kSecond{1}, kThird{2};

Scene make_bouncing_ball(double height) {
  Scene scene = make_scene(kGravity);
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{kRadius}, kMass),
      {.x = Vec3(7, 0, kRadius + height), .v = Vec3(1, 0, 0), .w = Vec3(1, 2, 3)});
  return scene;
}

// Falls, and leaves the ground with e times its speed, over and over. Gives back when it is done.
double bounce(HandMadeFrame& frame, double height, double e, int times) {
  double t = std::sqrt(2 * height / kG), speed = kG * t;
  for (int k = 0; k < times; ++k) {
    frame.collide(t, kSecond, kFirst, Vec3(7 + t, 0, 0),
                  {.impulse = Vec3(0, 0, kMass * (1 + e) * speed)});
    speed *= e;
    t += 2 * speed / kG;
  }
  return t;
}

TEST(FrameAudit, FollowsABouncingBall) {
  Audited run(make_bouncing_ball(1));
  const double t = bounce(run.frame, 1, 0.8, 20);
  const auto result = run.finish(t);
  expect_balanced(result, 1e-11);
  EXPECT_LE(result.max_penetration, 1e-14);
  EXPECT_NEAR(result.energy_dissipated, kMass * kG * (1 - std::pow(0.8, 40)), 1e-11);
  EXPECT_LE(result.energy_max_gain, 1e-12);
  EXPECT_NEAR(result.energy_final, result.energy_initial - result.energy_dissipated, 1e-11);
}

TEST(FrameAudit, FindsAnOverlapBetweenTwoCollisions) {
  Audited run(make_bouncing_ball(1));
  const double late = 1e-6;  // s
  const double t = std::sqrt(2 / kG) + late, speed = kG * t;
  const double sunk = kG / 2 * t * t - 1;
  run.frame.collide(t, kSecond, kFirst, Vec3(7 + t, 0, 0),
                    {.impulse = Vec3(0, 0, 1.5 * kMass * speed)});
  const auto result = run.finish(t + 0.1);
  EXPECT_NEAR(result.max_penetration, sunk, 1e-12);
  expect_balanced(result, 1e-11);
}

// A hop that gravity does not let it take is told by the books; one that dips below the ground
// between two collisions by what lies between them.
TEST(FrameAudit, FindsADipThatStartsAndEndsApart) {
  Scene scene = make_scene(Vec3(0, 0, 8));  // falls upwards
  add(scene, make_ground(), {});
  const double dip = 0.25, sunk = 1e-5;
  add(scene, make_dynamic(Sphere{kRadius}, kMass),
      {.x = Vec3(0, 0, kRadius - sunk + 4 * dip * dip), .v = Vec3(0, 0, -8 * dip)});
  Audited run(scene);
  EXPECT_NEAR(run.finish(0.4).max_penetration, sunk, 1e-12);
}

TEST(FrameAudit, FindsBallsThatMissTheirCollision) {
  Scene scene = make_scene(kGravity);
  add(scene, make_dynamic(Sphere{kRadius}, 1), {.x = Vec3(-2, 0, 0), .v = Vec3(4, 0, 1)});
  add(scene, make_dynamic(Sphere{kRadius}, 1), {.x = Vec3(2, 0.3, 0), .v = Vec3(-4, 0, 1)});
  Audited run(scene);
  const auto result = run.finish(1);
  EXPECT_NEAR(result.max_penetration, 2 * kRadius - 0.3, 1e-9);
  expect_balanced(result, 1e-12);
}

// Far from where the frame starts, in whichever part of it that is: a ball comes 200 radii far and
// brushes past another, and sinks into a wall by as much as the frame is too long.
TEST(FrameAudit, FindsAnOverlapLateInALongFrame) {
  for (const double where : {10.0, 55.5, 99.0}) {
    Scene scene = make_scene();
    add(scene, make_dynamic(Sphere{kRadius}, 1), {.v = Vec3(50, 0, 0)});
    add(scene, make_dynamic(Sphere{kRadius}, 1), {.x = Vec3(where, 2 * kRadius - 1e-3, 0)});
    add(scene, make_fixed(geometry::Plane{Vec3(-1, 0, 0), -100 - kRadius}), {});
    Audited brushing(scene), sinking(scene);
    EXPECT_NEAR(brushing.finish(2).max_penetration, 1e-3, 1e-12) << where;
    EXPECT_NEAR(sinking.finish(2.001).max_penetration, 0.05, 1e-12) << where;
  }
}

// Two balls meet head on between collisions with a third; each has its own clock.
TEST(FrameAudit, JudgesTwoBallsBetweenCollisionsOfEither) {
  for (const double late : {0.0, 1e-4}) {
    Scene scene = make_scene();
    add(scene, make_dynamic(Sphere{kRadius}, 1), {.x = Vec3(0, 0, 0), .v = Vec3(1, 0, 0)});
    add(scene, make_dynamic(Sphere{kRadius}, 1), {.x = Vec3(3, 0, 0), .v = Vec3(-1, 0, 0)});
    add(scene, make_fixed(Sphere{kRadius}), {.x = Vec3(9, 0, 0)});
    Audited run(scene);
    const double t = 1 + late;  // the gap of 2 closes by 2 each second
    run.frame.collide(0.4, kFirst, kThird, Vec3::Zero(), {});  // nothing, but its clock
    run.frame.collide(0.7, kSecond, kThird, Vec3::Zero(), {});
    run.frame.collide(t, kFirst, kSecond, Vec3(1.5, 0, 0), {.impulse = Vec3(-2, 0, 0)});
    const auto result = run.finish(1.5);
    EXPECT_NEAR(result.max_penetration, 2 * late, 1e-12);
    expect_balanced(result, 1e-13);
    EXPECT_NEAR(result.energy_dissipated, 0, 1e-13);
  }
}

TEST(FrameAudit, ReportsAnImpulseThatIsNotWhatTheBodiesTook) {
  Audited run(make_bouncing_ball(1));
  const double t = std::sqrt(2 / kG), speed = kG * t;
  record::Collision& collision = run.frame.collide(t, kSecond, kFirst, Vec3(7 + t, 0, 0),
                                                   {.impulse = Vec3(0, 0, 2 * kMass * speed)});
  collision.event.impulse.z() -= 0.25;
  collision.event.impulse.y() += 0.5;
  const auto result = run.finish(t + 0.2);
  EXPECT_NEAR(result.momentum_error, std::hypot(0.25, 0.5), 1e-12);
  // About the origin: the lever (7 + t, 0, 0) with (0, 0.5, -0.25).
  EXPECT_NEAR(result.angular_momentum_error, (7 + t) * std::hypot(0.25, 0.5), 1e-11);
  // Along the mean velocity of the contact point: (1, 0, 0) + w × (0, 0, -r) = (1 - 2r, r, 0).
  EXPECT_NEAR(result.energy_ledger_error, 0.5 * kRadius, 1e-12);
}

TEST(FrameAudit, ReportsAMotionThatIsNotFree) {
  Audited run(make_bouncing_ball(1));
  record::Frame frame = run.frame.finish(0.3);
  State end = frame.end;
  end.bodies[1].v.z() += 0.5;
  run.audit.frame({frame.start, {}, end});
  const auto result = run.audit.result();
  EXPECT_NEAR(result.momentum_error, 0.5 * kMass, 1e-12);
  const double speed = -0.3 * kG;
  EXPECT_NEAR(result.energy_ledger_error,
              std::abs(kMass / 2 * ((speed + 0.5) * (speed + 0.5) - speed * speed)), 1e-12);
}

TEST(FrameAudit, ReportsEnergyOutOfNothingAtOnce) {
  Audited run(make_bouncing_ball(1));
  const double t = std::sqrt(2 / kG), speed = kG * t;
  run.frame.collide(t, kSecond, kFirst, Vec3(7 + t, 0, 0),
                    {.impulse = Vec3(0, 0, 2.1 * kMass * speed)});
  run.frame.collide(t + 0.01, kSecond, kFirst, Vec3(7 + t, 0, 0),
                    {.impulse = Vec3(0, 0, -0.1 * kMass * speed)});  // and away again
  const auto result = run.finish(t + 0.05);
  EXPECT_NEAR(result.energy_max_gain, kMass / 2 * speed * speed * (1.21 - 1), 1e-11);
  expect_balanced(result, 1e-11);
}

// An elastic ball on a platter that rises and turns: the platter pays for what it gives.
TEST(FrameAudit, ChargesADrivenPlatter) {
  const double lift = 0.5, turn = 3, height = 1;
  Scene scene = make_scene(kGravity);
  add(scene, make_driven(Box{Vec3(4, 4, 1)}),
      {.x = Vec3(0, 0, -1), .v = Vec3(0, 0, lift), .w = Vec3(0, 0, turn)});
  add(scene, make_dynamic(Sphere{kRadius}, kMass), {.x = Vec3(1, 0, kRadius + height)});
  Audited run(scene);
  // height − g t²/2 = lift t
  const double t = (-lift + std::sqrt(lift * lift + 2 * kG * height)) / kG;
  const double speed = kG * t + lift;  // of approach
  const double rub = 0.3;              // along the platter's motion, which is turn · 1 along y
  run.frame.collide(t, kSecond, kFirst, Vec3(1, 0, lift * t),
                    {.impulse = Vec3(0, rub, 2 * kMass * speed)});
  const auto result = run.finish(t + 0.1);
  expect_balanced(result, 1e-11);
  EXPECT_LE(result.max_penetration, 1e-12);
  // Of the contact point: rub/m + (r rub / I) r afterwards, with I = 2/5 m r².
  const double mean_speed = 0.5 * (rub / kMass) * (1 + 2.5);
  EXPECT_NEAR(result.energy_dissipated, rub * (turn * 1 - mean_speed), 1e-11);
  const double work = 2 * kMass * speed * lift + rub * turn;
  EXPECT_NEAR(result.energy_final - result.energy_initial, work - result.energy_dissipated, 1e-11);
}

TEST(FrameAudit, BooksTheHeatOfARollingCouple) {
  Scene scene = make_scene();
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{kRadius}, kMass), {.x = Vec3(0, 0, kRadius), .w = Vec3(0, 4, 0)});
  Audited run(scene);
  const double couple = 0.1, I = 0.4 * kMass * kRadius * kRadius;
  run.frame.collide(0.2, kSecond, kFirst, Vec3::Zero(), {.couple = Vec3(0, -couple, 0)});
  const auto result = run.finish(0.3);
  expect_balanced(result, 1e-14);
  EXPECT_NEAR(result.energy_dissipated, couple * (4 - couple / I / 2), 1e-14);
}

// A slow twin: every interval of every two balls is sampled densely.
TEST(FrameAudit, AgreesWithDenseSamplingOfManyBalls) {
  for (int seed = 0; seed < 20; ++seed) {
    base::Random random(static_cast<std::uint64_t>(seed));
    const auto draw = [&](double size) {
      const double x = random.uniform(-size, size), y = random.uniform(-size, size);
      return Vec3(x, y, random.uniform(-size, size));
    };
    Scene scene = make_scene(Vec3(0, 0, -3));
    for (int i = 0; i < 12; ++i)
      add(scene, make_dynamic(Sphere{0.1}), {.x = draw(1), .v = draw(2)});
    Audited run(scene);
    const double start = run.audit.result().max_penetration;
    double sampled = start;
    const auto sample = [&](double t) {
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < i; ++j) {
          const Vec3 apart =
              run.frame.at(static_cast<BodyId>(i), t).x - run.frame.at(static_cast<BodyId>(j), t).x;
          sampled = std::max(sampled, 0.2 - apart.norm());
        }
    };
    for (int k = 1; k <= 1000; ++k) {
      const double t = 1e-3 * k;
      sample(t);
      const auto a = static_cast<BodyId>(k % 12), b = static_cast<BodyId>((k * 5 + 1) % 12);
      if (a != b && k % 3 == 0) run.frame.collide(t, a, b, draw(1), {.impulse = draw(1)});
    }
    const double found = run.finish(1).max_penetration;
    EXPECT_GE(found, sampled - 1e-9) << seed;
    EXPECT_LE(found, sampled + 0.02) << seed;
  }
}

// The same for solids that tumble, against looks at all of them at many times.
TEST(FrameAudit, AgreesWithDenseSamplingOfTumblingSolids) {
  const geometry::Shape shapes[] = {geometry::Cylinder{0.3, 0.05}, Box{Vec3(0.2, 0.1, 0.15)},
                                    geometry::Capsule{0.1, 0.4}, geometry::Cone{0.2, 0.3}};
  for (int seed = 0; seed < 30; ++seed) {
    base::Random random(static_cast<std::uint64_t>(seed));
    const auto draw = [&](double size) {
      const double x = random.uniform(-size, size), y = random.uniform(-size, size);
      return Vec3(x, y, random.uniform(-size, size));
    };
    Scene scene = make_scene(Vec3(0, 0, -3));
    add(scene, make_fixed(Box{Vec3(1, 1, 0.2)}), {.x = Vec3(0, 0, -1.5)});
    for (int i = 0; i < 3; ++i)
      add(scene, make_dynamic(shapes[(seed + i) % 4]),
          {.x = draw(0.5), .q = math::quat_exp(draw(3)), .v = draw(1), .w = draw(8)});
    Audited run(scene);
    Audit sampled;
    sampled.begin(scene);
    for (int k = 1; k <= 500; ++k) {
      const double t = 1e-3 * k;
      State state{t, {}};
      for (int i = 0; i < 4; ++i) state.bodies.push_back(run.frame.at(static_cast<BodyId>(i), t));
      sampled.output(state);
      const auto a = static_cast<BodyId>(1 + k % 3), b = static_cast<BodyId>((k * 5 + 1) % 4);
      if (a != b && k % 7 == 0) run.frame.collide(t, a, b, draw(0.2), {.impulse = 0.05 * draw(1)});
    }
    const auto result = run.finish(0.5);
    EXPECT_GE(result.max_penetration, sampled.result().max_penetration - 1e-7) << seed;
    EXPECT_LE(result.max_penetration, sampled.result().max_penetration + 1e-3) << seed;
    expect_balanced(result, 1e-10);
  }
}

TEST(FrameAudit, GoesOnBitForBitBetweenFrames) {
  Audited whole(make_bouncing_ball(1)), first(make_bouncing_ball(1));
  Audit second;
  second.begin(first.scene);
  const double t = bounce(whole.frame, 1, 0.7, 4);
  bounce(first.frame, 1, 0.7, 4);
  const record::Frame early = whole.frame.finish(t - 0.01);
  whole.audit.frame(early);
  first.audit.frame(early);
  second.restore(first.audit.save());
  HandMadeFrame last(whole.scene, early.end);
  const record::Frame late = last.finish(t + 0.2);  // through the floor
  whole.audit.frame(late);
  second.frame(late);
  EXPECT_EQ(whole.audit.save(), second.save());
  EXPECT_GT(second.result().max_penetration, 0.01);
}

TEST(FrameAudit, DoesNotLookAgainAtOutputsOfAFrame) {
  Audited run(make_bouncing_ball(1));
  run.finish(0.2);
  State sunk = initial_state(run.scene);
  sunk.bodies[1].x.z() = 0;
  sunk.t = 0.2;
  run.audit.output(sunk);
  EXPECT_EQ(run.audit.result().max_penetration, 0);
  sunk.t = 0.3;
  run.audit.output(sunk);
  EXPECT_EQ(run.audit.result().max_penetration, kRadius);
}

}  // namespace
}  // namespace carom::audit
