// Steps that arithmetic or patience cannot resolve (model/reach.h has the table).
#pragma once

#include <vector>

#include "carom/base/diagnostics.h"
#include "carom/model/scene.h"

namespace carom::methods {

// Of methods that go from step to step; appends what is wrong with `step`, s.
void check_step_reach(const Scene& scene, double step, std::vector<base::Diagnostic>& problems);

}  // namespace carom::methods
