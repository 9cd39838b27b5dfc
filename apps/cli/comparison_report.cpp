#include <fmt/format.h>

#include "comparison.h"

namespace carom::cli {

namespace {

ReportRun describe(const MethodComparison& comparison, std::size_t number) {
  const SideRun& run = comparison.runs[number];
  ReportRun shown{.page = run.page, .label = run.contender.label()};
  if (run.ending != Ending::Finished) shown.rows.emplace_back("stopped", run.reason);
  shown.rows.emplace_back("wall time",
                          fmt::format("{:.3g} s", run.summary["wall_seconds"].get<double>()));
  if (number == comparison.reference->run)
    shown.rows.emplace_back("the others are compared with it", comparison.reference->why);
  return shown;
}

void add_differences(const Scene& scene, const RunDifferences& differences, double size,
                     ReportRun& run, Report& report) {
  report.differences.push_back({run.label, differences.times, differences.greatest});
  const std::string small = length_text(size);
  if (differences.parting) {
    const auto& [t, body] = *differences.parting;
    report.marks.push_back({t, fmt::format("{} parts: {} is off by more than {}", run.label,
                                           scene.body(body).name, small)});
    run.rows.emplace_back("parts", fmt::format("at {:.4g} s", t));
  } else {
    run.rows.emplace_back("parts", "never by more than " + small);
  }
  run.rows.emplace_back("moved at the end", length_text(differences.greatest.back()));
}

}  // namespace

// Runs that were ended before they could write a page have no place in it.
Report make_report(const Scene& scene, const MethodComparison& comparison) {
  Report report;
  report.runs.push_back(describe(comparison, comparison.reference->run));
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (i == comparison.reference->run || !comparison.runs[i].has_run()) continue;
    report.runs.push_back(describe(comparison, i));
    const auto& differences = comparison.differences[i];
    if (differences && !differences->times.empty())
      add_differences(scene, *differences, comparison.size, report.runs.back(), report);
  }
  return report;
}

}  // namespace carom::cli
