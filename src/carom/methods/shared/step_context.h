// What every method works with on one scene: pairs of shapes that may touch, rows made from
// contacts, threads, and whoever is told. The free functions here are the verbs that methods share;
// what lasts from step to step is the method's own.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "carom/base/workers.h"
#include "carom/contact/contact_problem.h"
#include "carom/contact/pairs.h"
#include "carom/dynamics/applied_forces.h"
#include "carom/methods/shared/advance_result.h"
#include "carom/record/recorder.h"
#include "carom/resting/carry.h"

namespace carom::methods {

struct StepContext {
  StepContext(const Scene& of, base::Workers& by, record::Recorder& to,
              const dynamics::ProgramForces* program = nullptr)
      : scene(of),
        workers(by),
        recorder(to),
        applied(of, program),
        pairs(of, by),
        assembler(of),
        carrier(by) {}

  const Scene& scene;
  base::Workers& workers;
  record::Recorder& recorder;
  dynamics::AppliedForces applied;  // forces beside gravity, contacts and joints
  contact::Pairs pairs;
  contact::Assembler assembler;
  resting::Carrier carrier;                 // forces and inelastic impulses of resting contacts
  std::vector<contact::ContactTime> times;  // scratch of find_toc()

  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::int64_t pause_after = kNever;  // number of events after which the step ends, if it can
  bool is_paused() const { return recorder.event_count() > pause_after; }
};

// Contacts, each with the features that carry it.
struct FeatureContacts {
  contact::ContactSet set;
  std::vector<contact::ContactFeatures> features;
};

// All that touch at `state`.
void find_contacts(StepContext& context, const State& state, FeatureContacts& out);

// The first contact that approaches, and the first that approaches or rests; null if none does.
const contact::Contact* first_approaching(const contact::ContactSet& contacts, const Scene& scene);
// The same, but for those so slow that forces which stop them within `duration` let them sink by
// less than the touching distance.
const contact::Contact* first_approaching(const contact::ContactSet& contacts, const Scene& scene,
                                          double duration);
const contact::Contact* first_active(const contact::ContactSet& contacts, const Scene& scene);

// Those that open no faster than the leaving speed, to which contact forces may act.
void select_resting(const FeatureContacts& contacts, const Scene& scene, FeatureContacts& out);

// find-TOC, Drumwright's algorithm 4: the first time at which some contact of the flight is an
// impact.
struct TimeOfContact {
  AdvanceResult result;  // a search that reached its cap has passed all before s
  double s = 0;          // the flight's duration when there is none
  bool found = false;
};
TimeOfContact find_toc(StepContext& context, const Flight& flight);

}  // namespace carom::methods
