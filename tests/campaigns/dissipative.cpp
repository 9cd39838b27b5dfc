// Random impacts through the laws that do not keep energy, against what each promises: impulses
// push, energy does not grow, nothing approaches afterwards, joints hold; recomputed in long
// double. Half of the problems are free, half squeezed (support/impact_cases.h), with restitution
// one for all, one each, or 1, and friction in half of them. Problem i of seed s is problem 0 of
// seed s + i.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "campaigns/campaigns.h"
#include "carom/impact/laws/guendelman.h"
#include "carom/impact/laws/poisson.h"
#include "carom/impact/laws/simultaneous.h"
#include "reference/impact_check.h"

namespace carom::campaigns {

namespace {

using impact::ImpactResult;
using support::ImpactCase;

constexpr double kWrong = 1e-9;  // of the energy or speed before

struct Tally {
  std::vector<int> iterations;
  int wrong = 0, ended_inelastically = 0, failed = 0, bounded = 0;
  double gain = 0, pull = 0, approach = 0, joint = 0;

  void add(const ImpactCase& c, const ImpactResult& result, const contact::Impulses& impulses) {
    const reference::ImpactErrors errors = reference::check_impact(c, result, impulses);
    const reference::LongContacts exact(c.problem);
    const reference::LongVec before = reference::velocity_of(c.bodies.state);
    const long double energy = exact.energy(before);
    const auto change = static_cast<double>(
        (exact.energy(reference::velocity_after(exact, impulses, before)) - energy) / energy);
    iterations.push_back(result.iterations);
    gain = std::max(gain, change);
    pull = std::max(pull, errors.pull);
    approach = std::max(approach, errors.approach);
    joint = std::max(joint, errors.joint);
    const bool right = errors.ended && change <= kWrong && errors.pull <= kWrong &&
                       errors.approach <= kWrong && errors.joint <= kWrong;
    wrong += right ? 0 : 1;
    ended_inelastically += result.fallbacks.inelastic_end > 0 ? 1 : 0;
    failed += result.fallbacks.failed > 0 ? 1 : 0;
    bounded += result.fallbacks.energy_bound > 0 ? 1 : 0;
  }

  void print(const char* name) {
    std::sort(iterations.begin(), iterations.end());
    const auto percentile = [&](double part) {
      const auto last = static_cast<double>(iterations.size() - 1);
      return iterations[static_cast<std::size_t>(part * last)];
    };
    std::printf(
        "%-24s %6zu problems  %d wrong  gain %.1e  pull %.1e  approach %.1e  joint %.1e\n"
        "%-24s iterations %d, 90 %% %d, 99 %% %d, most %d  ended inelastically %d  failed %d  "
        "bounded %d\n",
        name, iterations.size(), wrong, gain, pull, approach, joint, "", percentile(0.5),
        percentile(0.9), percentile(0.99), iterations.back(), ended_inelastically, failed, bounded);
  }
};

ImpactCase make_case(std::uint64_t seed) {
  support::ImpactCases cases(seed);
  ImpactCase made = seed % 2 == 0 ? cases.next_free() : cases.next_squeezed();
  base::Random random(seed);
  const double e = random.uniform();
  for (contact::ContactRow& row : made.problem.contacts) {
    row.restitution = seed % 3 == 0 ? random.uniform() : seed % 3 == 1 ? e : 1;
    row.friction = seed % 4 < 2 ? 0 : random.uniform();
  }
  return made;
}

template <typename Law>
int run(const char* name, const Law& law, std::size_t most_contacts, const Options& options) {
  impact::ImpactWorkspace work;
  contact::Impulses impulses;
  Tally tally;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(options.problems); ++i) {
    const ImpactCase c = make_case(options.seed + i);
    if (c.problem.contacts.size() > most_contacts) continue;
    const ImpactResult result = resolve(law, c.problem, work, impulses);
    tally.add(c, result, impulses);
  }
  if (tally.iterations.empty()) return 0;
  tally.print(name);
  return tally.wrong;
}

}  // namespace

int run_dissipative(const Options& options) {
  using impact::Simultaneous;
  int wrong = run("simultaneous", Simultaneous{}, 200, options);
  wrong += run("simultaneous, heuristic", Simultaneous{.solver = Simultaneous::Solver::Heuristic},
               60, options);
  wrong += run("poisson, 8 sides", impact::Poisson{.sides = 8}, 20, options);
  wrong += run("guendelman", impact::Guendelman{}, 200, options);
  return wrong == 0 ? 0 : 1;
}

}  // namespace carom::campaigns
