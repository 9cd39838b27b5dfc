// Balls that keep their own clocks: against closed forms, and against a twin that asks every pair
// before every collision.
#include "carom/methods/microcollision/balls/ball_clock.h"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/dynamics/energy.h"
#include "carom/dynamics/flight.h"
#include "reference/slow_gas.h"
#include "support/gas.h"
#include "support/numbered.h"

namespace carom::methods {
namespace {

using record::Collision;
using support::make_ball;
using support::make_ground;
using support::numbered;
using support::SceneParts;

struct Course {
  explicit Course(const SceneParts& parts, const ClockOptions& options = {})
      : scene(support::build(parts)),
        clock(scene, options),
        state(dynamics::make_initial_state(scene)) {}

  void advance(double t_end) { ASSERT_TRUE(clock.advance(state, t_end, &collisions).ok()); }
  const BodyState& operator[](std::size_t i) const { return state.bodies[i]; }

  Scene scene;
  BallClock clock;
  State state;
  std::vector<Collision> collisions;
};

double kinetic_energy(const Course& run) {
  double energy = 0;
  for (std::size_t i = 0; i < run.scene.bodies.size(); ++i) {
    energy += 0.5 * run.scene.bodies[i].mass * run.state.bodies[i].v.squaredNorm();
  }
  return energy;
}

// The deepest overlap of two balls, or of a ball and a plane.
double deepest(const Course& run) {
  const BallScene parts = make_ball_scene(run.scene);
  double depth = 0;
  for (std::size_t i = 0; i < parts.bodies.size(); ++i) {
    const Vec3& x = run.state[parts.bodies[i]].x;
    const double r = run.scene.body(parts.bodies[i]).radius;
    for (const FixedPlane& plane : parts.planes) {
      depth = std::max(depth, r - (plane.normal.dot(x) - plane.offset));
    }
    for (std::size_t j = 0; j < i; ++j) {
      depth = std::max(depth, r + run.scene.body(parts.bodies[j]).radius -
                                  (x - run.state[parts.bodies[j]].x).norm());
    }
  }
  return depth;
}

TEST(BallClock, PlaysBallsAndStandingPlanesAlone) {
  const auto applies = [](const SceneParts& parts) {
    return BallClock::applies(support::build(parts));
  };
  const auto ball = make_ball("ball", 1, Vec3(0, 0, 5));
  EXPECT_TRUE(applies({.bodies = {make_ground(), ball}}));
  EXPECT_FALSE(applies({.bodies = {support::make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 5))}}));
  model::BodySpec moving = make_ground();
  moving.motion = model::Motion::Driven;
  EXPECT_FALSE(applies({.bodies = {moving, ball}}));
  model::BodySpec lopsided = ball;
  lopsided.center_of_mass = Vec3(0.1, 0, 0);
  EXPECT_FALSE(applies({.bodies = {lopsided}}));
}

