// Exact contact forces and held rows allocate nothing once their memory has grown.
#include <gtest/gtest.h>

#include "allocation/count.h"
#include "carom/resting/hold.h"
#include "support/statics.h"

namespace carom::resting {
namespace {

TEST(ContactForces, AllocateNothingWhenAskedAgain) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  const support::Stack wall = support::make_wall(3, 4, [](int) { return 1.0; });
  const auto problem = support::make_problem(wall.bodies, wall.contacts);
  auto without = support::under_gravity(problem);
  const std::vector<Hold> held(problem.contacts.size(), Hold::NormalAndTangents);
  base::Workers workers(1);
  ContactForces solver(workers);
  Holder holder(workers);
  contact::Impulses forces = support::no_forces(problem), impulses;
  const auto use_them = [&] {
    for (int call = 0; call < 20; ++call) {
      for (Vec3& each : without.contacts) each.x() += call % 2 == 0 ? 0.3 : -0.3;
      EXPECT_EQ(solver.solve(problem, without.rates(), 1e-9, {}, forces).status,
                ForceStatus::Converged);
      holder.hold(problem, held, without.rates(), impulses);
    }
  };
  use_them();
  const long before = support::allocations;
  use_them();
  EXPECT_EQ(support::allocations - before, 0);
}

}  // namespace
}  // namespace carom::resting
