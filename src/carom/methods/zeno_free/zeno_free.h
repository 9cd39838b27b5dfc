// Event stepping that cannot freeze (Drumwright, algorithms 2–4). Resting contacts do not stop the
// step; it ends early only at contacts that are impacts, and all contacts of that moment are
// treated together. docs/methods/zeno-free.md tells the scheme and its departures:
//
//   exact    (default) flight in closed form; resting contacts and joints are held by forces
//            constant over the step, found at the velocity level (held_flight.h)
//   symplectic-euler, rk4, dormand-prince
//            the same with flights that a numerical scheme integrates (dynamics/schemes.h)
//   euler    the paper to the letter: explicit Euler, resting contacts ignored until they impact
#pragma once

#include "carom/methods/shared/crowd.h"
#include "carom/methods/shared/impact_treatment.h"
#include "carom/methods/shared/method_traits.h"
#include "carom/methods/zeno_free/crowd_flight.h"
#include "carom/methods/zeno_free/held_flight.h"
#include "carom/methods/zeno_free/sleeping.h"

namespace carom::methods {

struct ZenoFree {
  impact::Law impact = impact::Sequential{};
  bool euler = false;                           // the paper's step, instead of held contacts
  std::optional<dynamics::Scheme> scheme = {};  // of flights with held contacts; none: exact
  int max_impacts_per_step = 100'000;
  bool sleeping = true;  // islands at rest are left alone; not under euler
};
MethodTraits describe_zeno_free();
ZenoFree make_zeno_free(const model::MethodSettings& settings, const impact::Law& law);

class ZenoFreeStepper {
 public:
  ZenoFreeStepper(StepContext& context, const ZenoFree& options);

  // From state.t to t_end, impacts included. On failure `state` is the last good one.
  AdvanceResult advance(State& state, double t_end);

  const SleepingIslands& sleeping() const { return sleeping_; }
  void forces_changed(const State& state);  // those that a program applies
  void report(record::Summary& summary) const;
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  void find_contacts(const State& state);
  AdvanceResult fly(State& state, double t_end);
  AdvanceResult fly_by_euler(State& state, double t_end);
  void let_sleep(double at_least, State& state);

  StepContext& context_;
  ZenoFree options_;
  ContactLog log_;
  ImpactTreatment impacts_;
  SleepingIslands sleeping_;
  HeldFlight flight_;
  Crowd crowd_;
  CrowdFlight crowd_flight_;
  FeatureContacts contacts_;
};

}  // namespace carom::methods
