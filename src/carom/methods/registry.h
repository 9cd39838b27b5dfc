// The methods there are: one table that makes them from settings and feeds the help, the scene
// reader and the documentation.
#pragma once

#include <variant>

#include "carom/methods/analytic.h"
#include "carom/methods/elastic.h"
#include "carom/methods/microcollision.h"
#include "carom/methods/naive.h"
#include "carom/methods/time_stepping.h"
#include "carom/methods/zeno_free.h"

namespace carom::methods {

using Method = std::variant<ZenoFree, Naive, TimeStepping, Analytic, Microcollision, Elastic>;

const model::MethodCatalog& catalog();

// The method integrates over steps of a given length, which may be too long. (A frame of
// microcollisions is none: bodies keep their own clocks in it.)
bool has_fixed_step(const Scene& scene);
bool has_automatic_step(const Scene& scene);  // "step": "auto", of such a method
const std::vector<std::string>& impact_law_names();

// The method a scene asks for. Throws base::BadInput when the scene needs what the method cannot
// do.
Method make_method(const Scene& scene);
double step_of(const Scene& scene);  // of methods with steps of one length
// When a step that is the n-th (counted from one) has to end at the latest; the next output is
// then.
double end_of_step(const Scene& scene, std::int64_t n, double next_output);
std::string impact_of(const Scene& scene);  // name of the law in use

AdvanceResult advance(const Method& method, Workbench& bench, State& state, double t_end);

}  // namespace carom::methods
