// Bodies that deform where they touch: contact forces from indentation, friction and damping, and
// the motion under them as one system of equations solved with error control (Neumayr & Otter).
// Nothing jumps and nothing is held: impact and rest come out of the forces.
// docs/methods/elastic.md tells the scheme and its departures.
#pragma once

#include "carom/methods/workbench.h"

namespace carom::methods {

struct Elastic {
  elastic::ElasticOptions options{};
};

// One step, as long as its error and the next contact allow; not beyond t_end.
AdvanceResult advance(const Elastic& method, Workbench& bench, State& state, double t_end);

}  // namespace carom::methods
