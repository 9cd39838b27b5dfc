#include "summary_table.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>

#include "carom/io/summary_json.h"

namespace carom::cli {

namespace {

template <typename... Values>
void row(std::string_view name, fmt::format_string<Values...> format, Values&&... values) {
  fmt::print("  {:<22}{}\n", name, fmt::format(format, std::forward<Values>(values)...));
}

std::string event_counts(const record::Counters& counters) {
  std::string text;
  for (std::size_t i = 0; i < record::kEventKinds; ++i) {
    if (counters.events[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counters.events[i],
                        record::kEventNames[i]);
  }
  return text.empty() ? "none" : text;
}

std::string sampled(const record::AuditResult& audit) {
  if (audit.coverage != record::AuditCoverage::Sampled) return "";
  return fmt::format(" (sampled: overlaps in 1 of {} flights)", record::kOneIn);
}

std::string verdict(const record::AuditResult& audit) {
  if (audit.passed()) return std::string(audit.verdict()) + sampled(audit);
  const std::string failed =
      fmt::format("failed{}: {}", sampled(audit),
                  fmt::join(io::describe_failures(audit), "\n" + std::string(24, ' ')));
  return isatty(STDOUT_FILENO) != 0 ? "\x1b[31m" + failed + "\x1b[0m" : failed;
}

void print_numbers(const record::AuditResult& audit) {
  if (audit.coverage == record::AuditCoverage::Off) return;
  row("energy", "{:.10g} J -> {:.10g} J", audit.energy_initial, audit.energy_final);
  row("greatest energy gain", "{:.3g} J", audit.energy_max_gain);
  row("deepest penetration", "{:.3g} m", audit.max_penetration);
  row("momentum error", "{:.3g} N s, angular {:.3g} N m s", audit.momentum_error,
      audit.angular_momentum_error);
  if (audit.max_joint_error > 0) row("joint error", "{:.3g}", audit.max_joint_error);
}

void print_fallbacks(const record::Fallbacks& fallbacks) {
  for (std::size_t i = 0; i < record::kRungNames.size(); ++i) {
    const auto& [times, error] = fallbacks.rungs[i];
    const auto& [name, unit] = record::kRungNames[i];
    if (times > 0)
      row("fallback", "{} {} times, off by {:.2g} {} at most", name, times, error, unit);
  }
}

void print_step_error(const record::StepError& error) {
  if (!error.too_long()) return;
  if (error.setting == "step")
    row("step too long",
        "off by {:.2g} radii or rad a second at {:.2g} s; {:.1g} s or \"auto\" would do",
        error.per_second, error.value, error.would_do);
  else
    row(fmt::format("{} too great", error.setting),
        "off by {:.2g} radii or rad a second at {:.2g}; {:.1g} would do", error.per_second,
        error.value, error.would_do);
}

}  // namespace

void print_summary(const record::Summary& summary) {
  const record::AuditResult& audit = summary.audit;
  fmt::print("{}\n", summary.scene.empty() ? "(unnamed scene)" : summary.scene);
  row("method", "{}, {}", summary.method,
      summary.impact.empty() ? "no impact law" : "impact law " + summary.impact);
  row("simulated", "{:g} s in {} steps", summary.simulated_seconds, summary.counters.steps);
  row("wall time", "{:.3f} s ({:.3g}x real time)", summary.wall_seconds,
      summary.simulated_seconds / std::max(summary.wall_seconds, 1e-9));
  row("events", "{}", event_counts(summary.counters));
  row("impact iterations", "{} in all, at most {}", summary.counters.impact_iterations_total,
      summary.counters.impact_iterations_max);
  if (summary.counters.lineality_detected > 0) {
    row("lineality", "in {} impacts, of dimension {} at most", summary.counters.lineality_detected,
        summary.counters.lineality_dimension_max);
  }
  print_numbers(audit);
  print_fallbacks(summary.fallbacks);
  print_step_error(summary.step_error);
  row("finished", "{}", summary.finished ? "yes" : "no");
  row("audit", "{}", verdict(audit));
}

void print_audit(const Scene& scene, const record::Trace& past, const record::AuditResult& audit) {
  fmt::print("{}\n", scene.name.empty() ? "(unnamed scene)" : scene.name);
  row("method", "{}", scene.method.name);
  row("recorded", "{:g} s in {} outputs, {} events",
      past.outputs.empty() ? 0 : past.outputs.back().t, past.outputs.size(), past.events.size());
  print_numbers(audit);
  std::string unjudged;
  for (std::size_t i = 0; i < record::kJudged; ++i)
    if (!(audit.limits[i] < record::kNoLimit))
      unjudged += fmt::format("{}{}", unjudged.empty() ? "" : ", ", record::kJudgedNames[i].key);
  if (!unjudged.empty()) row("not judged", "{}", unjudged);
  row("audit", "{}", verdict(audit));
}

}  // namespace carom::cli
