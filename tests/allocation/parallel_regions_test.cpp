// Bodies with clocks of their own, in several regions, ask for no memory once theirs has grown.
#include <gtest/gtest.h>

#include "allocation/count.h"
#include "support/course.h"

namespace carom::methods {
namespace {

TEST(ParallelRegions, AllocatesNothingOnceWarm) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "malloc belongs to the sanitizer";
#endif
  support::SceneParts parts{.between = {.friction = 0.5}, .bodies = {support::make_ground()}};
  for (int i = 0; i < 12; ++i) {
    parts.bodies.push_back(support::make_box("box" + std::to_string(i), Vec3(1, 1, 1),
                                             Vec3(3 * (i / 3), 0, 0.5 + i % 3)));
  }
  support::Course run(parts, {}, 2);
  const auto advance = [&](int first, int last) {
    for (int frame = first; frame <= last; ++frame) {
      run.collisions.clear();
      EXPECT_TRUE(run.advance(frame / 30.0).ok());
    }
  };
  advance(1, 60);  // collisions of a frame vary in number
  const long before = support::allocations;
  advance(61, 80);
  EXPECT_EQ(support::allocations - before, 0);
  EXPECT_GT(run.regions.regions(), 1U);
}

}  // namespace
}  // namespace carom::methods
