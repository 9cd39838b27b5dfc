// The system of equations of elastic contacts: rates that satisfy it, and its Jacobian against
// differences.
#include "carom/methods/elastic/cluster_equations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/methods/elastic/near_pairs.h"
#include "support/scenes.h"

namespace carom::methods {
namespace {

constexpr double kRadius = 0.05, kDepth = 5e-6;

struct Bench {
  Bench(const support::SceneParts& parts, bool stick)
      : scene(support::build(parts)),
        workers(1),
        pairs(scene, workers),
        bodies(scene, std::vector<double>(scene.bodies.size(), 0.0)),
        near(scene, pairs),
        applied(scene),
        board(scene, applied),
        system(scene, touches, bodies, board) {
    options.stick = stick;
    state = dynamics::make_initial_state(scene);
  }

  // The state is what it is now; pairs have approached faster before, or never.
  void begin(double fastest = 1) {
    board.now = state;
    bodies.begin(state);
    near.watch(state, std::vector<double>(state.bodies.size(), 0.01), bodies);
    touches = {};
    for (std::size_t k = 0; k < near.size(); ++k) {
      const contact::Contact at = near.query(k).find_nearest(scene, state);
      if (at.at.gap > -1e-12) continue;
      ElasticContact touch = begin_touch(near.query(k), at);
      touch.fastest = fastest;
      touch.slot = 0;  // it has a bristle
      if (touches.all.size() < bristles.size()) touch.bristle = bristles[touches.all.size()];
      touches.all.push_back(touch);
      touches.queries.push_back(&near.query(k));
    }
    std::vector<BodyId> cluster;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      if (scene.bodies[i].is_dynamic()) cluster.push_back(id_of<BodyId>(i));
    system.begin(cluster, !scene.joints.empty(), options, 0);
    system.lay_out();
    y.resize(system.size());
    rate.resize(system.size());
    system.pack({y.data(), y.size()});
    system.find_rates(0, y, {rate.data(), rate.size()});
  }
  VecX residual(const VecX& at, const VecX& moving) {
    VecX out(at.size());
    EXPECT_TRUE(system.residual(0, at, moving, {out.data(), out.size()}));
    return out;
  }
  MatX jacobian(double c) {
    const solvers::SparsePattern& pattern = system.pattern();
    VecX values(static_cast<math::Index>(pattern.rows.size()));
    system.jacobian(0, c, y, rate, {values.data(), values.size()});
    MatX dense = MatX::Zero(y.size(), y.size());
    for (std::size_t column = 0; column + 1 < pattern.starts.size(); ++column)
      for (auto i = pattern.starts[column]; i < pattern.starts[column + 1]; ++i)
        dense(pattern.rows[static_cast<std::size_t>(i)], static_cast<math::Index>(column)) =
            values[i];
    return dense;
  }