TEST(BallClock, LetsEqualBallsExchangeTheirVelocitiesHeadOn) {
  Course run({.gravity = Vec3::Zero(),
              .between = {.restitution = 1},
              .bodies = {make_ball("a", 0.5, Vec3(0, 0, 0), Vec3(1, 0, 0)),
                         make_ball("b", 0.5, Vec3(3, 0, 0), Vec3(-3, 0, 0))}});
  run.advance(1);
  ASSERT_EQ(run.collisions.size(), 1U);
  EXPECT_NEAR(run.collisions[0].event.t, 0.5, 1e-15);
  EXPECT_NEAR((run.collisions[0].event.normal - Vec3(-1, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(run.collisions[0].event.impulse.x(), -4, 1e-14);
  EXPECT_NEAR((run[0].v - Vec3(-3, 0, 0)).norm() + (run[1].v - Vec3(1, 0, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR(run[0].x.x(), 0.5 - 1.5, 1e-14);
  EXPECT_EQ(run.state.t, 1);
}

// At 30 degrees to the line of flight, masses 1 and 3, e = 1/2.
TEST(BallClock, KeepsTheVelocityAlongTheContactInAnObliqueBlow) {
  model::BodySpec heavy = make_ball("b", 1, Vec3(5, 1, 0));
  heavy.mass = 3;
  Course run({.gravity = Vec3::Zero(),
              .between = {.restitution = 0.5},
              .bodies = {make_ball("a", 1, Vec3::Zero(), Vec3(2, 0, 0)), heavy}});
  run.advance(5);
  const double along = std::sqrt(3.0);  // half-distance of centres at contact, and the speed too
  ASSERT_EQ(run.collisions.size(), 1U);
  EXPECT_NEAR(run.collisions[0].event.t, (5 - along) / 2, 1e-14);
  EXPECT_NEAR(run.collisions[0].event.approach_speed, along, 1e-14);
  EXPECT_NEAR(run.collisions[0].event.separation_speed, along / 2, 1e-14);
  const Vec3 normal(std::cos(std::numbers::pi / 6), 0.5, 0);
  const double impulse = 1.5 * along * 0.75;
  EXPECT_NEAR((run[0].v - (Vec3(2, 0, 0) - impulse * normal)).norm(), 0, 1e-14);
  EXPECT_NEAR((run[1].v - impulse / 3 * normal).norm(), 0, 1e-14);
}

// t₀ = √(2h/g), then twice as long each time, times e.
TEST(BallClock, BouncesOnAPlaneAsABallThatFalls) {
  Course run({.gravity = Vec3(0, 0, -10),
              .between = {.restitution = 0.8},
              .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1 + 0.8))}});
  for (int frame = 1; frame <= 60; ++frame) run.advance(frame / 30.0);
  double t = 0.4, hop = 0.8 * 0.8;
  for (std::size_t i = 0; i < 4; ++i, t += hop, hop *= 0.8) {
    ASSERT_LT(i, run.collisions.size());
    EXPECT_NEAR(run.collisions[i].event.t, t, 1e-13);
    EXPECT_EQ(run.collisions[i].event.kind, record::EventKind::Impact);
  }
}

TEST(BallClock, RestsByHopsOfTheCollisionEpsilon) {
  Course run({.between = {.restitution = 0.5},
              .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1))}});
  double highest = 0;
  for (int frame = 1; frame <= 100; ++frame) {
    run.advance(frame / 97.0);
    highest = std::max(highest, run[1].x.z() - 0.1);
  }
  EXPECT_GT(run[1].x.z(), 0.1 - 1e-14);
  EXPECT_LE(highest, 1.0001e-4 * 0.2);
  EXPECT_GT(run.collisions.size(), 100U);
  EXPECT_EQ(run.clock.vibration().lifts, 1);
  double impulse = 0;
  for (const Collision& hit : run.collisions) impulse -= hit.event.impulse.z();
  EXPECT_NEAR(impulse / run.state.t, 9.81, 0.01 * 9.81);
}

TEST(BallClock, TreatsEventsOfEqualTimeOneAfterTheOther) {
  SceneParts parts{.gravity = Vec3::Zero(), .between = {.restitution = 1}};
  for (int i = 0; i < 4; ++i) {  // four pairs and their mirror images, all meeting at 1 s
    const double y = 10.0 * i;
    parts.bodies.push_back(make_ball("a" + std::to_string(i), 1, Vec3(-2, y, 0), Vec3(1, 0, 0)));
    parts.bodies.push_back(make_ball(numbered("b", i), 1, Vec3(2, y, 0), Vec3(-1, 0, 0)));
  }
  Course run(parts);
  run.advance(2);
  ASSERT_EQ(run.collisions.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(run.collisions[i].event.t, 1);
    EXPECT_EQ(run.collisions[i].event.a, id_of<BodyId>(2 * i));
    EXPECT_EQ(run[2 * i].v, Vec3(-1, 0, 0));
  }
}

