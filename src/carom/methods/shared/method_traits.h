// What a method says of itself to the registry: its settings, how its steps end, and what of the
// scene format it can simulate.
#pragma once

#include <string_view>

#include "carom/model/method_settings.h"
#include "carom/model/scene.h"

namespace carom::methods {

enum class Ability { Joints, JointLimits, JointDrives, JointSprings };

enum class StepKind {
  Fixed,     // steps of one length, over which it integrates: that may be too long
  Frame,     // steps of one length, within which motion is exact
  ToOutput,  // steps of its own choice, none beyond the next output
  ToEnd,     // steps of its own choice
};

struct MethodTraits {
  model::MethodDescription description;
  StepKind steps = StepKind::Fixed;
  double usual_step = 0;                                       // s; of steps of one length
  double (*choose_step)(const model::Scene& scene) = nullptr;  // instead, for each scene
  std::string_view hop_setting{};  // how high bodies at rest hop, where they do
  // Its contact forces follow the motion within a step and need no wide touching distance to hold
  // contacts by; those of others are constant over it.
  bool follows_contacts = false;
  bool (*has)(const model::MethodSettings& settings, Ability ability) = nullptr;
};

// The setting of a step in which the method integrates, and its usual length, s.
inline constexpr double kUsualStep = 1e-3;
model::SettingDescription step_setting();

// "impact" with the law it is by default, and then every setting that a law understands, but for
// one.
void append_impact_settings(std::vector<model::SettingDescription>& settings,
                            const std::string& usual, const std::string& without = {});
model::SettingDescription max_impacts_setting();
int max_impacts(const model::MethodSettings& settings);

}  // namespace carom::methods
