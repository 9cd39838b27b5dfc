// What Vouga et al. (§2) ask of an elastic impact, recomputed in long double from the problem and
// the impulses alone. Lengths and speeds are in the energy metric: a contact's rate over the length
// of its gradient and over the speed before, so that one bound serves light and heavy bodies.
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/impact/law.h"
#include "reference/long_contacts.h"
#include "support/impact_cases.h"

namespace carom::reference {

struct ImpactErrors {
  static constexpr double kEnergy = 1e-9;    // of the energy before
  static constexpr double kApproach = 1e-9;  // of the speed before
  static constexpr double kPull = 1e-12;     // of the momentum before
  static constexpr double kJoint = 1e-9;     // of the speed before

  bool ended = true;        // (FIN)
  bool tangential = false;  // (NORM)
  double gained = 0;        // (KIN): energy after beyond what it must be
  double lost = 0;          // (KIN): energy after short of it
  double pull = 0;          // (ONE)
  double approach = 0;      // the fastest left
  double joint = 0;         // the fastest joint row left
  double unprovoked = 0;    // (VIO), of one application: a push where nothing approached
  bool idle = false;        // (MOD), of one application: no push at all
  int lineality = 0;        // found less planted

  bool finite = true;

  // What was done is right, whether or not the law's cap let it end.
  bool sound() const {
    return finite && !tangential && gained <= kEnergy && lost <= kEnergy && pull <= kPull &&
           joint <= kJoint && unprovoked == 0 && !idle && lineality == 0 &&
           (!ended || approach <= kApproach);
  }
  bool right() const { return sound() && ended; }
};

// Energy that an elastic impact must keep: all of it, but for the motion that squeezed contacts
// take away.
inline long double energy_to_keep(const support::ImpactCase& c, const LongContacts& exact,
                                  const LongVec& before) {
  if (c.squeezed.empty()) return exact.energy(before);
  std::vector<LongRow> held = exact.joints;
  for (const std::size_t k : c.squeezed) held.push_back(exact.normal(k));
  return exact.energy(exact.hold(held, before));
}

inline LongVec velocity_after(const LongContacts& exact, const contact::Impulses& impulses,
                              LongVec velocity) {
  for (std::size_t k = 0; k < impulses.contacts.size(); ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      exact.push(exact.contacts[3 * k + axis], impulses.contacts[k][static_cast<int>(axis)],
                 velocity);
    }
  }
  for (std::size_t i = 0; i < impulses.equalities.size(); ++i)
    exact.push(exact.joints[i], impulses.equalities[i], velocity);
  return velocity;
}

inline ImpactErrors check_impact(const support::ImpactCase& c, const impact::ImpactResult& result,
                                 const contact::Impulses& impulses) {
  ImpactErrors errors;
  const LongContacts exact(c.problem);
  const LongVec before = velocity_of(c.bodies.state);
  const LongVec after = velocity_after(exact, impulses, before);
  const long double energy = exact.energy(before);
  const long double speed = std::sqrt(2 * energy);
  const auto change =
      static_cast<double>((exact.energy(after) - energy_to_keep(c, exact, before)) / energy);
  errors.ended = result.status == impact::ImpactStatus::Resolved;
  errors.finite = std::isfinite(change);
  errors.gained = std::max(0.0, change);
  errors.lost = std::max(0.0, -change);
  errors.lineality = result.lineality - c.lineality;
  for (std::size_t k = 0; k < impulses.contacts.size(); ++k) {
    const Vec3& impulse = impulses.contacts[k];
    const long double length = exact.length(exact.normal(k));
    const auto rate = static_cast<double>(exact.normal(k).dot(after) / (length * speed));
    const auto push = static_cast<double>(impulse.x() * length / speed);
    errors.tangential |= impulse.y() != 0 || impulse.z() != 0;
    errors.approach = std::max(errors.approach, -rate);
    errors.pull = std::max(errors.pull, -push);
  }
  for (const LongRow& row : exact.joints) {
    const long double rate = row.dot(after) / (exact.length(row) * speed);
    errors.joint = std::max(errors.joint, static_cast<double>(std::abs(rate)));
  }
  return errors;
}

// The same for one application of the operator, which need not leave anything feasible. `result` is
// of a law that was allowed one.
inline ImpactErrors check_application(const support::ImpactCase& c,
                                      const impact::ImpactResult& result,
                                      const contact::Impulses& impulses) {
  ImpactErrors errors = check_impact(c, result, impulses);
  errors.ended = true;
  errors.approach = 0;
  const LongContacts exact(c.problem);
  const LongVec before = velocity_of(c.bodies.state);
  const long double speed = std::sqrt(2 * exact.energy(before));
  bool pushed = false, provoked = false;
  for (std::size_t k = 0; k < impulses.contacts.size(); ++k) {
    const double push = impulses.contacts[k].x();
    pushed |= push > 0;
    provoked |= exact.normal(k).dot(before) < -1e-12L * exact.length(exact.normal(k)) * speed;
    if (exact.normal(k).dot(before) >= 0) errors.unprovoked = std::max(errors.unprovoked, push);
  }
  errors.idle = provoked && !pushed;
  return errors;
}

}  // namespace carom::reference
