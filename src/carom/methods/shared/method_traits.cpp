#include "carom/methods/shared/method_traits.h"

#include <algorithm>

#include "carom/impact/laws/table.h"

namespace carom::methods {

namespace {

constexpr double kMaxImpacts = 100'000;

}  // namespace

model::SettingDescription step_setting() {
  return {.key = "step",
          .kind = model::SettingKind::Number,
          .fallback = kUsualStep,
          .choices = {"auto"},
          .help = "length of a step, s, or \"auto\""};
}

model::SettingDescription max_impacts_setting() {
  return {.key = "max_impacts_per_step",
          .kind = model::SettingKind::Number,
          .fallback = kMaxImpacts,
          .at_most = 1e9,
          .help = "cap; reaching it stops the run with a message"};
}

int max_impacts(const model::MethodSettings& settings) {
  return static_cast<int>(settings.number("max_impacts_per_step", kMaxImpacts));
}

void append_impact_settings(std::vector<model::SettingDescription>& settings,
                            const std::string& usual, const std::string& without) {
  settings.push_back({.key = "impact",
                      .kind = model::SettingKind::Choice,
                      .fallback = usual,
                      .choices = impact::law_names(),
                      .help = "impact law"});
  for (const impact::LawDescription& law : impact::laws()) {
    for (const model::SettingDescription& setting : law.settings) {
      const bool known =
          std::ranges::count(settings, setting.key, &model::SettingDescription::key) > 0;
      if (!known && setting.key != without) settings.push_back(setting);
    }
  }
}

}  // namespace carom::methods
