// Contacts between bodies that turn, under forces that are constant over a step: what sticks does
// not creep, what rolls keeps its energy, and forces between bodies keep their angular momentum.
#include <gtest/gtest.h>

#include "carom/math/rotation.h"
#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

struct LastState : record::Sink {
  void output(const State& now) override { state = now; }
  State state;
};

// Friction has to be ω² r / g of the weight, 0.95 of what it can be.
void carry_a_block_round(const std::string& method, double creep) {
  constexpr double kSpin = 3, kRadius = 0.3, kStep = 1e-3;
  const Scene scene =
      support::build({.between = {.friction = kSpin * kSpin * kRadius / (0.95 * 9.81)},
                      .bodies = support::make_turntable(kSpin, kRadius),
                      .method = {method, {{"step", kStep}}},
                      .duration = 2 * M_PI / kSpin});
  Simulation simulation(scene);
  LastState last;
  simulation.add(last);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished && summary.audit.passed());
  const Vec3& x = last.state[BodyId{1}].x;
  EXPECT_NEAR(std::hypot(x.x(), x.y()), kRadius, creep);
  const double turn = kSpin * kStep;  // second order: it is off by a part of (ωh)² of its way
  EXPECT_NEAR(x.y(), 0, 0.25 * turn * turn * 2 * M_PI * kRadius);
}

TEST(Turntable, CarriesABlockRoundWithoutCreep) {
  carry_a_block_round("zeno-free", 1e-9);
  carry_a_block_round("time-stepping", 1e-6);
}

// An ellipsoid that lies askew rolls and rocks without slip: forces do no work. Where they are
// those of the middle of a step, energy is off by a part of (ωh)².
TEST(TimeStepping, RollsAnEllipsoidInSecondOrder) {
  double last = 0;
  for (const double step : {2e-3, 1e-3, 5e-4}) {
    model::BodySpec egg{.name = "egg", .position = Vec3(0, 0, 0.05)};
    egg.shapes = {{.shape = geometry::Ellipsoid{Vec3(0.1, 0.06, 0.05)}}};
    egg.velocity = Vec3(1, 0.5, 0);
    egg.angular_velocity = Vec3(-0.5, 1, 0) / 0.05;
    const Scene scene = support::build({.between = {.friction = 2},
                                        .bodies = {support::make_ground(), egg},
                                        .method = {"time-stepping", {{"step", step}}},
                                        .duration = 0.05});
    Simulation simulation(scene, {.step_error = false});
    const record::Summary summary = simulation.run();
    EXPECT_TRUE(summary.finished && summary.audit.passed());
    const double error = std::abs(summary.audit.energy_final - summary.audit.energy_initial);
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / error), 2, 0.5) << step;
    }
    last = error;
  }
}

struct FlightCount : LastState {
  void segment(const record::Segment&) override { ++flights; }
  int flights = 0;
};

// A box of half sides a and c falls about its lower edge, on which friction holds it: its energy
// gives ω at every height z of its centre, 2/3 (a² + c²) ω² = g (z₀ - z). Where forces are constant
// over a flight of length s the edge drifts by ω³ r s³: within the touching distance one to three
// of these make a step.
struct Fallen {
  double speed_error;  // of ω, relative
  Vec3 edge;           // m; where it began
  double flights;      // in a step
};
Fallen fall_about_an_edge(double step) {
  constexpr double kA = 0.1, kC = 0.5, kLean = 0.5, kDuration = 0.25;
  const auto height = [](double lean) { return kA * std::sin(lean) + kC * std::cos(lean); };
  const Vec3 center(kC * std::sin(kLean) - kA * std::cos(kLean), 0, height(kLean));
  model::BodySpec box = support::make_box("box", Vec3(2 * kA, 0.4, 2 * kC), center);
  box.orientation = math::quat_exp(Vec3(0, kLean, 0));
  const Scene scene = support::build({.between = {.friction = 2},
                                      .bodies = {support::make_ground(), box},
                                      .method = support::zeno_free(step),
                                      .duration = kDuration});
  Simulation simulation(scene, {.step_error = false});
  FlightCount last;
  simulation.add(last);
  EXPECT_TRUE(simulation.run().finished);
  const BodyState& end = last.state[BodyId{1}];
  const double lean = 2 * std::atan2(end.q.y(), end.q.w());
  const double w2 = 1.5 * 9.81 * (center.z() - height(lean)) / (kA * kA + kC * kC);
  return {end.w.y() / std::sqrt(w2) - 1, end.x + end.q * Vec3(kA, 0, -kC),
          last.flights * step / kDuration};
}

