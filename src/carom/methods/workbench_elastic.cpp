// The verb of methods in which bodies deform.
#include "carom/methods/workbench.h"

namespace carom::methods {

AdvanceResult Workbench::deform(const elastic::ElasticOptions& options, State& state,
                                double t_end) {
  if (!elastic_) elastic_ = std::make_unique<ElasticMotion>(scene_, pairs_, workers_.watched());
  for (;;) {  // an indentation doubles only so often
    before_ = state;
    AdvanceResult result = elastic_->advance(options, state, t_end);
    if (dynamics::is_finite(state))
      recorder_.flown({before_, {}, state, elastic_->legs(), elastic_->events()});
    if (result.status != AdvanceStatus::Indented) return result;
    if (AdvanceResult squeezed = find_squeezed(state); !squeezed.ok()) return squeezed;
  }
}

}  // namespace carom::methods
