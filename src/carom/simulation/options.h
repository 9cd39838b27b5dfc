// A method with its settings, as a program writes them: ZenoFree{.step = 1e-3}. What is left out is
// as the method has it by default; `others` are settings without a name here, those of the impact
// law. All are checked when a Simulation is made, as those of a scene's file are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "carom/model/method_settings.h"

namespace carom::simulation {

using OtherSettings = std::map<std::string, model::SettingValue>;

struct ZenoFree {
  std::optional<double> step{};  // s
  std::optional<std::string> integrator{}, impact{};
  std::optional<bool> sleeping{};
  OtherSettings others{};
};

struct Naive {
  std::optional<double> step{};  // s
  std::optional<std::string> impact{};
  std::optional<double> max_treatments{};
  OtherSettings others{};
};

struct TimeStepping {
  std::optional<double> step{};  // s
  std::optional<double> sides{}, sweeps{};
  std::optional<double> impact_speed{};  // m/s
  OtherSettings others{};
};

struct Analytic {
  std::optional<double> tolerance{};
  std::optional<std::string> formula{}, forces{}, impact{};
  OtherSettings others{};
};

struct Microcollision {
  std::optional<double> step{};  // s
  std::optional<double> epsilon{};
  std::optional<bool> static_friction{};
  std::optional<std::string> impact{};
  OtherSettings others{};
};

struct Elastic {
  std::optional<double> tolerance{};
  std::optional<std::string> friction{}, damping{}, distance{};
  OtherSettings others{};
};

using MethodOptions =
    std::variant<ZenoFree, Naive, TimeStepping, Analytic, Microcollision, Elastic>;

// The same settings in the form that a scene has.
model::MethodSettings settings_of(const MethodOptions& options);

}  // namespace carom::simulation
