#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "comparison.h"
#include "table.h"

namespace carom::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 12> kTitles = {
    "",           "wall s",      "x real", "steps",    "events",   "energy gain",
    "energy end", "penetration", "moved",  "collided", "parts at", "audit"};
using TableRow = std::vector<std::string>;

int count_events(const nlohmann::json& summary) {
  int count = 0;
  for (const auto& each : summary["events"]) count += each.get<int>();
  return count;
}

double real_time_factor(const nlohmann::json& summary) {
  return summary["simulated_seconds"].get<double>() /
         std::max(summary["wall_seconds"].get<double>(), 1e-9);
}

std::string number(const nlohmann::json& value, const char* unit) {
  return value.is_number() ? fmt::format("{:.3g} {}", value.get<double>(), unit) : "-";
}

TableRow row_of(const SideRun& run) {
  TableRow row(kTitles.size(), "-");
  row[0] = run.contender.label();
  row.back() = kEndingNames[static_cast<std::size_t>(run.ending)];
  if (!run.has_run()) return row;
  const auto& audit = run.summary["audit"];
  row[1] = fmt::format("{:.3f}", run.summary["wall_seconds"].get<double>());
  row[2] = fmt::format("{:.3g}", real_time_factor(run.summary));
  row[3] = fmt::format("{}", run.summary["steps"].get<std::int64_t>());
  row[4] = fmt::format("{}", count_events(run.summary));
  row[5] = number(audit["energy_max_gain"], "J");
  row[6] = number(audit["energy_final"], "J");
  row[7] = number(audit["max_penetration"], "m");
  if (run.ending == Ending::Finished) row.back() = audit["verdict"];
  return row;
}

void add_differences(const RunDifferences& differences, TableRow& row) {
  if (differences.times.empty()) return;
  row[8] = fmt::format("{:.2g} m", differences.greatest.back());
  if (differences.collisions > differences.missed)
    row[9] = fmt::format("{:.2g} s", differences.collision_times);
  row[10] = differences.parting ? fmt::format("{:.4g} s", differences.parting->t) : "no";
}

void print_partings(const Scene& scene, const MethodComparison& comparison) {
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const auto& differences = comparison.differences[i];
    const std::string label = comparison.runs[i].contender.label();
    if (differences && differences->parting)
      fmt::print("  {} parts at {:.6g} s, where \"{}\" is first off by more than {}.\n", label,
                 differences->parting->t, scene.body(differences->parting->body).name,
                 length_text(comparison.size));
    if (differences && differences->missed > 0)
      fmt::print("  {} misses {} of {} collisions until then.\n", label, differences->missed,
                 differences->collisions);
  }
}

void print_reasons(const MethodComparison& comparison) {
  for (const SideRun& run : comparison.runs) {
    std::string why = run.reason;
    if (run.ending == Ending::Finished && run.summary["audit"]["verdict"] == "failed") {
      for (const auto& failure : run.summary["audit"]["failures"])
        why += (why.empty() ? "its audit failed: " : "; ") + failure.get<std::string>();
    }
    if (!why.empty()) fmt::print("  {}: {}\n", run.contender.label(), why);
  }
}

Json json_of(const Scene& scene, const RunDifferences& differences) {
  if (differences.times.empty()) return nullptr;
  Json json = {{"final_position", differences.greatest.back()},
               {"at", differences.times.back()},
               {"body", scene.body(differences.furthest).name},
               {"collision_time", nullptr},
               {"collisions_compared", differences.collisions},
               {"collisions_missed", differences.missed},
               {"parts_at", nullptr},
               {"parts_first", nullptr}};
  if (differences.collisions > differences.missed)
    json["collision_time"] = differences.collision_times;
  if (differences.parting) {
    json["parts_at"] = differences.parting->t;
    json["parts_first"] = scene.body(differences.parting->body).name;
  }
  return json;
}

Json json_of(const SideRun& run) {
  Json json = {{"run", run.contender.label()},
               {"method", run.contender.method},
               {"ending", kEndingNames[static_cast<std::size_t>(run.ending)]},
               {"reason", run.reason.empty() ? Json(nullptr) : Json(run.reason)}};
  if (!run.has_run()) return json;
  const auto& audit = run.summary["audit"];
  json["impact"] = run.summary["impact"];
  json["simulated_seconds"] = run.summary["simulated_seconds"];
  json["wall_seconds"] = run.summary["wall_seconds"];
  json["real_time_factor"] = real_time_factor(run.summary);
  json["steps"] = run.summary["steps"];
  json["events"] = count_events(run.summary);
  for (const char* key : {"energy_max_gain", "energy_final", "max_penetration", "verdict"})
    json[key] = audit[key];
  return json;
}

}  // namespace

void print_comparison(const Scene& scene, const MethodComparison& comparison) {
  fmt::print("{}, {:g} s\n\n", comparison.scene, comparison.duration);
  std::vector<TableRow> rows = {TableRow(kTitles.begin(), kTitles.end())};
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    rows.push_back(row_of(comparison.runs[i]));
    if (comparison.reference && comparison.reference->run == i)
      std::fill_n(rows.back().begin() + 8, 3, "exact");
    else if (i < comparison.differences.size() && comparison.differences[i])
      add_differences(*comparison.differences[i], rows.back());
  }
  print_table(rows);
  if (comparison.reference)
    fmt::print("  Compared with {}: {}.\n",
               comparison.runs[comparison.reference->run].contender.label(),
               comparison.reference->why);
  print_partings(scene, comparison);
  print_reasons(comparison);
}

std::string to_json(const Scene& scene, const MethodComparison& comparison) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    runs.push_back(json_of(comparison.runs[i]));
    const bool is_compared =
        i < comparison.differences.size() && comparison.differences[i].has_value();
    runs.back()["differences"] =
        is_compared ? json_of(scene, *comparison.differences[i]) : Json(nullptr);
  }
  Json json = {{"scene", comparison.scene},
               {"duration", comparison.duration},
               {"size", comparison.size},
               {"reference", nullptr},
               {"runs", runs}};
  if (comparison.reference)
    json["reference"] = {{"run", comparison.runs[comparison.reference->run].contender.label()},
                         {"why", comparison.reference->why}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace carom::cli
