// Laws that solve for all contacts at once allocate nothing once their memory has grown.
#include <gtest/gtest.h>

#include "allocation/count.h"
#include "carom/impact/laws/guendelman.h"
#include "carom/impact/laws/poisson.h"
#include "carom/impact/laws/simultaneous.h"
#include "support/problems.h"

namespace carom::impact {
namespace {

using support::allocations;

// A box that lands on four corners with a ball on top of it.
contact::ContactProblem make_landing() {
  support::Bodies bodies = support::make_point_masses({1, 0.3}, {0, 0});
  bodies.state.bodies[1].x = Vec3(0.2, 0, 1);
  for (BodyState& body : bodies.state.bodies) body.v = Vec3(0.4, 0.1, -1);
  std::vector<support::ContactSpec> contacts;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5})
      contacts.push_back({0, -1, Vec3(x, y, -0.5), Vec3::UnitZ(), 0.4, 0.3});
  }
  contacts.push_back({1, 0, Vec3(0.2, 0, 0.5), Vec3::UnitZ(), 0.6, 0.5});
  return support::make_problem(bodies, contacts);
}

template <typename Law>
long allocations_when_warm(const Law& law) {
  const contact::ContactProblem problem = make_landing();
  ImpactWorkspace work;
  contact::Impulses impulses;
  for (int i = 0; i < 3; ++i) static_cast<void>(resolve(law, problem, work, impulses));
  const long before = allocations;
  for (int i = 0; i < 10; ++i) static_cast<void>(resolve(law, problem, work, impulses));
  return allocations - before;
}

TEST(ImpactLaws, AllocateNothingWhenWarm) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  EXPECT_EQ(allocations_when_warm(Simultaneous{}), 0);
  EXPECT_EQ(allocations_when_warm(Poisson{}), 0);
  EXPECT_EQ(allocations_when_warm(Guendelman{}), 0);
}

}  // namespace
}  // namespace carom::impact
