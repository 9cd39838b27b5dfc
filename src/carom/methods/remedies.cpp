#include "carom/methods/remedies.h"

#include <algorithm>
#include <sstream>

#include "carom/methods/abilities.h"
#include "carom/methods/registry.h"

namespace carom::methods {

namespace {

bool has_setting(const Scene& scene, const std::string& key) {
  const model::MethodDescription* method = model::find_method(catalog(), scene.method.name);
  return method != nullptr &&
         std::ranges::count(own_settings(*method), key, &model::SettingDescription::key) > 0;
}

std::string shorter_step(const Scene& scene) {
  if (!has_setting(scene, "step")) return {};
  std::ostringstream text;
  text << "--step " << step_of(scene) / 2;
  return text.str();
}

// In the order in which they get through what stops others: time-stepping has no search for times
// of contact and goes on with forces that have not converged.
std::string other_method(const Scene& scene) {
  std::vector<std::string> preferred = {"time-stepping", "microcollision", "zeno-free", "elastic"};
  std::erase(preferred, scene.method.name);
  const std::string name = find_capable(scene, preferred);
  return name.empty() ? "" : "--method " + name;
}

std::string zeno_passing_method(const Scene& scene) {
  const std::string name = find_capable(scene, {"zeno-free", "microcollision", "elastic"});
  return name.empty() ? "" : "--method " + name + ", which passes Zeno points";
}

std::string other_law(const Scene& scene) {
  const std::string law = impact_of(scene);
  const bool iterates = law == "sequential" || law == "reflections";
  if (!iterates) return {};
  if (!scene.method.flag("lineality", true)) return "--set /method/lineality=true";
  return "--impact simultaneous, which does not iterate";
}

std::string higher_tolerance(const Scene& scene) {
  return has_setting(scene, "tolerance") ? "a greater \"tolerance\"" : "";
}

std::vector<std::string> ways_out(AdvanceStatus status, const Scene& scene) {
  switch (status) {
    case AdvanceStatus::Advanced:
    case AdvanceStatus::Stopped:
    case AdvanceStatus::Indented:
    case AdvanceStatus::Contradiction:
      return {};
    case AdvanceStatus::ZenoPoint:
      return {zeno_passing_method(scene)};
    case AdvanceStatus::TooManyImpacts:
      return {"a greater \"max_impacts_per_step\"", other_method(scene)};
    case AdvanceStatus::TooManyCollisions:
      return {"a greater \"max_collisions_per_body\"",
              "a greater \"epsilon\", so that hops are fewer", other_method(scene)};
    case AdvanceStatus::ImpactDidNotEnd:
      return {other_law(scene), other_method(scene)};
    case AdvanceStatus::SearchDidNotEnd:
    case AdvanceStatus::CarryDidNotConverge:
      return {shorter_step(scene), other_method(scene)};
    case AdvanceStatus::NoStepShortEnough:
      return {higher_tolerance(scene), other_method(scene)};
    case AdvanceStatus::NotFinite:
      return {shorter_step(scene), "masses, sizes and speeds less far apart", other_method(scene)};
  }
  return {};
}

}  // namespace

std::string remedy_for(AdvanceStatus status, const Scene& scene) {
  std::string text;
  std::vector<std::string> ways = ways_out(status, scene);
  std::erase(ways, "");
  for (std::size_t i = 0; i < ways.size(); ++i) {
    text += (i == 0 ? "try " : i + 1 == ways.size() ? " or " : ", ") + ways[i];
  }
  return text;
}

}  // namespace carom::methods
