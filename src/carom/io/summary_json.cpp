#include "carom/io/summary_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "carom/io/output_file.h"

namespace carom::io {

namespace {

using Json = nlohmann::ordered_json;

Json events_json(const record::Counters& counters) {
  Json events = Json::object();
  for (std::size_t kind = 0; kind < record::kEventKinds; ++kind)
    events[std::string(record::kEventNames[kind])] = counters.events[kind];
  return events;
}

// Only what is judged, by the names of what was found.
Json limits_json(const record::AuditResult& audit) {
  Json limits = Json::object();
  for (std::size_t i = 0; i < record::kJudged; ++i)
    if (audit.limits[i] < record::kNoLimit)
      limits[std::string(record::kJudgedNames[i].key)] = audit.limits[i];
  return limits;
}

// What was not judged has no numbers.
Json audit_json(const record::AuditResult& audit) {
  const auto number = [&audit](double value) {
    return audit.coverage == record::AuditCoverage::Off ? Json() : Json(value);
  };
  return {{"verdict", audit.verdict()},
          {"coverage", record::kAuditCoverageNames[static_cast<std::size_t>(audit.coverage)]},
          {"fraction", audit.fraction()},
          {"failures", describe_failures(audit)},
          {"limits", limits_json(audit)},
          {"max_penetration", number(audit.max_penetration)},
          {"max_joint_error", number(audit.max_joint_error)},
          {"max_joint_gap", number(audit.max_joint_gap)},
          {"max_joint_turn", number(audit.max_joint_turn)},
          {"energy_initial", number(audit.energy_initial)},
          {"energy_final", number(audit.energy_final)},
          {"energy_max_gain", number(audit.energy_max_gain)},
          {"momentum_error", number(audit.momentum_error)},
          {"angular_momentum_error", number(audit.angular_momentum_error)},
          {"energy_dissipated", number(audit.energy_dissipated)},
          {"energy_ledger_error", number(audit.energy_ledger_error)}};
}

Json forces_json(const record::ForceCounts& forces) {
  return {{"computed", forces.computed},
          {"with_friction", forces.with_friction},
          {"nothing_vanishes", forces.nothing_vanishes},
          {"predicted", forces.predicted},
          {"least_sum", forces.least_sum},
          {"failed", forces.failed},
          {"complementarity", forces.complementarity}};
}

Json microcollisions_json(const record::Summary& summary) {
  const record::Vibration& vibration = summary.vibration;
  const double seconds = summary.simulated_seconds;
  return {{"lifts", vibration.lifts},
          {"energy_in", vibration.energy_in},
          {"greatest_lift", vibration.greatest_lift},
          {"held_frames", vibration.held_frames},
          {"mean_power", seconds > 0 ? vibration.energy_in / seconds : 0}};
}

Json elastic_json(const record::ElasticCounts& elastic) {
  return {{"deepest_indentation", elastic.deepest},
          {"bristle_energy", elastic.bent},
          {"steps", elastic.steps},
          {"restarts", elastic.beginnings}};
}

// Those that were used.
Json fallbacks_json(const record::Fallbacks& fallbacks) {
  Json used = Json::object();
  for (std::size_t i = 0; i < record::kRungNames.size(); ++i) {
    const record::Fallback& rung = fallbacks.rungs[i];
    const record::RungName& name = record::kRungNames[i];
    if (rung.times > 0)
      used[std::string(name.key)] = {
          {"times", rung.times}, {"greatest_error", rung.error}, {"unit", name.unit}};
  }
  return used;
}

// Null where the method has no such setting, or nothing was sampled.
Json step_error_json(const record::StepError& error) {
  if (!error.applies || error.samples == 0) return nullptr;
  const std::string setting(error.setting);
  return {{"samples", error.samples},       {setting, error.value},
          {"per_second", error.per_second}, {"tolerance", error.tolerance},
          {"too_long", error.too_long()},   {setting + "_that_would_do", error.would_do}};
}

}  // namespace

std::vector<std::string> describe_failures(const record::AuditResult& audit) {
  std::vector<std::string> failures;
  for (std::size_t i = 0; i < record::kJudged; ++i) {
    if (!audit.exceeds(static_cast<record::Judged>(i))) continue;
    const record::JudgedName& name = record::kJudgedNames[i];
    failures.push_back(fmt::format("{} {:.3g} {}, more than {:.3g} {}", name.key, audit.found()[i],
                                   name.unit, audit.limits[i], name.unit));
  }
  return failures;
}

std::string to_json(const record::Summary& summary) {
  const record::Counters& counters = summary.counters;
  const Json json = {
      {"carom", summary.version},
      {"scene", summary.scene},
      {"method", summary.method},
      {"impact", summary.impact},
      {"finished", summary.finished},
      {"reason", summary.reason ? Json(*summary.reason) : Json(nullptr)},
      {"notes", summary.notes},
      {"simulated_seconds", summary.simulated_seconds},
      {"wall_seconds", summary.wall_seconds},
      {"steps", counters.steps},
      {"events", events_json(counters)},
      {"impact_iterations",
       {{"total", counters.impact_iterations_total}, {"max", counters.impact_iterations_max}}},
      {"lineality",
       {{"detected", counters.lineality_detected},
        {"dimension_max", counters.lineality_dimension_max}}},
      {"step_error", step_error_json(summary.step_error)},
      {"fallbacks", fallbacks_json(summary.fallbacks)},
      {"force_residual", summary.force_residual},
      {"forces", forces_json(summary.forces)},
      {"microcollisions", microcollisions_json(summary)},
      {"elastic", elastic_json(summary.elastic)},
      {"audit", audit_json(summary.audit)}};
  // Numbers that are not finite become null, bytes that are not UTF-8 a replacement character.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_summary(const std::filesystem::path& path, const record::Summary& summary) {
  write_file(path, to_json(summary));
}

}  // namespace carom::io
