// The verb of methods in which bodies deform.
#include "carom/methods/workbench.h"

namespace carom::methods {

AdvanceResult Workbench::deform(const elastic::ElasticOptions& options, State& state,
                                double t_end) {
  if (!elastic_) elastic_ = std::make_unique<ElasticMotion>(scene_, pairs_);
  if (elastic_->step(options, state, t_end, flight_) != ElasticStatus::Stepped)
    return {AdvanceStatus::NoStepShortEnough};
  if (flight_.duration > 0 && dynamics::is_finite(state))
    recorder_.flown(flight_, flight_.duration, elastic_->forces());
  for (const elastic::Change& change : elastic_->changes()) {
    const contact::Contact& at = change.at;
    recorder_.event(
        {.t = state.t,
         .kind = change.begins ? record::EventKind::ContactBegin : record::EventKind::ContactEnd,
         .a = at.a,
         .b = at.b,
         .point = at.at.point,
         .normal = at.at.normal,
         .approach_speed = change.begins ? -at.approach_rate : 0,
         .separation_speed = change.begins ? 0 : at.approach_rate});
  }
  return {};
}

}  // namespace carom::methods
