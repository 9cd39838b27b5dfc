#include "carom/base/bytes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::base {
namespace {

struct Pair {
  std::int32_t id = 0, unused = 0;
  double value = 0;
};

struct GapWithin {
  std::int32_t id = 0;
  double value = 0;
};
struct GapAtTheEnd {
  std::array<double, 3> values{};
  bool flag = false;
};

// Bytes that nobody sets would differ from run to run.
static_assert(WithoutGaps<Pair> && WithoutGaps<double> && WithoutGaps<std::array<std::int32_t, 3>>);
static_assert(!WithoutGaps<GapWithin> && !WithoutGaps<GapAtTheEnd>);

TEST(Bytes, AreTakenOffInTheOrderTheyWerePutOn) {
  std::string bytes;
  append_bytes(bytes, std::int64_t{-7});
  append_bytes(bytes, std::vector<Pair>{{1, 0, 0.1}, {2, 0, -0.0}});
  append_bytes(bytes, std::vector<double>{});
  append_bytes(bytes, HUGE_VAL);
  append_bytes(bytes, true);

  std::string_view left = bytes;
  std::int64_t number = 0;
  std::vector<Pair> pairs(5);
  std::vector<double> none{1, 2};
  double infinite = 0;
  bool flag = false;
  take_bytes(left, number);
  take_bytes(left, pairs);
  take_bytes(left, none);
  take_bytes(left, infinite);
  take_bytes(left, flag);
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(number, -7);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].id, 1);
  EXPECT_EQ(pairs[0].value, 0.1);
  EXPECT_TRUE(std::signbit(pairs[1].value));
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(infinite, HUGE_VAL);
  EXPECT_TRUE(flag);
}

TEST(Bytes, LeaveWhatFollowsThem) {
  std::string bytes;
  append_bytes(bytes, std::vector<std::uint8_t>{1, 2, 3});
  bytes += "the rest";
  std::string_view left = bytes;
  std::vector<std::uint8_t> values;
  take_bytes(left, values);
  EXPECT_EQ(left, "the rest");
}

// Cut anywhere, also where the length itself is cut or promises more than memory could hold.
TEST(Bytes, ThatAreCutShortAreRefused) {
  std::string whole;
  append_bytes(whole, std::vector<double>{1, 2, 3});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::string_view cut = std::string_view(whole).substr(0, length);
    std::vector<double> values;
    EXPECT_ANY_THROW(take_bytes(cut, values)) << length;
  }
  std::string boast;
  append_bytes(boast, ~std::uint64_t{0});
  boast += "12345678";
  std::string_view left = boast;
  std::vector<double> values;
  EXPECT_ANY_THROW(take_bytes(left, values));
  EXPECT_TRUE(values.empty());
}

}  // namespace
}  // namespace carom::base
