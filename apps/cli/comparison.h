// Runs of one scene beside the most exact of them, and what there is to say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report_page.h"
#include "run_differences.h"
#include "side_runs.h"

namespace carom::cli {

struct Reference {
  std::size_t run = 0;  // of the runs
  std::string why;
};

// Of those that ran: first those that finished and passed their audit; among them by how exact the
// method is for rigid bodies, and zeno-free before analytic unless its step is too long. None where
// nothing ran.
std::optional<Reference> choose_reference(const std::vector<SideRun>& runs);

struct MethodComparison {
  std::string scene;
  double duration = 0;  // s
  double size = 0;      // m; runs have parted where a body is off by more
  std::vector<SideRun> runs;
  std::optional<Reference> reference{};
  std::vector<std::optional<RunDifferences>> differences{};  // of each run to the reference
};

// Reads the recordings, two at a time.
void compare_with_reference(const Scene& scene, MethodComparison& comparison);

void print_comparison(const Scene& scene, const MethodComparison& comparison);
Report make_report(const Scene& scene, const MethodComparison& comparison);
std::string to_json(const Scene& scene, const MethodComparison& comparison);

}  // namespace carom::cli
