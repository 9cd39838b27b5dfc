// Orders of elimination against the fill that elimination of a dense pattern finds.
#include "carom/math/elimination.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "carom/base/random.h"

namespace carom::math {
namespace {

using Couples = std::vector<Elimination::Couple>;

std::vector<std::vector<char>> make_pattern(std::size_t size, const Couples& couples) {
  std::vector<std::vector<char>> pattern(size, std::vector<char>(size, 0));
  for (const auto& [a, b] : couples) {
    pattern[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = 1;
    pattern[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = 1;
  }
  return pattern;
}

// Every entry that arises when stretches are eliminated one by one has its place, and no other has.
void expect_places_of_fill(const Elimination& found, std::size_t size, const Couples& couples) {
  auto pattern = make_pattern(size, couples);
  std::vector<char> gone(size, 0);
  for (std::size_t column = 0; column < size; ++column) {
    const auto pivot = static_cast<std::size_t>(found.stretch(column));
    gone[pivot] = 1;
    std::vector<std::int32_t> expected;
    for (std::size_t i = 0; i < size; ++i)
      if (!gone[i] && pattern[pivot][i] != 0)
        expected.push_back(found.position(static_cast<std::int32_t>(i)));
    std::sort(expected.begin(), expected.end());
    const auto below = found.below(column);
    EXPECT_TRUE(std::ranges::equal(below, expected)) << "column " << column;
    for (std::size_t k = 0; k < below.size(); ++k)
      EXPECT_EQ(found.place(static_cast<std::int32_t>(column), below[k]), found.first(column) + k);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        if (i != j && !gone[i] && !gone[j] && pattern[pivot][i] != 0 && pattern[pivot][j] != 0)
          pattern[i][j] = 1;
  }
}

TEST(Elimination, HasAPlaceForEveryEntryThatArises) {
  base::Random random(3);
  Elimination elimination;  // the same one for all, as a solver keeps it
  for (int trial = 0; trial < 60; ++trial) {
    const auto size = 1 + random.next() % 20;
    Couples couples;
    for (auto left = random.next() % (3 * size); left > 0; --left)
      couples.emplace_back(random.next() % size, random.next() % size);
    Couples given = couples;
    elimination.set(size, given);
    ASSERT_EQ(elimination.size(), size);
    expect_places_of_fill(elimination, size, couples);
  }
}

TEST(Elimination, FillsNothingInATree) {
  base::Random random(9);
  Couples couples;
  const int size = 50;
  for (int i = 1; i < size; ++i) couples.emplace_back(i, random.next() % static_cast<unsigned>(i));
  Elimination elimination;
  elimination.set(size, couples);
  EXPECT_EQ(elimination.entries(), 49u);
}

TEST(Elimination, IsFoundAgainOnlyWhenThePatternChanges) {
  Elimination elimination;
  Couples couples = {{0, 1}, {1, 2}}, again = {{2, 1}, {1, 0}, {0, 1}}, other = {{0, 2}, {1, 2}};
  EXPECT_TRUE(elimination.set(3, couples));
  EXPECT_FALSE(elimination.set(3, again));
  EXPECT_TRUE(elimination.set(3, other));
  EXPECT_TRUE(elimination.set(4, other));
}

}  // namespace
}  // namespace carom::math
