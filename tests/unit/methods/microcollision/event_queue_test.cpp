// The calendar against the standard library's ordered set of the same events.
#include "carom/methods/microcollision/balls/event_queue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <tuple>

#include "carom/base/random.h"

namespace carom::methods {
namespace {

using Times = std::vector<double>;
constexpr double kForever = std::numeric_limits<double>::infinity();

// Takes events out of both and gives each item taken a later one, and now and then another item a
// new one, until `steps` have been compared.
void compare(const Times& first, const std::function<double(double now)>& later, int steps) {
  EventQueue queue;
  queue.fill(first);
  using Key = std::tuple<double, std::size_t, std::int32_t>;  // time, how early it was set, item
  std::set<Key> twin;
  std::vector<Key> keys;
  std::size_t settings = 0;
  const auto note = [&](std::int32_t item, double time) {
    keys[static_cast<std::size_t>(item)] = {time, settings++, item};
    if (std::isfinite(time)) twin.insert(keys[static_cast<std::size_t>(item)]);
  };
  keys.resize(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) note(static_cast<std::int32_t>(i), first[i]);
  base::Random random(7);
  const auto set = [&](std::int32_t item, double time) {
    twin.erase(keys[static_cast<std::size_t>(item)]);
    note(item, time);
    queue.set(item, time);
  };
  for (int step = 0; step < steps && !twin.empty(); ++step) {
    const auto event = queue.pop(kForever);
    ASSERT_TRUE(event.has_value());
    ASSERT_EQ(event->item, std::get<2>(*twin.begin())) << "at step " << step;
    twin.erase(twin.begin());
    const double now = event->time;
    set(event->item, later(now));
    if (step % 3 == 0) {
      set(static_cast<std::int32_t>(random.next() % first.size()), later(now));
    }
    ASSERT_EQ(queue.size(), twin.size());
  }
}

Times make_times(std::size_t count, const std::function<double()>& next) {
  Times times(count);
  for (double& time : times) time = next();
  return times;
}

TEST(EventQueue, GivesRandomTimesInOrder) {
  base::Random random(1);
  const auto wait = [&] { return -std::log(1 - random.uniform()); };
  for (const std::size_t count : {1U, 10U, 1000U, 20000U}) {
    compare(make_times(count, wait), [&](double now) { return now + wait(); }, 60000);
  }
}

TEST(EventQueue, GivesTimesThatSpanManyOrdersInOrder) {
  base::Random random(2);
  const auto wait = [&] { return std::pow(10, random.uniform(-12, 3)); };
  compare(make_times(3000, wait), [&](double now) { return now + wait(); }, 60000);
}

TEST(EventQueue, GivesClusteredTimesInOrder) {
  base::Random random(3);
  const auto wait = [&] { return std::floor(random.uniform(0, 3)) + 1e-9 * random.uniform(); };
  compare(make_times(3000, wait), [&](double now) { return std::floor(now) + 1 + wait(); }, 60000);
}

TEST(EventQueue, GivesEqualTimesInTheOrderInWhichTheyWereSet) {
  compare(Times(5000, 0.25), [](double now) { return now + 1; }, 30000);
  compare(Times(5000, 0.0), [](double now) { return now; }, 30000);
}

TEST(EventQueue, GivesNothingForItemsThatHaveNoEvent) {
  base::Random random(4);
  const auto some = [&] { return random.uniform() < 0.5 ? kForever : random.uniform(); };
  compare(
      make_times(1000, some),
      [&](double now) { return random.uniform() < 0.01 ? kForever : now + random.uniform(); },
      30000);
  EventQueue queue;
  queue.fill(Times(3, kForever));
  EXPECT_FALSE(queue.pop(kForever).has_value());
}

// Rates that change a millionfold make the first width a bad one.
TEST(EventQueue, FollowsEventsThatComeFasterAndSlower) {
  base::Random random(5);
  int drawn = 0;
  const auto wait = [&] { return (++drawn / 20000 % 2 == 0 ? 1 : 1e-6) * random.uniform(); };
  compare(make_times(2000, wait), [&](double now) { return now + wait(); }, 150000);
}

TEST(EventQueue, KeepsWhatIsLaterThanAskedFor) {
  EventQueue queue;
  queue.fill(Times{2, 1, 3});
  EXPECT_EQ(queue.pop(1.5)->item, 1);
  EXPECT_FALSE(queue.pop(1.5).has_value());
  EXPECT_EQ(queue.pop(2.5)->item, 0);
  EXPECT_EQ(queue.size(), 1U);
}

}  // namespace
}  // namespace carom::methods
