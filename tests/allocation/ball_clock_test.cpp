// Balls with clocks of their own collide without asking for memory once theirs has grown.
#include "carom/methods/microcollision/balls/ball_clock.h"

#include <gtest/gtest.h>

#include "allocation/count.h"
#include "support/gas.h"

namespace carom::methods {
namespace {

TEST(BallClock, AllocatesNothingAfterTheFirstFrame) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "malloc belongs to the sanitizer";
#endif
  for (const int per_side : {4, 18}) {  // few, and so many that they are put in order
    support::SceneParts parts = support::make_gas_parts({.per_side = per_side, .packing = 0.3});
    parts.gravity = Vec3(0, 0, -1);
    parts.between = {.restitution = 0.9, .friction = 0.3};
    const Scene scene = support::build(parts);
    State state = support::heat(scene, 1);
    BallClock clock(scene, {});
    ASSERT_TRUE(clock.advance(state, 0.1, nullptr).ok());
    const long before = support::allocations;
    for (int frame = 2; frame <= 10; ++frame) {
      ASSERT_TRUE(clock.advance(state, 0.1 * frame, nullptr).ok());
    }
    EXPECT_EQ(support::allocations - before, 0) << per_side;
  }
}

}  // namespace
}  // namespace carom::methods
