// A sample of the campaign of random impacts: `campaigns impacts` runs a hundred thousand.
#include <gtest/gtest.h>

#include "reference/impact_check.h"
#include "support/gauss_seidel_laws.h"

namespace carom {
namespace {

using reference::ImpactErrors;

void expect_right(const ImpactErrors& e, std::uint64_t seed, const char* law) {
  EXPECT_TRUE(e.right()) << "seed " << seed << ", " << law << ": ended " << e.ended << ", gained "
                         << e.gained << ", lost " << e.lost << ", pull " << e.pull
                         << ", approach left " << e.approach << ", joint " << e.joint
                         << ", unprovoked " << e.unprovoked << ", idle " << e.idle
                         << ", lineality off by " << e.lineality;
}

TEST(GaussSeidelLaws, DoWhatIsAskedOfThemOnRandomProblems) {
  impact::ImpactWorkspace work;
  contact::Impulses impulses;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const support::ImpactCase c = support::make_impact_case(seed);
    for (const support::GaussSeidelLaw& law : support::kGaussSeidelLaws) {
      const auto result = law.resolve(c.problem, 0, work, impulses);
      expect_right(reference::check_impact(c, result, impulses), seed, law.name);
      if (c.lineality > 0) continue;
      const auto once = law.resolve(c.problem, 1, work, impulses);
      expect_right(reference::check_application(c, once, impulses), seed, law.name);
    }
  }
}

}  // namespace
}  // namespace carom
