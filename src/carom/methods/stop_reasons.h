// Why a run stopped, for a person, and what to do about it: settings and methods to try.
#pragma once

#include <string>

#include "carom/methods/shared/advance_result.h"

namespace carom::methods {

// A sentence for a person that names settings of the scene's method, and a method that can simulate
// the scene and does not do what failed; empty where nothing is wrong.
std::string remedy_for(AdvanceStatus status, const Scene& scene);

// One sentence: what happened, when, between which bodies, where, and what to try.
std::string describe(const AdvanceResult& result, const Scene& scene, double t);

}  // namespace carom::methods
