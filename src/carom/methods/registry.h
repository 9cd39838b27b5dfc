// The methods there are: one table that makes them from settings and feeds the help, the scene
// reader and the documentation.
#pragma once

#include <span>
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

// Those of the method itself, of which the impact law is the last; its laws' stand after them.
std::span<const model::SettingDescription> own_settings(const model::MethodDescription& method);

// Settings that count only where another has a certain value.
struct Condition {
  std::string key, needs, value;
};
const std::vector<Condition>& conditions();

double step_of(const Scene& scene);  // of methods with steps of one length
// The method a scene asks for, for steps of the scene's length or another. Throws base::BadInput
// when the scene needs what the method cannot do.
Method make_method(const Scene& scene, double step);
inline Method make_method(const Scene& scene) { return make_method(scene, step_of(scene)); }
// When the step that begins at t has to end at the latest: steps of one length end at its
// multiples, also where t is none.
double end_of_step(const Scene& scene, double t, double next_output);
// Name of the law in use: the one the scene asks for, or the method's default where the method does
// not have that one; empty where nothing jumps.
std::string impact_of(const Scene& scene);

AdvanceResult advance(const Method& method, Workbench& bench, State& state, double t_end);

}  // namespace carom::methods
