// A sample of the campaign of moving pairs: `campaigns motion` runs a million.
#include <gtest/gtest.h>

#include "reference/motion_check.h"

namespace carom {
namespace {

TEST(Motion, OfRandomPairsHasNoContactMissedAndNoneEarly) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const support::MotionCase c = support::MotionCases(seed).next();
    const reference::MotionErrors errors = reference::check_motion(c);
    EXPECT_FALSE(errors.capped) << "seed " << seed;
    EXPECT_EQ(errors.missed, 0) << "seed " << seed << " at " << errors.missed_at << " s";
    EXPECT_LE(errors.early, reference::MotionErrors::kSurface) << "seed " << seed;
  }
}

}  // namespace
}  // namespace carom
