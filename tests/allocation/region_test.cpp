// A query of a pair asks for no memory once its buffers have grown.
#include <gtest/gtest.h>

#include "allocation/count.h"
#include "support/motion_cases.h"

namespace carom::geometry {
namespace {

long allocations_in_queries(const std::vector<support::MotionCase>& cases, TouchSearch& search,
                            std::vector<TouchTime>& touches) {
  const long before = support::allocations;
  for (const support::MotionCase& c : cases) {
    touches.clear();
    const MovingShape a{c.a, c.X_AS, c.motion_a}, b{c.b, c.X_BS, c.motion_b};
    EXPECT_EQ(find_times_of_contact(a, b, c.query, search, touches), TouchStatus::Complete);
  }
  return support::allocations - before;
}

TEST(PairQueries, AskForNoMemoryOnceWarm) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  std::vector<support::MotionCase> cases;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    cases.push_back(support::MotionCases(seed).next());
  }
  TouchSearch search;
  std::vector<TouchTime> touches;
  allocations_in_queries(cases, search, touches);
  EXPECT_EQ(allocations_in_queries(cases, search, touches), 0);
}

}  // namespace
}  // namespace carom::geometry
