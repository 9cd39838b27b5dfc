#include "carom/methods/microcollision_frames.h"

#include <algorithm>

namespace carom::methods {

namespace {

constexpr double kHeldStep = 1e-3;  // s
constexpr int kMaxImpacts = 1000;   // in such a step

}  // namespace

MicrocollisionFrames::MicrocollisionFrames(StepContext& context, const Microcollision& options)
    : collisions_(context, options),
      resting_(context,
               {.impact = options.impact, .max_impacts_per_step = kMaxImpacts, .sleeping = false}) {
}

AdvanceResult MicrocollisionFrames::advance(State& state, double t_end) {
  AdvanceResult result = collisions_.advance(state, t_end);
  if (result.status != AdvanceStatus::ZenoPoint) return result;
  result = collisions_.stop_colliding(state);
  while (result.ok() && state.t < t_end)
    result = resting_.advance(state, std::min(state.t + kHeldStep, t_end));
  return result;
}

void MicrocollisionFrames::report(record::Summary& summary) const {
  resting_.report(summary);
  collisions_.report(summary);
}

void MicrocollisionFrames::save(std::string& bytes) const {
  collisions_.save(bytes);
  resting_.save(bytes);
}

void MicrocollisionFrames::restore(std::string_view& bytes) {
  collisions_.restore(bytes);
  resting_.restore(bytes);
}

}  // namespace carom::methods
