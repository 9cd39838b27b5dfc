// The physics of many collisions at once: the pressure of hard balls, and how balls that lose
// energy cool. The same with more balls: campaigns gas.
#include <gtest/gtest.h>

#include "reference/gas_laws.h"

namespace carom {
namespace {

TEST(HardBallGas, HasThePressureOfCarnahanAndStarling) {
  for (const double packing : {0.1, 0.4}) {
    const reference::Pressure found =
        reference::measure_pressure({.per_side = 16, .packing = packing}, 300, 200);
    ASSERT_TRUE(found.ok);
    const double expected = reference::carnahan_starling(found.packing);
    EXPECT_NEAR(found.compressibility / expected, 1, 0.01) << packing;
    EXPECT_LT(std::abs(found.energy_change), 1e-10);
  }
}

TEST(GranularGas, CoolsByHaffsLaw) {
  const double restitution = 0.9;
  const reference::Cooling found =
      reference::measure_cooling({.packing = 0.1, .restitution = restitution}, 60);
  ASSERT_TRUE(found.ok);
  EXPECT_LT(found.final_temperature, 0.2);
  EXPECT_NEAR(found.loss_per_collision / ((1 - restitution * restitution) / 3), 1, 0.02);
  EXPECT_NEAR(found.bend, 0, 0.03);
}

}  // namespace
}  // namespace carom
