// The impact laws there are: one table that makes them from settings and describes them to the help
// and the documentation.
#pragma once

#include <variant>

#include "carom/impact/frictional.h"
#include "carom/impact/guendelman.h"
#include "carom/impact/poisson.h"
#include "carom/impact/reflections.h"
#include "carom/impact/sequential.h"
#include "carom/impact/simultaneous.h"
#include "carom/model/method_settings.h"

namespace carom::methods {

using Law = std::variant<impact::Sequential, impact::Reflections, impact::Frictional,
                         impact::Simultaneous, impact::Poisson, impact::Guendelman>;

impact::ImpactResult resolve(const Law& law, const contact::ContactProblem& problem,
                             impact::ImpactWorkspace& work, contact::Impulses& out);

struct LawDescription {
  std::string name;
  std::string summary;
  std::vector<model::SettingDescription> settings;
  Law (*make)(const model::MethodSettings& settings);
};
const std::vector<LawDescription>& laws();

// The law of that name, which has been checked against the catalog, with the method's settings.
Law make_law(const model::MethodSettings& settings, const std::string& name);

}  // namespace carom::methods
