#include "carom/methods/stop_reasons.h"

#include <algorithm>
#include <sstream>
#include <tuple>

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
  const auto law =
      std::ranges::find(impact::laws(), impact_of(scene), &impact::LawDescription::name);
  if (law == impact::laws().end() || !law->iterates) return {};
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

const char* reason_of(AdvanceStatus status) {
  switch (status) {
    case AdvanceStatus::Advanced:
      return "nothing is wrong";
    case AdvanceStatus::ZenoPoint:
      return "time does not move on (Zeno point): the contact is treated again and again";
    case AdvanceStatus::TooManyImpacts:
      return "more impacts in one step than max_impacts_per_step allows";
    case AdvanceStatus::TooManyCollisions:
      return "more collisions in one frame than max_collisions_per_body allows";
    case AdvanceStatus::ImpactDidNotEnd:
      return "the impact law did not end within its iteration cap";
    case AdvanceStatus::SearchDidNotEnd:
      return "the search for the time of contact did not end within its iteration cap";
    case AdvanceStatus::CarryDidNotConverge:
      return "the contact forces of the step did not converge";
    case AdvanceStatus::NoStepShortEnough:
      return "no step was short enough for its error to be small or its forces to be found";
    case AdvanceStatus::NotFinite:
      return "a position or velocity is no longer a finite number";
    case AdvanceStatus::Stopped:
      return "stopped on request";
    case AdvanceStatus::Indented:
      return "bodies are deep in each other";
    case AdvanceStatus::Contradiction:
      return "";  // told by its names
  }
  return "";
}

struct Triple {
  const Vec3& v;
};
std::ostream& operator<<(std::ostream& out, const Triple& triple) {
  const auto [x, y, z] = std::tuple(triple.v.x(), triple.v.y(), triple.v.z());
  return out << '(' << x << ", " << y << ", " << z << ')';
}

// "a", "b" and "c"; of many, the first few.
template <typename Ids, typename Name>
std::string list_names(const Ids& ids, const Name& name) {
  constexpr std::size_t kMostNamed = 5;
  const std::size_t told = std::min(ids.size(), kMostNamed);
  std::string text;
  for (std::size_t i = 0; i < told; ++i) {
    const bool last = i + 1 == ids.size();
    text += (i == 0 ? "\"" : last ? " and \"" : ", \"") + name(ids[i]) + '"';
  }
  if (told < ids.size()) text += " and " + std::to_string(ids.size() - told) + " more";
  return text;
}

std::string describe_contradiction(const Contradiction& of, const Scene& scene) {
  std::ostringstream text;
  text.precision(3);
  const auto body = [&](BodyId id) { return scene.body(id).name; };
  if (of.joints.empty()) {
    text << list_names(of.by, body) << " close" << (of.by.size() == 1 ? "s" : "") << " on "
         << list_names(of.squeezed, body) << " and nothing can give way: an approach of " << of.left
         << ' ' << of.unit << " is left that no impulse takes away";
    return text.str();
  }
  const auto joint = [&](std::int32_t i) { return scene.joints[static_cast<std::size_t>(i)].name; };
  const bool one = of.joints.size() == 1;
  text << "the joint" << (one ? " " : "s ") << list_names(of.joints, joint)
       << (one ? " cannot hold" : " cannot hold together") << ": whatever the bodies do that they "
       << "connect, they are off by " << of.left << ' ' << of.unit
       << "; take one away, or let driven bodies move otherwise";
  return text.str();
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

std::string describe(const AdvanceResult& result, const Scene& scene, double t) {
  std::ostringstream text;
  text.precision(12);
  text << "at t = " << t << " s";
  if (result.a != result.b) {
    text << ", between \"" << scene.body(result.a).name << "\" and \"" << scene.body(result.b).name
         << '"';
  }
  if (result.at) {
    text.precision(6);
    text << ", at " << Triple{result.at->point} << " m with the normal "
         << Triple{result.at->normal};
  }
  text << ": "
       << (result.contradiction ? describe_contradiction(*result.contradiction, scene)
                                : reason_of(result.status));
  if (const std::string remedy = remedy_for(result.status, scene); !remedy.empty())
    text << "; " << remedy;
  return text.str();
}

}  // namespace carom::methods