TEST(PivotingBox, FallsAboutItsEdgeInFewFlights) {
  const Fallen coarse = fall_about_an_edge(1e-3), fine = fall_about_an_edge(5e-4);
  EXPECT_NEAR(coarse.speed_error / fine.speed_error, 4, 0.5);  // second order
  EXPECT_LT(std::abs(coarse.speed_error), 1e-5);
  EXPECT_LT(std::abs(coarse.edge.z()), 1e-9);
  EXPECT_LT(coarse.edge.norm(), 1e-7);
  EXPECT_LE(coarse.flights, 3);
}

// A box, a ball and a cube with friction in a hollow box, all of them falling: nothing from outside
// turns them.
TEST(Cage, KeepsTheAngularMomentumOfWhatSlidesInIt) {
  model::BodySpec cage{.name = "cage", .mass = 5, .angular_velocity = Vec3(0.3, 1.1, -0.7)};
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      Vec3 half(1, 1, 1), at = Vec3::Zero();
      half[axis] = 0.05;
      at[axis] = side;
      model::ShapeSpec& wall = cage.shapes.emplace_back();
      wall.shape = geometry::Box{half};
      wall.pose.p = at;
    }
  }
  const auto thrown = [](model::BodySpec body, double mass, const Vec3& velocity,
                         const Vec3& spin) {
    body.mass = mass;
    body.velocity = velocity;
    body.angular_velocity = spin;
    return body;
  };
  const Scene scene = support::build(
      {.between = {.friction = 0.4},
       .bodies = {cage,
                  thrown(support::make_box("box", Vec3(0.3, 0.4, 0.5), Vec3(0.4, 0.3, 0.2)), 1,
                         Vec3(1, 2, 0.5), Vec3(3, 1, 2)),
                  thrown(support::make_ball("ball", 0.2, Vec3(-0.5, -0.4, 0.1)), 2,
                         Vec3(-1, 0.4, 1.5), Vec3(0, 5, 2)),
                  thrown(support::make_box("cube", Vec3(0.3, 0.3, 0.3), Vec3(-0.4, 0.5, -0.4)), 0.5,
                         Vec3(0.3, -2, 0.5), Vec3(1, 4, -2))},
       .method = support::zeno_free(1e-3),
       .duration = 0.3});
  const record::Summary summary = Simulation(scene).run();
  EXPECT_TRUE(summary.finished && summary.audit.passed());
  EXPECT_LT(summary.audit.angular_momentum_error, 1e-10);  // N m s
}

// A ball rolls down the side of another that rolls away from under it: their relative acceleration
// is that of a weight, and the moments of the two forces between them cancel all the same.
TEST(BallOnABall, KeepsTheAngularMomentumOfBoth) {
  const Scene scene = support::build(
      {.between = {.friction = 0.5},
       .bodies = {support::make_ground(), support::make_ball("lower", 0.1, Vec3(0, 0, 0.1)),
                  support::make_ball("upper", 0.1, Vec3(0.06, 0.08, 0.1 + 0.1 * std::sqrt(3.0)))},
       .method = support::zeno_free(1e-3),
       .duration = 0.15});
  const record::Summary summary = Simulation(scene).run();
  EXPECT_TRUE(summary.finished && summary.audit.passed());
  EXPECT_LT(summary.audit.angular_momentum_error, 1e-11);  // N m s
}

// Nothing slips and nothing bounces: the energy of weight and motion stays, to some (ωh)² of the
// 0.12 J that it swings by, with ω of up to 3.5 rad/s.
TEST(RockingEgg, KeepsItsEnergy) {
  constexpr double kLean = 0.3;
  const Vec3 radii(0.2, 0.2, 0.1);
  model::BodySpec egg{
      .name = "egg",
      .shapes = {{.shape = geometry::Ellipsoid{radii}}},
      .mass = 1,
      .position = Vec3(0, 0, std::hypot(0.2 * std::sin(kLean), 0.1 * std::cos(kLean))),
      .orientation = math::quat_exp(kLean * Vec3::UnitY())};
  const Scene scene = support::build({.between = {.friction = 0.9},
                                      .bodies = {support::make_ground(), egg},
                                      .method = support::zeno_free(1e-3),
                                      .duration = 0.3});
  const record::Summary summary = Simulation(scene).run();
  EXPECT_TRUE(summary.finished && summary.audit.passed());
  EXPECT_NEAR(summary.audit.energy_final, summary.audit.energy_initial, 5e-6);
}

}  // namespace
}  // namespace carom::simulation
