// Distance queries allocate nothing, whatever the shapes and however they lie.
#include <gtest/gtest.h>

#include "allocation/count.h"
#include "support/distance_cases.h"

namespace carom::geometry {
namespace {

TEST(DistanceAllocation, NoQueryAsksForMemory) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "malloc is not ours to count";
#endif
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const support::DistanceCase c = support::DistanceCases(seed).next();
    DistanceHint hint;
    const long before = support::allocations;
    const Distance found = compute_distance({c.a, c.X_WA}, {c.b, c.X_WB}, hint);
    EXPECT_EQ(support::allocations - before, 0) << "seed " << seed << ", value " << found.value;
  }
}

}  // namespace
}  // namespace carom::geometry
