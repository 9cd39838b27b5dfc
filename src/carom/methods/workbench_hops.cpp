// The verb of methods that know nothing but collisions: a frame of flights and hops.
#include "carom/methods/workbench.h"

namespace carom::methods {

AdvanceResult Workbench::hop(const HopOptions& options, const Law& law, State& state,
                             double t_end) {
  if (!clockwork_) clockwork_.emplace(scene_, pairs_, options, law, vibration_);
  before_ = state;
  collisions_.clear();
  const AdvanceResult result = clockwork_->advance(state, t_end, collisions_);
  if (dynamics::is_finite(state)) recorder_.flown({before_, collisions_, state});
  return result;
}

}  // namespace carom::methods
