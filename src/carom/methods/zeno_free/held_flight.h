// Flight with resting contacts and joints held by forces that are constant over it, in closed form
// or by a numerical scheme.
// It ends at the first impact, at the moment at which something that slides comes to a stop,
// or where it was to end, whichever comes first.
// Forces are those of the flight that is flown: if it ends early, they are found again for the part
// that is flown, with the levers and the contacts' rates of that.
#pragma once

#include <optional>

#include "carom/dynamics/schemes.h"
#include "carom/methods/shared/impact_treatment.h"
#include "carom/methods/shared/resting_forces.h"
#include "carom/methods/zeno_free/sleeping.h"

namespace carom::methods {

class HeldFlight {
 public:
  HeldFlight(StepContext& context, ContactLog& log, ImpactTreatment& impacts,
             const SleepingIslands& sleeping, std::optional<dynamics::Scheme> scheme)
      : context_(context),
        log_(log),
        impacts_(impacts),
        sleeping_(sleeping),
        scheme_(scheme),
        forces_(context) {}

  void begin_step(double step);

  // From `state`, where `contacts` touch and none approaches. Where no force can hold a contact
  // that slides, the impact that stops it is treated instead and time stands still.
  AdvanceResult fly(const FeatureContacts& contacts, State& state, double t_end);

  // For flights that others plan: no contact forces act, contacts at rest are noted; then the
  // flight in path(), up to s.
  void ignore_resting(const FeatureContacts& contacts, const State& state, double duration);
  Flight& path() { return flight_; }
  const Flight& path() const { return flight_; }
  void follow(double s, State& state) { forces_.follow(s, flight_, state); }
  // A search goes through time from one side: what it has passed when it reaches its cap is free of
  // contacts. The flight ends there, and from there one looks again, so often in a step.
  bool may_follow(const TimeOfContact& toc);

  const RestingForces& forces() const { return forces_; }

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  struct Plan {
    HeldStep held;
    double duration;
  };
  struct Trial;
  Plan hold(const State& state, double duration);
  void plan_anew(Trial& trial, double duration);
  // Whether the flight at hand is not flown, and planned anew.
  bool aims_again(Trial& trial);
  bool drifts(Trial& trial);
  bool is_cut(Trial& trial);
  bool gains(Trial& trial);
  void record_revision(const State& state);
  bool gains_too_much(double s) const;
  double longest_turn(const State& state) const;

  StepContext& context_;
  ContactLog& log_;
  ImpactTreatment& impacts_;
  const SleepingIslands& sleeping_;
  std::optional<dynamics::Scheme> scheme_;
  RestingForces forces_;
  FeatureContacts resting_;
  Flight flight_;
  State end_;
  double step_ = 0;            // s
  std::vector<char> settled_;  // per island
  double longest_ = HUGE_VAL;  // s; the next flight: where contacts turn or wander, forces that
                               // are constant hold them for a part of a step only
  int stops_ = 0;              // plans of this step that end where something stops
  int looks_ = 0;              // flights of this step that ended where a search reached its cap
};

}  // namespace carom::methods