  Scene scene;
  base::Workers workers;
  contact::Pairs pairs;
  BodyTracks bodies;
  NearPairs near;
  Touches touches;
  dynamics::AppliedForces applied;
  ClusterScratch board;
  ClusterEquations system;
  Elastic options;
  State state;
  std::vector<std::array<double, 3>> bristles;  // straight, where none is given
  VecX y, rate;
};

// A few numbers of y that belong together, with a length by which to vary them.
struct Part {
  std::string name;
  math::Index first, count;
  double step;
};

std::vector<Part> parts_of(const Bench& bench) {
  std::vector<Part> parts;
  math::Index at = 0;
  for (std::size_t i = 0; i < bench.scene.bodies.size(); ++i) {
    const Body& body = bench.scene.bodies[i];
    if (!body.is_dynamic()) continue;
    const double inertia = body.inertia.trace() / 3, slow = bench.options.stick ? 1e-9 : 1e-6;
    parts.push_back({"x" + std::to_string(i), at, 3, 1e-9});
    parts.push_back({"q" + std::to_string(i), at + 3, 4, 1e-9 / body.radius});
    parts.push_back({"v" + std::to_string(i), at + 7, 3, slow});
    parts.push_back({"L" + std::to_string(i), at + 10, 3, slow * inertia / body.radius});
    at += 13;
  }
  if (at < bench.y.size()) parts.push_back({"rest", at, bench.y.size() - at, 1e-7});
  return parts;
}

// ∂F/∂y + c ∂F/∂y' by differences.
MatX differentiate(Bench& bench, double c) {
  MatX found(bench.y.size(), bench.y.size());
  for (const Part& part : parts_of(bench)) {
    for (math::Index k = part.first; k < part.first + part.count; ++k) {
      VecX after = bench.y, before = bench.y, faster = bench.rate, slower = bench.rate;
      after[k] += part.step;
      before[k] -= part.step;
      faster[k] += 1;
      slower[k] -= 1;
      found.col(k) = (bench.residual(after, bench.rate) - bench.residual(before, bench.rate)) /
                         (after[k] - before[k]) +
                     0.5 * c * (bench.residual(bench.y, faster) - bench.residual(bench.y, slower));
    }
  }
  return found;
}

// Everything to `relative` of its block but the columns of places, which lack what turns: those may
// be off by `turning` times the force (a velocity's, L's, a bristle's row).
struct Turning {
  double velocity = 0, momentum = 0, rest = 0, attitude = 0;
};
void expect_right_jacobian(Bench& bench, double c, const Turning& turning) {
  constexpr double kRelative = 1e-5;
  const MatX expected = differentiate(bench, c), found = bench.jacobian(c);
  for (const Part& row : parts_of(bench)) {
    for (const Part& column : parts_of(bench)) {
      const MatX block = expected.block(row.first, column.first, row.count, column.count);
      const MatX off = found.block(row.first, column.first, row.count, column.count) - block;
      const bool place = column.name[0] == 'x' || column.name[0] == 'q';
      double allowed = kRelative * block.norm() + 1e-12;
      if (place && row.name[0] == 'v') allowed += turning.velocity;
      if (place && row.name[0] == 'L') allowed += turning.momentum;
      if (place && row.name == "rest") allowed += turning.rest;
      if (place && row.name[0] == 'q') allowed += turning.attitude;
      EXPECT_LE(off.norm(), allowed)
          << row.name << " by " << column.name << ", of " << block.norm();
    }
  }
}

support::SceneParts two_balls() {
  return {
      .between = {.restitution = 0.5, .friction = 0.3},
      .bodies = {
          support::make_ground(), support::make_ball("one", kRadius, Vec3(0, 0, kRadius - kDepth)),
          support::make_ball("two", kRadius, Vec3(2 * kRadius - kDepth, 0, kRadius - kDepth))}};
}

void move_balls(Bench& bench, double speed) {
  bench.state.bodies[1].v = speed * Vec3(0.5, 0.2, -0.1);
  bench.state.bodies[1].w = speed / kRadius * Vec3(0.1, -0.3, 0.4);
  bench.state.bodies[2].v = speed * Vec3(-0.3, 0.1, -0.2);
  bench.state.bodies[2].w = speed / kRadius * Vec3(-0.2, 0.5, 0.1);
  bench.state.bodies[2].q = Quat(0.5, 0.1, -0.3, 0.8).normalized();
}

double greatest_force(Bench& bench) {
  double force = 0;
  for (const Node& node : bench.system.loads().nodes()) force = std::max(force, node.force.norm());
  return force;
}

TEST(ClusterEquations, RatesSatisfyTheEquations) {
  for (const bool stick : {false, true}) {
    Bench bench(two_balls(), stick);
    move_balls(bench, 0.1);
    bench.begin();
    ASSERT_EQ(bench.touches.all.size(), 3U);
    const VecX left = bench.residual(bench.y, bench.rate);
    EXPECT_LT(left.norm(), 1e-13 * bench.rate.norm());
  }
}

TEST(ClusterEquations, JacobianOfTwoBallsWithRegularisedFriction) {
  for (const double speed : {1e-3, 0.1, -0.1}) {
    Bench bench(two_balls(), false);
    move_balls(bench, std::abs(speed));
    bench.begin(speed > 0 ? 1 : 0);
    const double force = greatest_force(bench);
    expect_right_jacobian(bench, 1e4,
                          {.velocity = 4 * force / kRadius, .momentum = 4 * force, .attitude = 3});
  }
}

TEST(ClusterEquations, JacobianOfTwoBallsThatStick) {
  for (const double speed : {1e-6, 1e-3}) {
    Bench bench(two_balls(), true);
    move_balls(bench, speed);
    bench.bristles = {{0.3, -0.4, 0}, {0.1, 0.2, 0}, {0, 0.2, -0.3}};
    bench.begin();
    const double force = greatest_force(bench);
    double bend = 0;
    for (const Node& each : bench.system.loads().nodes())
      bend = std::max(bend, each.bristle.by_velocity.norm() * speed +
                                bench.system.loads().bristle_rates()[each.touch].by_bristle.norm());
    expect_right_jacobian(bench, 1e4,
                          {.velocity = 4 * force / kRadius,
                           .momentum = 4 * force,
                           .rest = 4 * bend / kRadius,
                           .attitude = 3});
  }
}

TEST(ClusterEquations, JacobianOfABoxOnAPlane) {
  for (const bool stick : {false, true}) {
    Bench bench({.between = {.friction = 0.3},
                 .bodies = {support::make_ground(), support::make_box("box", Vec3(0.2, 0.2, 0.2),
                                                                      Vec3(0, 0, 0.1 - kDepth))}},
                stick);
    bench.state.bodies[1].v = Vec3(1e-6, 2e-6, -1e-5);
    if (stick) bench.bristles = {{0.2, -0.1, 0}};
    bench.begin();
    const double force = 4 * greatest_force(bench);
    expect_right_jacobian(
        bench, 1e4,
        {.velocity = 4 * force / 0.1, .momentum = 4 * force, .rest = 1e-6, .attitude = 3});
  }
}

support::SceneParts hinged() {
  return {.bodies = {support::make_box("one", Vec3(0.2, 0.2, 0.2), Vec3(0, 0, 0)),
                     support::make_box("two", Vec3(0.2, 0.2, 0.2), Vec3(0.3, 0, 0))},
          .joints = {{.name = "hinge",
                      .type = model::JointType::Hinge,
                      .between = {"one", "two"},
                      .anchor = Vec3(0.15, 0, 0),
                      .axis = Vec3::UnitY()}}};
}

// Both turn about the hinge, one faster than the other.
void swing(Bench& bench) {
  bench.state.bodies[0].w = Vec3(0, 0.5, 0);
  bench.state.bodies[1].w = Vec3(0, -0.7, 0);
  bench.state.bodies[0].v = Vec3(0.1, 0.2, 0.3);
  const Vec3 hook = bench.state.bodies[0].v + Vec3(0, 0.5, 0).cross(Vec3(0.15, 0, 0));
  bench.state.bodies[1].v = hook - Vec3(0, -0.7, 0).cross(Vec3(-0.15, 0, 0));
}

TEST(ClusterEquations, RatesOfAHingedPairKeepItTogether) {
  Bench bench(hinged(), true);
  swing(bench);
  bench.begin();
  const VecX left = bench.residual(bench.y, bench.rate);
  // Rows give way by a part of the acceleration they hold back.
  EXPECT_LT(left.norm(), 1.01e-10 * (0.5 * 0.5 + 0.7 * 0.7) * 0.15);
  // Pulled by each other: by the centrifugal force of both, and no more.
  const Vec3 pull = bench.rate.segment<3>(7) + Vec3(0, 0, 9.81);
  EXPECT_NEAR(pull.x(), 0.5 * (0.5 * 0.5 + 0.7 * 0.7) * 0.15, 1e-9);
  EXPECT_NEAR(pull.y(), 0, 1e-9);
  EXPECT_NEAR(bench.rate[13 + 7], -pull.x(), 1e-9);
}

TEST(ClusterEquations, JacobianOfAHingedPair) {
  Bench bench(hinged(), true);
  swing(bench);
  bench.begin();
  const double pull = 0.06;
  expect_right_jacobian(
      bench, 1e4,
      {.velocity = 4 * pull / 0.15, .momentum = 4 * pull, .rest = 4 * 1.2, .attitude = 3});
}

// A joint's multipliers enter by their integrals: that c sees them is what makes the index one.
TEST(ClusterEquations, TheMatrixOfAHingedPairCanBeInverted) {
  Bench bench(hinged(), true);
  bench.begin();
  const MatX j = bench.jacobian(1e4);
  const VecX some = VecX::Ones(j.rows());
  EXPECT_LT((j * j.partialPivLu().solve(some) - some).norm(), 1e-8);
}

TEST(ClusterEquations, PackAndUnpackAreInverse) {
  Bench bench(two_balls(), true);
  move_balls(bench, 0.1);
  bench.begin();
  bench.system.unpack(0.25, bench.y);
  const State& back = bench.board.now;
  EXPECT_EQ(back.t, 0.25);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT((back.bodies[i].x - bench.state.bodies[i].x).norm(), 1e-15);
    EXPECT_LT((back.bodies[i].w - bench.state.bodies[i].w).norm(), 1e-12);
    EXPECT_LT((back.bodies[i].q.coeffs() - bench.state.bodies[i].q.coeffs()).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace carom::methods
