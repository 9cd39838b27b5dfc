// A second method at work on a scene, which nobody hears: it begins where the first is, and shows
// what would happen.
#pragma once

#include "carom/methods/stepper.h"
#include "carom/record/recorder.h"

namespace carom::simulation {

struct Beside {
  Beside(const Scene& scene, base::Workers& workers, const dynamics::ProgramForces& program)
      : recorder(scene), stepper(scene, workers, recorder, &program) {}
  record::Recorder recorder;
  methods::Stepper stepper;
};

}  // namespace carom::simulation
