#include "carom/methods/abilities.h"

#include <algorithm>

#include "carom/base/diagnostics.h"
#include "carom/methods/registry.h"
#include "carom/methods/step_reach.h"

namespace carom::methods {

namespace {

struct Requirement {
  Ability ability;
  std::string place, found;
};

void add_joint_requirements(const Scene& scene, std::vector<Requirement>& needed) {
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const model::Joint& joint = scene.joints[i];
    const std::string place = "/joints/" + std::to_string(i);
    needed.push_back({Ability::Joints, place, "joint \"" + joint.name + '"'});
    if (joint.limits) needed.push_back({Ability::JointLimits, place + "/limits", "joint limits"});
    if (joint.motor) needed.push_back({Ability::JointDrives, place + "/motor", "a motor"});
    if (joint.friction > 0)
      needed.push_back({Ability::JointDrives, place + "/friction", "friction of a joint"});
    if (joint.spring) needed.push_back({Ability::JointSprings, place + "/spring", "a spring"});
  }
}

std::vector<Requirement> requirements_of(const Scene& scene) {
  std::vector<Requirement> needed;
  add_joint_requirements(scene, needed);
  return needed;
}

std::string expectation(const model::MethodSettings& method, Ability ability) {
  const std::vector<std::string> capable = methods_with(ability);
  const std::string what = name_of(ability);
  if (capable.empty()) return "no " + what + ": no method of this version has them";
  std::string others = "a method with " + what + ": " + list_of(capable);
  if (std::ranges::count(capable, method.name) == 0) return others;
  return "\"integrator\": \"exact\", or " + others;  // the one setting that takes an ability away
}

}  // namespace

const char* name_of(Ability ability) {
  switch (ability) {
    case Ability::Joints:
      return "joints";
    case Ability::JointLimits:
      return "joint limits";
    case Ability::JointDrives:
      return "motors and friction of joints";
    case Ability::JointSprings:
      return "springs of joints";
  }
  return "";
}

bool has(const model::MethodSettings& method, Ability ability) {
  return traits_of(method.name).has(method, ability);
}

std::vector<std::string> methods_with(Ability ability) {
  std::vector<std::string> names;
  for (const model::MethodDescription& method : catalog()) {
    if (has({method.name, {}}, ability)) names.push_back(method.name);
  }
  return names;
}

std::string find_capable(const Scene& scene, const std::vector<std::string>& preferred) {
  const std::vector<Requirement> needed = requirements_of(scene);
  for (const std::string& name : preferred) {
    const auto met = [&](const Requirement& each) { return has({name, {}}, each.ability); };
    if (std::ranges::all_of(needed, met)) return name;
  }
  return {};
}

void refuse_unsupported(const Scene& scene) {
  std::vector<base::Diagnostic> problems;
  for (const Requirement& each : requirements_of(scene)) {
    if (has(scene.method, each.ability)) continue;
    problems.push_back({.place = each.place,
                        .found = each.found + " under method \"" + scene.method.name + '"',
                        .expected = expectation(scene.method, each.ability)});
  }
  if (traits_of(scene.method.name).usual_step > 0)
    check_step_reach(scene, step_of(scene), problems);
  if (!problems.empty()) throw base::BadInput(std::move(problems));
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += '"' + names[i] + '"';
  }
  return text;
}

}  // namespace carom::methods
