// What to do about a run that stopped: settings and methods to try.
#pragma once

#include <string>

#include "carom/methods/advance_result.h"

namespace carom::methods {

// A sentence for a person that names settings of the scene's method, and a method that can simulate
// the scene and does not do what failed; empty where nothing is wrong.
std::string remedy_for(AdvanceStatus status, const Scene& scene);

}  // namespace carom::methods
