// Orders of elimination against the fill that elimination of a dense pattern finds.
#include "carom/math/elimination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "carom/base/random.h"

namespace carom::math {
namespace {

using Couples = std::vector<Elimination::Couple>;

class Pattern {
 public:
  Pattern(std::size_t size, const Couples& couples) : next_to_(size) {
    for (const auto& [a, b] : couples) join(a, b);
  }

  // Whose entries arise when `stretch` is eliminated: its neighbours, who become one another's.
  std::set<std::int32_t> eliminate(std::int32_t stretch) {
    const std::set<std::int32_t> around = of(stretch);
    for (const std::int32_t a : around) {
      of(a).erase(stretch);
      for (const std::int32_t b : around) join(a, b);
    }
    return around;
  }

 private:
  std::set<std::int32_t>& of(std::int32_t i) { return next_to_[static_cast<std::size_t>(i)]; }
  void join(std::int32_t a, std::int32_t b) {
    if (a == b) return;
    of(a).insert(b);
    of(b).insert(a);
  }

  std::vector<std::set<std::int32_t>> next_to_;
};

// Every entry that arises when stretches are eliminated one by one has its place, and no other has.
void expect_places_of_fill(const Elimination& found, std::size_t size, const Couples& couples) {
  Pattern pattern(size, couples);
  for (std::size_t column = 0; column < size; ++column) {
    std::set<std::int32_t> expected;
    for (const std::int32_t i : pattern.eliminate(found.stretch(column)))
      expected.insert(found.position(i));
    const auto below = found.below(column);
    EXPECT_TRUE(std::ranges::equal(below, expected)) << "column " << column;
    for (std::size_t k = 0; k < below.size(); ++k)
      EXPECT_EQ(found.place(static_cast<std::int32_t>(column), below[k]), found.first(column) + k);
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
