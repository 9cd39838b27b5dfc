// Times of contact of random pairs in flight against dense samples in long double. Case i of seed s
// is case 0 of seed s + i.
#include <algorithm>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "campaigns/campaigns.h"
#include "reference/motion_check.h"

namespace carom::campaigns {

namespace {

using reference::MotionErrors;
using support::MotionCase;

struct Totals {
  std::int64_t pairs = 0, touching = 0, impacts = 0, grazes = 0;
  std::int64_t missed = 0, early = 0, capped = 0;
  double deepest = 0, farthest = 0;

  void add(const MotionCase& c, const MotionErrors& e) {
    add({1, c.touching ? 1 : 0, e.impact ? 1 : 0, e.touches - (e.impact ? 1 : 0),
         e.missed > 0 ? 1 : 0, e.early > MotionErrors::kSurface ? 1 : 0, e.capped ? 1 : 0, e.missed,
         e.early});
  }
  void add(const Totals& other) {
    pairs += other.pairs;
    touching += other.touching;
    impacts += other.impacts;
    grazes += other.grazes;
    missed += other.missed;
    early += other.early;
    capped += other.capped;
    deepest = std::max(deepest, other.deepest);
    farthest = std::max(farthest, other.farthest);
  }
};

void print_case(const MotionCase& c, const MotionErrors& e, std::uint64_t seed) {
  std::printf("seed %llu %s %s%s: missed by %.3g tolerances at %.6g s, early by %.3g%s\n",
              static_cast<unsigned long long>(seed), support::kShapeNames[c.kind_a],
              support::kShapeNames[c.kind_b], c.touching ? " touching" : "", e.missed, e.missed_at,
              e.early, e.capped ? ", at a cap" : "");
}

void print_totals(const Totals& t) {
  std::printf(
      "%lld pairs, %lld of them touching at the start: %lld impacts, %lld touches without impact\n"
      "missed %lld (deepest %.2g tolerances), off the surfaces %lld (farthest point %.2g), "
      "%lld at an iteration cap\n",
      static_cast<long long>(t.pairs), static_cast<long long>(t.touching),
      static_cast<long long>(t.impacts), static_cast<long long>(t.grazes),
      static_cast<long long>(t.missed), t.deepest, static_cast<long long>(t.early), t.farthest,
      static_cast<long long>(t.capped));
}

}  // namespace

int run_motion(const Options& options) {
  Totals all;
  std::mutex guard;
  int printed = 0;
  const auto work = [&](int thread) {
    Totals mine;
    for (std::int64_t i = thread; i < options.pairs; i += options.threads) {
      const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(i);
      const MotionCase c = support::MotionCases(seed).next();
      const MotionErrors errors = reference::check_motion(c);
      mine.add(c, errors);
      if (!errors.wrong() && !errors.capped) continue;
      const std::lock_guard lock(guard);
      if (printed++ < 40) print_case(c, errors, seed);
    }
    const std::lock_guard lock(guard);
    all.add(mine);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < options.threads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  print_totals(all);
  return all.missed + all.early + all.capped == 0 ? 0 : 1;
}

}  // namespace carom::campaigns
