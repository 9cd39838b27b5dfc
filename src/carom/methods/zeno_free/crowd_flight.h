// The flight of a scene in which impacts crowd. Contacts of crowded bodies that may come to touch
// until the end of the step are one complementarity problem with their gaps, as in time-stepping:
// what would close by more than its gap is stopped at the start, with restitution where it is fast
// and touches, and forces constant over the flight let gaps close and not more. Others are held
// where they touch. What is no crowd, and what of it comes fast towards one, still ends the flight
// at the time of its impact, up to a number of times in a step, after which everyone is treated as
// the crowd is; so does whatever linearised gaps miss, so that nothing overlaps.
//
// Crowded bodies leave a little room between them, hundreds of touching distances, for what
// constant forces miss as contacts turn and wander. It is given back as the crowd comes to rest.
//
// Moments of forces that act for a flight are those of the whole of it. One that ends early is
// planned again for the part that is flown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "carom/dynamics/schemes.h"
#include "carom/methods/shared/closing_impacts.h"
#include "carom/methods/shared/crowd.h"
#include "carom/methods/zeno_free/held_flight.h"
#include "carom/methods/zeno_free/sleeping.h"

namespace carom::methods {

class CrowdFlight {
 public:
  // `held` looks at times of contact as it does for its own flights.
  CrowdFlight(StepContext& context, ContactLog& log, const SleepingIslands& sleeping,
              HeldFlight& held, std::optional<dynamics::Scheme> scheme)
      : context_(context),
        log_(log),
        sleeping_(sleeping),
        held_(held),
        scheme_(scheme),
        impacts_(context, log),
        forces_(context) {}

  void begin_step(double step) {
    step_ = step;
    flights_ = 0;
  }

  // Whether the flight from here is one of a crowd: so many flights in a step have not helped, and
  // impacts are told apart again until its end.
  bool is_next(const Crowd& crowd) const;

  // Whether it treats the contact, which approaches; not right after one that did not move on.
  bool treats(const Crowd& crowd, const contact::Contact& approaching);

  // From `state` to the first impact, or to t_end, or as far as a crowd looks ahead.
  AdvanceResult fly(Crowd& crowd, State& state, double t_end);

  double residual() const { return forces_.residual(); }  // m/s
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  struct Trial;
  bool takes_all() const;  // until the end of the step
  void choose(const Crowd& crowd);
  void plan(const State& state, double duration);
  bool plan_anew(Trial& trial) const;
  bool holds(const contact::ContactTime& time) const;
  const contact::ContactTime& end_of(const Trial& trial) const;
  void follow(const Trial& trial, Crowd& crowd, State& state);

  StepContext& context_;
  ContactLog& log_;
  const SleepingIslands& sleeping_;
  HeldFlight& held_;
  std::optional<dynamics::Scheme> scheme_;
  ClosingImpacts impacts_;
  RestingForces forces_;
  ClosingOptions closing_;
  contact::ContactSet contacts_, pushing_;
  Flight flight_;
  double longest_ = HUGE_VAL;  // s; of the next flight
  bool moved_ = true;          // the last flight
  double step_ = 0;            // s; of the crowd
  int flights_ = 0;            // of this step
};

}  // namespace carom::methods
