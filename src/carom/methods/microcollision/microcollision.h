// Impulse-based simulation (Mirtich & Canny): bodies fly freely and collide, nothing else. Whatever
// rests, slides or rolls does so by microcollisions; there are no contact forces and no constraints
// but joints. A frame is computed by one of three engines:
//
//   collision_heap.h     any bodies: the paper's heap of times of collision (§3), on their own
//                        clocks, in regions that run in parallel (parallel_regions.h)
//   balls/ball_clock.h   balls among planes, by the million
//   jointed.h            scenes with joints or forces: all bodies on one clock
//
// Microcollisions need room. Where collisions follow one another while time stands still, as of a
// ball that just fits between two walls or of a light body under a very heavy one, a frame ends
// there with a Zeno point, and the caller finishes it otherwise.
#pragma once

#include <optional>

#include "carom/methods/microcollision/balls/ball_clock.h"
#include "carom/methods/microcollision/jointed.h"
#include "carom/methods/microcollision/parallel_regions.h"
#include "carom/methods/shared/method_traits.h"

namespace carom::methods {

struct Microcollision {
  impact::Law impact;
  ClockOptions clocks;
};
MethodTraits describe_microcollision();
Microcollision make_microcollision(const model::MethodSettings& settings, const impact::Law& law);

class MicrocollisionStepper {
 public:
  MicrocollisionStepper(StepContext& context, const Microcollision& options);

  // A frame, recorded; up to a Zeno point where there is one.
  AdvanceResult advance(State& state, double t_end);

  // What touches and approaches does so no longer, without a bounce; counted as a held frame.
  AdvanceResult stop_colliding(State& state);

  void report(record::Summary& summary) const { summary.vibration = memory_.vibration; }
  void save(std::string& bytes) const { memory_.save(bytes); }
  void restore(std::string_view& bytes) { memory_.restore(bytes); }

 private:
  AdvanceResult keep_clocks(State& state, double t_end);

  StepContext& context_;
  Microcollision options_;
  MicrocollisionMemory memory_;
  ContactLog log_;
  ImpactTreatment impacts_;
  std::optional<ParallelRegions> regions_;
  std::optional<BallClock> balls_;
  std::optional<JointedMicrocollisions> jointed_;
  FeatureContacts contacts_;
  std::vector<record::Collision> collisions_;
  State before_;
};

}  // namespace carom::methods
