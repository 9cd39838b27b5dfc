#include "carom/base/workers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace carom::base {
namespace {

TEST(Workers, CallEveryIndexOnce) {
  for (const int threads : {1, 2, 4}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (const std::size_t count : {0U, 1U, 7U, 64U, 1000U}) {
      for (const std::size_t grain : {1U, 3U, 64U}) {
        std::vector<int> calls(count, 0);
        auto body = [&](std::size_t i) { ++calls[i]; };
        workers.for_each(count, grain, body);
        EXPECT_EQ(calls, std::vector<int>(count, 1)) << threads << ' ' << count << ' ' << grain;
      }
    }
  }
}

std::vector<double> sines(int threads) {
  Workers workers(threads);
  std::vector<double> values(5000);
  auto body = [&](std::size_t i) { values[i] = std::sin(static_cast<double>(i)); };
  for (int repeat = 0; repeat < 20; ++repeat) workers.for_each(values.size(), 16, body);
  return values;
}

TEST(Workers, GiveTheSameResultForAnyNumberOfThreads) {
  const std::vector<double> alone = sines(1);
  EXPECT_EQ(sines(2), alone);
  EXPECT_EQ(sines(4), alone);
}

TEST(Workers, PassOnTheFirstExceptionInIndexOrder) {
  for (const int threads : {1, 2, 4}) {
    Workers workers(threads);
    auto body = [](std::size_t i) {
      if (i % 100 == 37) throw std::runtime_error(std::to_string(i));
    };
    try {
      workers.for_each(1000, 10, body);
      FAIL() << "no exception with " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "37") << threads;
    }
  }
}

TEST(Workers, WorkOnAfterAnException) {
  Workers workers(4);
  auto bad = [](std::size_t) { throw std::runtime_error("bad"); };
  EXPECT_THROW(workers.for_each(100, 1, bad), std::runtime_error);
  std::vector<int> calls(100, 0);
  auto good = [&](std::size_t i) { ++calls[i]; };
  workers.for_each(calls.size(), 1, good);
  EXPECT_EQ(calls, std::vector<int>(100, 1));
}

TEST(Workers, KeepSmallLoopsInTheCallingThread) {
  Workers workers(4);
  const auto caller = std::this_thread::get_id();
  auto body = [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); };
  workers.for_each(64, 64, body);
}

}  // namespace
}  // namespace carom::base
