// Random impacts through the Gauss–Seidel-like laws against what Vouga et al. ask of them,
// recomputed in long double. Of four problems in turn two are free, one is squeezed, one is whole
// (support/impact_cases.h). Problem i of seed s is problem 0 of seed s + i. Reaching a law's cap is
// counted, not failed: cones can be so thin that millions of reflections are right.
#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "campaigns/campaigns.h"
#include "reference/impact_check.h"
#include "support/gauss_seidel_laws.h"

namespace carom::campaigns {

namespace {

using reference::ImpactErrors;
using support::ImpactCase;

constexpr std::array kKinds{"free", "squeezed", "whole"};

struct Tally {
  std::vector<int> iterations;
  std::int64_t wrong = 0, capped = 0, miscounted = 0;
  ImpactErrors worst;

  void add(int taken, const ImpactErrors& e) {
    iterations.push_back(taken);
    wrong += e.sound() ? 0 : 1;
    capped += e.ended ? 0 : 1;
    miscounted += e.lineality != 0 ? 1 : 0;
    if (!e.ended || e.lineality != 0) return;
    keep(e);
  }
  void keep(const ImpactErrors& e) {
    worst.gained = std::max(worst.gained, e.gained);
    worst.lost = std::max(worst.lost, e.lost);
    worst.pull = std::max(worst.pull, e.pull);
    worst.approach = std::max(worst.approach, e.approach);
    worst.joint = std::max(worst.joint, e.joint);
  }
  void add(const Tally& other) {
    iterations.insert(iterations.end(), other.iterations.begin(), other.iterations.end());
    wrong += other.wrong;
    capped += other.capped;
    miscounted += other.miscounted;
    keep(other.worst);
  }
  int percentile(double part) const {
    const auto last = static_cast<double>(iterations.size() - 1);
    return iterations[static_cast<std::size_t>(part * last)];
  }
};

using Tallies = std::array<std::array<Tally, support::kGaussSeidelLaws.size()>, kKinds.size()>;

void print_wrong(std::uint64_t seed, const char* kind, const char* law, const ImpactErrors& e) {
  std::printf(
      "seed %llu %s %s:%s%s%s%s gained %.2g lost %.2g pull %.2g approach %.2g joint %.2g "
      "unprovoked %.2g, lineality off by %d\n",
      static_cast<unsigned long long>(seed), kind, law, e.ended ? "" : " not ended",
      e.finite ? "" : " not finite", e.tangential ? " tangential" : "", e.idle ? " idle" : "",
      e.gained, e.lost, e.pull, e.approach, e.joint, e.unprovoked, e.lineality);
}

void print_tallies(Tallies& all) {
  std::printf(
      "\n| problems | law | count | iterations: median | 90 %% | 99 %% | 99.9 %% | most | at the "
      "cap | "
      "dimension wrong | energy gained | lost | pull | approach left |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    for (std::size_t law = 0; law < support::kGaussSeidelLaws.size(); ++law) {
      Tally& t = all[kind][law];
      if (t.iterations.empty()) continue;
      std::sort(t.iterations.begin(), t.iterations.end());
      std::printf(
          "| %s | %s | %zu | %d | %d | %d | %d | %d | %lld | %lld | %.1e | %.1e | %.1e | %.1e |\n",
          kKinds[kind], support::kGaussSeidelLaws[law].name, t.iterations.size(), t.percentile(0.5),
          t.percentile(0.9), t.percentile(0.99), t.percentile(0.999), t.iterations.back(),
          static_cast<long long>(t.capped), static_cast<long long>(t.miscounted), t.worst.gained,
          t.worst.lost, t.worst.pull, t.worst.approach);
    }
  }
}

class Worker {
 public:
  Worker(std::mutex& guard, int& printed) : guard_(guard), printed_(printed) {}

  void check(std::uint64_t seed) {
    const std::size_t kind = support::kind_of(seed);
    const ImpactCase c = support::make_impact_case(seed);
    for (std::size_t law = 0; law < support::kGaussSeidelLaws.size(); ++law) {
      const support::GaussSeidelLaw& under_test = support::kGaussSeidelLaws[law];
      const auto result = under_test.resolve(c.problem, 0, work_, impulses_);
      ImpactErrors errors = reference::check_impact(c, result, impulses_);
      tallies[kind][law].add(result.iterations, errors);
      report(seed, kind, under_test.name, errors);
      if (c.lineality > 0) continue;
      const auto once = under_test.resolve(c.problem, 1, work_, impulses_);
      errors = reference::check_application(c, once, impulses_);
      tallies[kind][law].wrong += errors.sound() ? 0 : 1;
      report(seed, kind, under_test.name, errors);
    }
  }

  Tallies tallies;

 private:
  void report(std::uint64_t seed, std::size_t kind, const char* law, const ImpactErrors& errors) {
    if (errors.sound()) return;
    const std::lock_guard lock(guard_);
    if (printed_++ < 40) print_wrong(seed, kKinds[kind], law, errors);
  }

  std::mutex& guard_;
  int& printed_;
  impact::ImpactWorkspace work_;
  contact::Impulses impulses_;
};

}  // namespace

int run_impacts(const Options& options) {
  Tallies all;
  std::mutex guard;
  int printed = 0;
  const auto work = [&](int thread) {
    Worker worker(guard, printed);
    for (std::int64_t i = thread; i < options.problems; i += options.threads)
      worker.check(options.seed + static_cast<std::uint64_t>(i));
    const std::lock_guard lock(guard);
    for (std::size_t kind = 0; kind < all.size(); ++kind) {
      for (std::size_t law = 0; law < all[kind].size(); ++law)
        all[kind][law].add(worker.tallies[kind][law]);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < options.threads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  print_tallies(all);
  std::int64_t wrong = 0;
  for (const auto& laws : all) {
    for (const Tally& tally : laws) wrong += tally.wrong;
  }
  std::printf("\n%lld problems, %lld failures\n", static_cast<long long>(options.problems),
              static_cast<long long>(wrong));
  return wrong == 0 ? 0 : 1;
}

}  // namespace carom::campaigns
