// The broad phase allocates nothing once its memory has grown.
#include "carom/geometry/broad_phase/broad_phase.h"

#include <gtest/gtest.h>

#include "allocation/count.h"
#include "carom/base/random.h"

namespace carom::geometry {
namespace {

TEST(BroadPhase, AllocatesNothingWhenAskedAgain) {
#ifdef CAROM_ALLOCATIONS_UNSEEN
  GTEST_SKIP() << "malloc belongs to the sanitizer";
#endif
  base::Random random(1);
  std::vector<Box3> boxes;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 low(random.uniform(0, 10), random.uniform(0, 10), random.uniform(0, 10));
    boxes.push_back({low, low + Vec3::Constant(random.uniform(0.01, 1))});
  }
  BroadPhase broad_phase;
  std::vector<std::int32_t> partners;
  const auto use_it = [&] {
    for (int call = 0; call < 200; ++call) {
      for (Box3& box : boxes) {
        const Vec3 drift = Vec3::Constant(call % 2 == 0 ? 0.02 : -0.02);
        box.low += drift;
        box.high += drift;
      }
      broad_phase.find_overlaps(boxes);
      const auto i = static_cast<std::size_t>(call);
      broad_phase.move(call, {boxes[i].low, boxes[i].high + Vec3::Ones()});
      broad_phase.overlaps_with(call, partners);
    }
  };
  use_it();
  const long before = support::allocations;
  use_it();
  EXPECT_EQ(support::allocations - before, 0);
}

}  // namespace
}  // namespace carom::geometry
