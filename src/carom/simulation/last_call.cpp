#include "carom/simulation/last_call.h"

#include "carom/dynamics/flight.h"
#include "carom/record/acting_forces.h"
#include "carom/record/frame.h"

namespace carom::simulation {

void LastCall::clear() {
  events_.clear();
  forces_.clear();
  count_ = 0;
}

void LastCall::keep(const record::Forces& forces) {
  if (count_ == acting_.size()) acting_.emplace_back();
  Acting& kept = acting_[count_++];
  kept.start.assign(forces.start.begin(), forces.start.end());
  kept.middle.assign(forces.middle.begin(), forces.middle.end());
  kept.end.assign(forces.end.begin(), forces.end.end());
  kept.levers_at = forces.levers_at;
}

void LastCall::segment(const record::Segment& segment) {
  if (!(segment.flight.duration > 0)) return;
  count_ = 0;
  keep(segment.forces);
}

void LastCall::frame(const record::Frame& frame) {
  if (!(frame.duration() > 0)) return;
  count_ = 0;
  for (const record::ClusterSegment& segment : frame.segments)
    if (segment.t1 == frame.end.t) keep(segment.forces);
}

void LastCall::find_forces(const State& end) {
  forces_.clear();
  for (std::size_t i = 0; i < count_; ++i) {
    const Acting& kept = acting_[i];
    append_acting_forces(
        scene_,
        {.start = kept.start, .middle = kept.middle, .end = kept.end, .levers_at = kept.levers_at},
        1, end, forces_);
  }
}

}  // namespace carom::simulation
