#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carom/base/check.h"
#include "carom/base/diagnostics.h"
#include "carom/base/ids.h"
#include "carom/base/random.h"
#include "carom/base/tolerances.h"

namespace carom::base {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Check, PassesInSilenceWhenItHolds) { EXPECT_NO_THROW(check(true, "one is one")); }

TEST(Check, NamesThePlaceAndTheValuesWhenItFails) {
  try {
    check(false, "index in range", std::source_location::current(), 7, 3.5);
    FAIL() << "a failed check must throw";
  } catch (const CheckFailure& failure) {
    EXPECT_THAT(failure.what(), AllOf(HasSubstr("base_test.cpp:"), HasSubstr("index in range"),
                                      HasSubstr("7 3.5")));
  }
}

TEST(Ids, AreTheirPositionInTheArray) {
  EXPECT_EQ(index(id_of<BodyId>(41)), 41U);
  EXPECT_LT(id_of<JointId>(1), id_of<JointId>(2));
  static_assert(!std::is_convertible_v<BodyId, JointId>);
}

TEST(Tolerances, ScaleWithLengthAndSpeed) {
  const Tolerances metres = make_tolerances(2, 5, 3);
  const Tolerances millimetres = make_tolerances(2000, 5000, 3000);
  EXPECT_DOUBLE_EQ(millimetres.gap, 1000 * metres.gap);
  EXPECT_DOUBLE_EQ(millimetres.velocity, 1000 * metres.velocity);
  EXPECT_DOUBLE_EQ(millimetres.rest_speed, 1000 * metres.rest_speed);
}

// The published sequence of SplitMix64 for this seed (Steele, Lea, Flood; reference code by Vigna).
TEST(Random, GivesThePublishedSequence) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
}

TEST(Random, FillsItsIntervalEvenly) {
  Random random(1);
  double sum = 0, sum_of_squares = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform(-1, 3);
    ASSERT_GE(x, -1);
    ASSERT_LT(x, 3);
    sum += x;
    sum_of_squares += x * x;
  }
  const double mean = sum / kDraws;  // 1, with a standard deviation of 2/√3/√n = 0.0037
  EXPECT_NEAR(mean, 1, 0.015);
  EXPECT_NEAR(sum_of_squares / kDraws - mean * mean, 4.0 / 3, 0.02);  // (b - a)²/12
}

TEST(Diagnostic, ReadsAsFileLinePlaceFoundExpectedHint) {
  const Diagnostic all{"/bodies/2/mas", "\"mas\"", "a key of a body", "mass", "a.json", 12};
  EXPECT_EQ(to_string(all),
            "a.json:12: /bodies/2/mas: found \"mas\", expected a key of a body; did you mean "
            "\"mass\"?");
  EXPECT_EQ(to_string({"", "nothing", "", "", "", 3}), "line 3: (document): found nothing");
}

TEST(BadInput, CarriesEveryProblemAtOnce) {
  const BadInput error({{"/a", "1", "", "", "", 0}, {"/b", "2", "", "", "", 0}});
  EXPECT_STREQ(error.what(), "/a: found 1\n/b: found 2");
  EXPECT_EQ(error.diagnostics().size(), 2U);
}

TEST(NearestName, FindsTheMisspeltOne) {
  const std::vector<std::string> names = {"sphere", "box", "capsule", "cylinder"};
  EXPECT_EQ(find_nearest_name("shpere", names), "sphere");
  EXPECT_EQ(find_nearest_name("cilynder", names), "cylinder");
  EXPECT_EQ(find_nearest_name("bx", names), "box");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(find_nearest_name("quaternion", {"box", "cone"}), "");
  EXPECT_EQ(find_nearest_name(std::string(1000, 'x'), {"box"}), "");
  EXPECT_EQ(find_nearest_name("box", {}), "");
}

}  // namespace
}  // namespace carom::base
