#include "carom/io/recording_head.h"

#include <algorithm>
#include <limits>

namespace carom::io {

namespace {

constexpr std::size_t kReasonCapacity = 1024;

// One after the other, as a dataset's reader sees them: each filled up with zeros.
std::string padded_names(const Scene& scene, std::size_t& longest) {
  longest = 1;
  for (const Body& body : scene.bodies) longest = std::max(longest, body.name.size());
  std::string names;
  for (const Body& body : scene.bodies) {
    names += body.name;
    names.append(longest - body.name.size(), '\0');
  }
  return names;
}

}  // namespace

void write_text(const hdf5::Handle& file, const std::string& name, const std::string& text) {
  const hdf5::Handle type = hdf5::text_type(text.size());
  hdf5::write(hdf5::make_dataset(file, name, type, {}), type, text.c_str());
}

std::string write_body_names(const hdf5::Handle& file, const Scene& scene) {
  std::size_t longest = 0;
  std::string names = padded_names(scene, longest);
  const hdf5::Handle group = hdf5::make_group(file, "bodies");
  const hdf5::Handle type = hdf5::text_type(longest);
  hdf5::write(hdf5::make_dataset(group, "name", type, {scene.bodies.size()}), type, names.data());
  return names;
}

void write_scene_files(const hdf5::Handle& file, std::span<const record::SceneFile> files) {
  const hdf5::Handle group = hdf5::make_group(file, "files");
  const hdf5::Handle type = hdf5::number_type<std::uint8_t>();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const hdf5::Handle dataset =
        hdf5::make_dataset(group, std::to_string(i), type, {files[i].bytes.size()});
    if (!files[i].bytes.empty()) hdf5::write(dataset, type, files[i].bytes.data());
    hdf5::set_attribute(dataset, "name", files[i].name, files[i].name.size() + 1);
  }
}

void set_audit(const hdf5::Handle& group, const record::AuditResult& audit,
               const std::string& verdict) {
  hdf5::set_attribute(group, "verdict", verdict, kNameCapacity);
  hdf5::set_attribute(group, "fraction", audit.fraction());
  for (std::size_t i = 0; i < record::kJudged; ++i) {
    const std::string name(record::kJudgedNames[i].key);
    hdf5::set_attribute(group, "limit_" + name, audit.limits[i]);
  }
  hdf5::set_attribute(group, "max_penetration", audit.max_penetration);
  hdf5::set_attribute(group, "max_joint_error", audit.max_joint_error);
  hdf5::set_attribute(group, "max_joint_gap", audit.max_joint_gap);
  hdf5::set_attribute(group, "max_joint_turn", audit.max_joint_turn);
  hdf5::set_attribute(group, "energy_initial", audit.energy_initial);
  hdf5::set_attribute(group, "energy_final", audit.energy_final);
  hdf5::set_attribute(group, "energy_max_gain", audit.energy_max_gain);
  hdf5::set_attribute(group, "energy_dissipated", audit.energy_dissipated);
  hdf5::set_attribute(group, "energy_ledger_error", audit.energy_ledger_error);
  hdf5::set_attribute(group, "momentum_error", audit.momentum_error);
  hdf5::set_attribute(group, "angular_momentum_error", audit.angular_momentum_error);
}

void set_summary(const hdf5::Handle& group, const record::Summary& summary) {
  const record::Counters& counters = summary.counters;
  hdf5::set_attribute(group, "finished", std::int64_t{summary.finished});
  hdf5::set_attribute(group, "reason", summary.reason.value_or(""), kReasonCapacity);
  hdf5::set_attribute(group, "impact", summary.impact, kNameCapacity);
  hdf5::set_attribute(group, "simulated_seconds", summary.simulated_seconds);
  hdf5::set_attribute(group, "steps", counters.steps);
  hdf5::set_attribute(group, "step_error_samples", summary.step_error.samples);
  hdf5::set_attribute(group, "step_error_" + std::string(summary.step_error.setting),
                      summary.step_error.value);
  hdf5::set_attribute(group, "step_error_per_second", summary.step_error.per_second);
  hdf5::set_attribute(group, "events", hdf5::number_type<std::int64_t>(), {record::kEventKinds},
                      counters.events.data());
  hdf5::set_attribute(group, "impact_iterations_total", counters.impact_iterations_total);
  hdf5::set_attribute(group, "impact_iterations_max", counters.impact_iterations_max);
  hdf5::set_attribute(group, "lineality_detected", counters.lineality_detected);
  hdf5::set_attribute(group, "lineality_dimension_max", counters.lineality_dimension_max);
}

record::Summary unfinished_summary() {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  record::Summary summary;
  summary.finished = false;
  summary.simulated_seconds = kUnknown;
  summary.audit = {kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown,
                   kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
  summary.audit.limits.fill(kUnknown);
  return summary;
}

}  // namespace carom::io