// Newton's cradle, balls in touch: the last leaves with the speed of the first.
TEST(BallClock, PassesABlowOnThroughBallsThatTouch) {
  SceneParts parts{.gravity = Vec3::Zero(), .between = {.restitution = 1}};
  for (int i = 0; i < 5; ++i) {
    parts.bodies.push_back(
        make_ball(numbered("b", i), 0.5, Vec3(i == 0 ? -1 : i, 0, 0), Vec3(i == 0 ? 1 : 0, 0, 0)));
  }
  Course run(parts);
  run.advance(3);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(run[i].v.norm(), 1e-14) << i;
  EXPECT_NEAR(run[4].v.x(), 1, 1e-14);
}

// Inelastic collapse: without a least hop speed there would be infinitely many collisions.
TEST(BallClock, EndsACollapseOfBallsThatTouch) {
  SceneParts parts{.gravity = Vec3::Zero(), .between = {.restitution = 0.5}};
  for (int i = 0; i < 20; ++i) {
    parts.bodies.push_back(
        make_ball(numbered("b", i), 0.5, Vec3(i == 0 ? -1 : i, 0, 0), Vec3(i == 0 ? 1 : 0, 0, 0)));
  }
  Course run(parts, {.max_collisions_per_body = 10000});
  run.advance(10);
  Vec3 momentum = Vec3::Zero();
  for (const BodyState& body : run.state.bodies) momentum += body.v;
  EXPECT_NEAR((momentum - Vec3(1, 0, 0)).norm(), 0, 1e-13);
  EXPECT_LT(deepest(run), 1e-13);
  EXPECT_LT(run.clock.vibration().energy_in, 1e-8);
}

TEST(BallClock, SaysWhenThereAreTooManyCollisions) {
  Course run({.bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1))}},
             {.max_collisions_per_body = 1});
  EXPECT_EQ(run.clock.advance(run.state, 10, nullptr).status, AdvanceStatus::TooManyCollisions);
  EXPECT_LT(run.state.t, 10);
}

// A ball that slides begins to roll at 5/7 of its speed, after 2 v / (7 μ g).
TEST(BallClock, LetsASlidingBallRollByMicrocollisions) {
  SceneParts parts{
      .between = {.restitution = 0.5, .friction = 0.2},
      .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1), Vec3(2, 0, 0))}};
  Course run(parts);
  for (int frame = 1; frame <= 60; ++frame) run.advance(frame / 60.0);
  EXPECT_NEAR(run[1].v.x(), 2 * 5.0 / 7, 0.005);
  EXPECT_NEAR(run[1].w.y() * 0.1, run[1].v.x(), 0.005);
}

SceneParts make_mixture() {
  SceneParts parts = support::make_gas_parts({.per_side = 4, .packing = 0.2});
  for (int i = 0; i < 20; ++i) {  // small ones in the gaps of the lattice
    const double a = support::GasSpec{.packing = 0.2}.spacing();
    model::BodySpec small = make_ball("small" + std::to_string(i), 0.05 + 0.005 * i,
                                      Vec3(a * (1 + i % 3), a * (1 + i / 3 % 3), a * (1 + i / 9)));
    small.mass = 0.1 + 0.02 * i;
    parts.bodies.push_back(small);
  }
  return parts;
}

reference::SlowGas make_twin(const Scene& scene, double restitution) {
  reference::SlowGas twin;
  twin.restitution = restitution;
  const BallScene parts = make_ball_scene(scene);
  for (const BodyId id : parts.bodies) {
    twin.balls.push_back({id, scene.body(id).radius, scene.body(id).mass});
  }
  for (const FixedPlane& plane : parts.planes) {
    twin.planes.push_back({plane.body, plane.normal, plane.offset});
  }
  return twin;
}

