#include "carom/methods/registry.h"

#include <algorithm>
#include <cmath>

#include "carom/methods/abilities.h"
#include "carom/model/method_check.h"
#include "carom/model/scene_tolerances.h"

namespace carom::methods {

namespace {

using model::SettingDescription;

impact::Law law_of(const Scene& scene) { return impact::make_law(scene.method, impact_of(scene)); }

}  // namespace

const std::vector<MethodEntry>& method_table() {
  static const std::vector<MethodEntry> table = {
      {describe_zeno_free(),
       [](const Scene& scene, double) -> Method {
         return make_zeno_free(scene.method, law_of(scene));
       }},
      {describe_naive(),
       [](const Scene& scene, double) -> Method {
         return make_naive(scene.method, law_of(scene));
       }},
      {describe_time_stepping(),
       [](const Scene& scene, double step) -> Method { return make_time_stepping(scene, step); }},
      {describe_analytic(),
       [](const Scene& scene, double) -> Method {
         return make_analytic(scene.method, law_of(scene));
       }},
      {describe_microcollision(),
       [](const Scene& scene, double) -> Method {
         return make_microcollision(scene.method, law_of(scene));
       }},
      {describe_elastic(),
       [](const Scene& scene, double) -> Method { return make_elastic(scene.method); }},
  };
  return table;
}

namespace {

const MethodEntry& entry_of(const std::string& name) {
  const auto found = std::ranges::find(
      method_table(), name, [](const MethodEntry& each) { return each.traits.description.name; });
  if (found == method_table().end()) model::check_method({name, {}}, catalog());  // throws
  return *found;
}

}  // namespace

const MethodTraits& traits_of(const std::string& name) { return entry_of(name).traits; }

const model::MethodCatalog& catalog() {
  static const model::MethodCatalog descriptions = [] {
    model::MethodCatalog all;
    for (const MethodEntry& each : method_table()) all.push_back(each.traits.description);
    return all;
  }();
  return descriptions;
}

Scene with_tolerances(Scene scene) {
  base::Tolerances& found = scene.tolerances = model::compute_tolerances(scene);
  if (traits_of(scene.method.name).follows_contacts) found.gap = found.resolution;
  return scene;
}

bool has_fixed_step(const Scene& scene) {
  return traits_of(scene.method.name).steps == StepKind::Fixed;
}

bool has_automatic_step(const Scene& scene) {
  const auto given = scene.method.options.find("step");
  return has_fixed_step(scene) && given != scene.method.options.end() &&
         std::holds_alternative<std::string>(given->second);
}

double hop_height_of(const Scene& scene) {
  const MethodTraits& traits = traits_of(scene.method.name);
  const auto setting =
      std::ranges::find(traits.description.settings, traits.hop_setting, &SettingDescription::key);
  if (setting == traits.description.settings.end() || scene.gravity.isZero(0)) return 0;
  return scene.method.number(setting->key, std::get<double>(setting->fallback));
}

double step_of(const Scene& scene) {
  const auto given = scene.method.options.find("step");
  const bool number = given != scene.method.options.end() &&
                      std::holds_alternative<double>(given->second);  // and not "auto"
  if (number) return std::get<double>(given->second);
  const MethodTraits& traits = traits_of(scene.method.name);
  return traits.choose_step != nullptr ? traits.choose_step(scene) : traits.usual_step;
}

double end_of_step(const Scene& scene, double t, double next_output, double horizon) {
  switch (traits_of(scene.method.name).steps) {
    case StepKind::ToEnd:
      return std::isfinite(horizon) ? horizon : next_output;
    case StepKind::ToOutput:
      return std::min(next_output, horizon);
    case StepKind::Fixed:
    case StepKind::Frame:
      break;
  }
  const double step = step_of(scene);
  double n = std::floor(t / step);
  for (int i = 0; i < 2 && !(n * step > t); ++i) ++n;  // the quotient is rounded
  return std::min(n * step, horizon);
}

bool pauses_at_events(const Scene& scene) {
  const StepKind steps = traits_of(scene.method.name).steps;
  return steps == StepKind::Fixed || steps == StepKind::ToEnd;
}

std::string impact_of(const Scene& scene) {
  model::check_method(scene.method, catalog());
  const model::MethodDescription* method = model::find_method(catalog(), scene.method.name);
  const auto impact = std::ranges::find(method->settings, "impact", &SettingDescription::key);
  if (impact == method->settings.end()) return {};
  const std::string usual = std::get<std::string>(impact->fallback);
  const std::string wanted = scene.method.text("impact", usual);
  return std::ranges::count(impact->choices, wanted) > 0 ? wanted : usual;
}

std::span<const SettingDescription> own_settings(const model::MethodDescription& method) {
  const auto impact = std::ranges::find(method.settings, "impact", &SettingDescription::key);
  return {method.settings.begin(), impact == method.settings.end() ? impact : std::next(impact)};
}

Method make_method(const Scene& scene, double step) {
  model::check_method(scene.method, catalog());
  refuse_unsupported(scene);
  return entry_of(scene.method.name).make(scene, step);
}

}  // namespace carom::methods
