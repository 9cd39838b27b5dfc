// The audit computes a scene's forces itself: a motion that ignores them does not pass.
#include "carom/audit/force_work.h"

#include <gtest/gtest.h>

#include "carom/audit/ledger.h"
#include "carom/dynamics/held_forces.h"
#include "support/scenes.h"

namespace carom::audit {
namespace {

constexpr double kStep = 1e-3, kAllowed = 4;  // as in limits.cpp

// A ball on a spring of 100 N/m to the origin, with drag.
Scene make_scene() {
  return support::build(
      {.gravity = Vec3::Zero(),
       .bodies = {support::make_ball("ball", 0.1, Vec3(0.2, 0, 0), Vec3(0.5, 1, 0))},
       .forces = {model::SpringSpec{
                      .between = {"ball"}, .anchor_b = Vec3(0, 0, 0), .stiffness = 100, .rest = 0},
                  model::DragSpec{.linear = 0.5}}});
}

// A hundred steps, under the scene's forces or none.
LedgerTotals fly(bool with_forces) {
  const Scene scene = make_scene();
  const dynamics::AppliedForces forces(scene);
  dynamics::HeldForces held(forces, scene);
  State state = dynamics::make_initial_state(scene), middle = state;
  Ledger ledger;
  ledger.begin(scene, state, {});
  Flight flight;
  for (int i = 0; i < 100; ++i) {
    held.hold(state, kStep);
    const std::vector<Wrench> none(1);
    dynamics::fly(scene, state, with_forces ? held.wrenches() : none, kStep, flight);
    const State start = state;
    flight.state_at(kStep, state);
    ledger.enter({flight, {}}, {start, middle, state});
  }
  return ledger.totals;
}

TEST(ForceWork, ExplainsAMotionUnderTheSceneForces) {
  const LedgerTotals totals = fly(true);
  EXPECT_LE(totals.max_energy_error, kAllowed * totals.forces_energy_off + 1e-14);
  EXPECT_LE(totals.max_momentum_error, kAllowed * totals.forces_impulse_off + 1e-14);
  EXPECT_LT(totals.forces_energy_off, 1e-4);  // of 2.6 J
  EXPECT_NEAR(totals.stored_initial, 0.5 * 100 * 0.04, 1e-12);
}

TEST(ForceWork, DoesNotExplainOneThatIgnoresThem) {
  const LedgerTotals totals = fly(false);
  EXPECT_GT(totals.max_energy_error, 100 * kAllowed * totals.forces_energy_off);
  EXPECT_GT(totals.max_momentum_error, 100 * kAllowed * totals.forces_impulse_off);
}

}  // namespace
}  // namespace carom::audit
