// The damping of elastic contacts against the first integral of the law, D - ln(1 + D) =
// -e D - ln(1 - e D), and its limits. Forces are judged in unit/simulation/elastic_forces_test.cpp.
#include "carom/audit/elastic_forces.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::audit {
namespace {

TEST(DampingProduct, GivesBackTheRestitution) {
  for (const double e : {0.1, 0.5, 0.9, 0.999}) {
    const double D = damping_product(e);
    EXPECT_NEAR(D - std::log1p(D), -e * D - std::log1p(-e * D), 1e-12 * (1 + D)) << e;
    EXPECT_GT(D, 0);
  }
  EXPECT_NEAR(damping_product(0.999), 1.5 * 0.001, 1e-5);
  EXPECT_NEAR(damping_product(1e-3), 1e3, 1e-9);  // where 1 - e D vanishes
  EXPECT_EQ(damping_product(1), 0);
}

}  // namespace
}  // namespace carom::audit