// Chaos multiplies round-off some tenfold a collision of each ball: the sequences agree until then.
TEST(BallClock, CollidesInTheSameOrderAsTheSlowTwin) {
  for (const double restitution : {1.0, 0.9}) {
    SceneParts parts = make_mixture();
    parts.between.restitution = restitution;
    Course run(parts);
    run.state = support::heat(run.scene, 3);
    State slow = run.state;
    run.advance(1);
    ASSERT_GT(run.collisions.size(), 200U);
    const reference::SlowGas twin = make_twin(run.scene, restitution);
    for (std::size_t i = 0; i < 200; ++i) {
      const auto expected = twin.advance(slow, 1);
      ASSERT_TRUE(expected.has_value());
      const record::ContactEvent& event = run.collisions[i].event;
      ASSERT_EQ(std::pair(event.a, event.b), std::pair(expected->a, expected->b)) << i;
      ASSERT_NEAR(event.t, expected->t, 1e-9);
    }
  }
}

TEST(BallClock, KeepsTheEnergyOfAnElasticGasAndLetsNothingOverlap) {
  Course run(make_mixture());
  run.state = support::heat(run.scene, 5);
  const double before = kinetic_energy(run);
  for (int frame = 1; frame <= 40; ++frame) {
    ASSERT_TRUE(run.clock.advance(run.state, frame * 1.0, nullptr).ok());
    ASSERT_LT(deepest(run), 1e-13);
  }
  EXPECT_GT(run.clock.collisions(), 10000);
  EXPECT_NEAR(kinetic_energy(run) / before, 1, 1e-12);
}

TEST(BallClock, LetsNothingOverlapInAHeapUnderGravity) {
  SceneParts parts = make_mixture();
  parts.gravity = Vec3(0.3, 0, -9.81);
  parts.between = {.restitution = 0.7, .friction = 0.3};
  Course run(parts);
  run.state = support::heat(run.scene, 5);
  for (int frame = 1; frame <= 60; ++frame) {
    ASSERT_TRUE(run.clock.advance(run.state, frame / 30.0, nullptr).ok());
    ASSERT_LT(deepest(run), 1e-13) << frame;
  }
}

TEST(BallClock, GoesOnFromAStateBitForBit) {
  SceneParts parts = make_mixture();
  parts.gravity = Vec3(0, 0, -1);
  parts.between = {.restitution = 0.9, .friction = 0.2};
  Course run(parts);
  run.state = support::heat(run.scene, 8);
  run.advance(0.5);
  Course resumed(parts);
  resumed.state = run.state;
  run.collisions.clear();
  for (const double t : {0.75, 1.0}) {
    run.advance(t);
    ASSERT_TRUE(resumed.clock.advance(resumed.state, t, nullptr).ok());  // nobody listens
  }
  for (std::size_t i = 0; i < run.state.bodies.size(); ++i) {
    EXPECT_EQ(run[i].x, resumed[i].x);
    EXPECT_EQ(run[i].v, resumed[i].v);
    EXPECT_EQ(run[i].w, resumed[i].w);
    EXPECT_EQ(run[i].q.coeffs(), resumed[i].q.coeffs());
  }
}

// The record tells every path: a ball's state follows by free flight from its last collision.
TEST(BallClock, RecordsStatesFromWhichTheEndFollows) {
  SceneParts parts = make_mixture();
  parts.gravity = Vec3(0, 0, -3);
  parts.between = {.restitution = 0.9, .friction = 0.2};
  Course run(parts);
  run.state = support::heat(run.scene, 9);
  State last = run.state;
  std::vector<double> clocks(last.bodies.size(), 0);
  run.advance(0.7);
  for (const Collision& hit : run.collisions) {
    last[hit.event.a] = hit.a;
    last[hit.event.b] = hit.b;
    clocks[index(hit.event.a)] = clocks[index(hit.event.b)] = hit.event.t;
  }
  for (std::size_t i = 0; i < last.bodies.size(); ++i) {
    const RigidMotion motion = dynamics::fly_freely(run.scene, run.scene.bodies[i], last.bodies[i]);
    const BodyState end = dynamics::state_on(motion, 0.7 - clocks[i]);
    EXPECT_LT((end.x - run[i].x).norm() + (end.v - run[i].v).norm(), 1e-13) << i;
    EXPECT_LT(end.q.angularDistance(run[i].q), 1e-7) << i;
  }
}

}  // namespace
}  // namespace carom::methods
