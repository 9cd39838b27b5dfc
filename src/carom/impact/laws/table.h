// The impact laws there are: one table that makes them from settings and describes them to the help
// and the documentation.
#pragma once

#include <variant>

#include "carom/impact/laws/frictional.h"
#include "carom/impact/laws/guendelman.h"
#include "carom/impact/laws/poisson.h"
#include "carom/impact/laws/reflections.h"
#include "carom/impact/laws/sequential.h"
#include "carom/impact/laws/simultaneous.h"
#include "carom/model/method_settings.h"

namespace carom::impact {

using Law = std::variant<Sequential, Reflections, Frictional, Simultaneous, Poisson, Guendelman>;

ImpactResult resolve(const Law& law, const contact::ContactProblem& problem, ImpactWorkspace& work,
                     contact::Impulses& out);

struct LawDescription {
  std::string name;
  std::string summary;
  std::vector<model::SettingDescription> settings;
  Law (*make)(const model::MethodSettings& settings);
  bool iterates = false;  // whether it goes on until nothing approaches
};
const std::vector<LawDescription>& laws();
const std::vector<std::string>& law_names();

// The law of that name, which has been checked against the catalog, with the method's settings.
Law make_law(const model::MethodSettings& settings, const std::string& name);

}  // namespace carom::impact
