#include "comparison.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "carom/base/diagnostics.h"
#include "carom/io/outputs.h"

namespace carom::cli {

namespace {

struct Exactness {
  std::string_view method, why;
};

// For rigid bodies; elastic ones are another model, to which stiffness comes as an error.
constexpr std::array<Exactness, 6> kMostExactFirst = {{
    {"zeno-free", "impacts at their exact times, exact flight between them"},
    {"analytic", "impacts and contacts at located times, integrated to a tolerance"},
    {"naive", "impacts at their exact times"},
    {"microcollision", "exact flight, but resting contact made of collisions"},
    {"elastic", "integrated to a tolerance, but of bodies that give"},
    {"time-stepping", "impacts at the ends of steps"},
}};

std::size_t rank_of(const std::string& method) {
  const auto* found = std::ranges::find(kMostExactFirst, method, &Exactness::method);
  return static_cast<std::size_t>(found - kMostExactFirst.begin());
}

bool has_long_step(const SideRun& run) {
  const auto& error = run.summary["step_error"];
  return error.is_object() && error["too_long"];
}

bool has_passed(const SideRun& run) {
  return run.ending == Ending::Finished && run.summary["audit"]["verdict"] == "passed";
}

std::string reason_for(const SideRun& run) {
  const std::size_t rank = rank_of(run.contender.method);
  std::string why(rank < kMostExactFirst.size() ? kMostExactFirst[rank].why : "the only one");
  if (has_long_step(run)) why += ", though its step is too long";
  if (!has_passed(run)) why += "; no run finished and passed its audit";
  return why;
}

}  // namespace

std::optional<Reference> choose_reference(const std::vector<SideRun>& runs) {
  const auto key = [](const SideRun& run) {
    return std::tuple(!run.has_run(), run.ending != Ending::Finished,
                      run.has_run() && !has_passed(run), run.has_run() && has_long_step(run),
                      rank_of(run.contender.method));
  };
  const auto best = std::ranges::min_element(runs, {}, key);
  if (best == runs.end() || !best->has_run()) return {};
  return Reference{static_cast<std::size_t>(best - runs.begin()), reason_for(*best)};
}

void compare_with_reference(const Scene& scene, MethodComparison& comparison) {
  comparison.differences.resize(comparison.runs.size());
  comparison.reference = choose_reference(comparison.runs);
  if (!comparison.reference) return;
  const std::size_t chosen = comparison.reference->run;
  const record::Trace reference = io::read_recording(comparison.runs[chosen].recording);
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    SideRun& run = comparison.runs[i];
    if (i == chosen || !std::filesystem::exists(run.recording)) continue;
    try {
      comparison.differences[i] =
          find_differences(scene, reference, io::read_recording(run.recording), comparison.size);
    } catch (const base::BadInput&) {
      run.reason += "; it left no recording that can be read";
    }
  }
}

}  // namespace carom::cli
