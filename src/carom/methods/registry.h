// The methods there are: one table that makes them from settings and feeds the help, the scene
// reader and the documentation. Each method describes, makes and limits itself, in its own folder.
#pragma once

#include <span>
#include <variant>

#include "carom/methods/analytic/analytic.h"
#include "carom/methods/elastic/elastic.h"
#include "carom/methods/microcollision/microcollision.h"
#include "carom/methods/naive/naive.h"
#include "carom/methods/time_stepping/time_stepping.h"
#include "carom/methods/zeno_free/zeno_free.h"

namespace carom::methods {

// A method with its options.
using Method = std::variant<ZenoFree, Naive, TimeStepping, Analytic, Microcollision, Elastic>;

struct MethodEntry {
  MethodTraits traits;
  Method (*make)(const Scene& scene, double step);
};
const std::vector<MethodEntry>& method_table();
// Throws base::BadInput, with the nearest name, for one that is not in the table.
const MethodTraits& traits_of(const std::string& name);

const model::MethodCatalog& catalog();

bool has_fixed_step(const Scene& scene);      // the method integrates over steps of a given length
bool has_automatic_step(const Scene& scene);  // "step": "auto", of such a method
// The value of the setting `traits_of().hop_setting`; 0 where nothing hops.
double hop_height_of(const Scene& scene);

// Those of the method itself, of which the impact law is the last; its laws' stand after them.
std::span<const model::SettingDescription> own_settings(const model::MethodDescription& method);

double step_of(const Scene& scene);  // of methods with steps of one length
// The scene with its tolerances as its method needs them, whatever they were.
Scene with_tolerances(Scene scene);
// The method a scene asks for, for steps of the scene's length or another. Throws base::BadInput
// when the scene needs what the method cannot do.
Method make_method(const Scene& scene, double step);
inline Method make_method(const Scene& scene) { return make_method(scene, step_of(scene)); }
// The latest end of the step that begins at t: the next multiple of the step's length for methods
// with steps of one length, and never beyond the horizon.
double end_of_step(const Scene& scene, double t, double next_output, double horizon);
// Whether a step can end at an event in its middle (Stepper::advance).
bool pauses_at_events(const Scene& scene);
// Name of the law in use: the one the scene asks for, or the method's default where the method does
// not have that one; empty where nothing jumps.
std::string impact_of(const Scene& scene);

}  // namespace carom::methods
