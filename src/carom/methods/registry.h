// The methods there are: one table that makes them from settings and feeds the help, the scene
// reader and the documentation.
#pragma once

#include <variant>

#include "carom/methods/naive.h"
#include "carom/methods/time_stepping.h"
#include "carom/methods/zeno_free.h"

namespace carom::methods {

using Method = std::variant<ZenoFree, Naive, TimeStepping>;

const model::MethodCatalog& catalog();
const std::vector<std::string>& impact_law_names();

// The method a scene asks for. Throws base::BadInput when the scene needs what the method cannot
// do.
Method make_method(const Scene& scene);
double step_of(const Scene& scene);
std::string impact_of(const Scene& scene);  // name of the law in use

AdvanceResult advance(const Method& method, Workbench& bench, State& state, double t_end);

}  // namespace carom::methods
