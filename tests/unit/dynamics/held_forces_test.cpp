// Dampers held over a step against the implicit midpoint rule, solved as one dense system; and what
// forces of a scene are at a state.
#include "carom/dynamics/held_forces.h"

#include <gtest/gtest.h>

#include "support/scenes.h"

namespace carom::dynamics {
namespace {

using support::make_ball;

// Three balls in a row, with dampers of any stiffness between neighbours and drag on the last:
// (M + h/2 D) v̄ = M v₀, f = -D v̄.
TEST(HeldForces, DampersAreThoseOfTheImplicitMidpointRule) {
  const double h = 0.01, masses[] = {1, 2, 0.5}, speeds[] = {3, -1, 4};
  for (const double c : {1e-2, 1e1, 1e3}) {
    std::vector<model::BodySpec> bodies;
    for (std::size_t i = 0; i < 3; ++i) {
      bodies.push_back(make_ball(std::to_string(i), 0.1, Vec3(static_cast<double>(i), 0, 0)));
      bodies.back().mass = masses[i];
      bodies.back().velocity = Vec3(speeds[i], 0, 0);
    }
    const Scene scene = support::build(
        {.gravity = Vec3::Zero(),
         .bodies = bodies,
         .forces = {model::SpringSpec{.between = {"0", "1"}, .damping = c},
                    model::SpringSpec{.between = {"1", "2"}, .damping = 2 * c, .rest = 0},
                    model::DragSpec{.bodies = {"2"}, .linear = c}}});
    const AppliedForces forces(scene);
    HeldForces held(forces, scene);
    held.hold(make_initial_state(scene), h);
    EXPECT_TRUE(held.converged());
    const Mat3 M = Vec3(masses[0], masses[1], masses[2]).asDiagonal();
    Mat3 D;
    D << c, -c, 0, -c, 3 * c, -2 * c, 0, -2 * c, 3 * c;
    const Vec3 v0(speeds[0], speeds[1], speeds[2]);
    const Vec3 f = -D * (M + h / 2 * D).inverse() * (M * v0);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(held.wrenches()[i].force.x(), f[static_cast<int>(i)], 1e-9 * f.norm()) << c;
  }
}

TEST(HeldForces, CostNothingWhereNothingIsApplied) {
  const Scene scene = support::build({.bodies = {make_ball("ball", 0.1, Vec3::Zero())}});
  const AppliedForces forces(scene);
  HeldForces held(forces, scene);
  held.hold(make_initial_state(scene), 0.01);
  EXPECT_TRUE(held.empty());
  EXPECT_TRUE(held.wrenches().empty());
}

// A spring between points off the centres of two boxes: forces opposed, moments about any point
// too.
TEST(AppliedForces, OfASpringAreOpposed) {
  const Scene scene =
      support::build({.gravity = Vec3::Zero(),
                      .bodies = {support::make_box("a", Vec3(1, 1, 1), Vec3::Zero()),
                                 support::make_box("b", Vec3(1, 1, 1), Vec3(3, 1, 0))},
                      .forces = {model::SpringSpec{.between = {"a", "b"},
                                                   .anchor = Vec3(0.5, 0.2, 0.1),
                                                   .anchor_b = Vec3(2.5, 1, 0.4),
                                                   .stiffness = 7,
                                                   .rest = 1}}});
  const State state = make_initial_state(scene);
  AppliedWrenches found;
  AppliedForces(scene).evaluate(state, found);
  const Vec3 d = Vec3(2.5, 1, 0.4) - Vec3(0.5, 0.2, 0.1);
  const Vec3 force = 7 * (d.norm() - 1) * d.normalized();
  EXPECT_LT((found.all[0].force - force).norm(), 1e-12);
  EXPECT_LT((found.all[1].force + force).norm(), 1e-12);
  EXPECT_LT((found.all[0].torque - Vec3(0.5, 0.2, 0.1).cross(force)).norm(), 1e-12);
  const Vec3 moment =
      found.all[0].torque + found.all[1].torque + state.bodies[1].x.cross(found.all[1].force);
  EXPECT_LT(moment.norm(), 1e-12);
  EXPECT_NEAR(compute_potential(scene, state), 3.5 * (d.norm() - 1) * (d.norm() - 1), 1e-12);
}

}  // namespace
}  // namespace carom::dynamics
