// Frames of microcollisions, and contact forces where those have no room: a frame that ends at a
// Zeno point is finished by zeno-free's steps, which is counted.
#pragma once

#include "carom/methods/microcollision/microcollision.h"
#include "carom/methods/zeno_free/zeno_free.h"

namespace carom::methods {

class MicrocollisionFrames {
 public:
  MicrocollisionFrames(StepContext& context, const Microcollision& options);

  AdvanceResult advance(State& state, double t_end);

  void forces_changed(const State&) {}
  void report(record::Summary& summary) const;
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  MicrocollisionStepper collisions_;
  ZenoFreeStepper resting_;
};

}  // namespace carom::methods
