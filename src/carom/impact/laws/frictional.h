// Impacts with Coulomb friction, one contact after another (Mirtich & Canny, §4): while some
// contact approaches, the fastest in the energy metric is passed through its impact alone
// (impact/impulse_space/impulse_space.h), with its own collision matrix, and what that does to its
// neighbours is looked at next. Each such impulse pushes, lies in its friction cone and takes
// energy or keeps it, so all of that holds for their sum. Contacts have their own coefficients
// throughout.
//
// Departures from the paper, where contacts of one instant come in the order of the heap:
//
//   - Impacts that pass back and forth between contacts with e < 1 may go on for ever (inelastic
//     collapse). After `impulses_per_contact` times the contacts, restitution is dropped and the
//     approach that is left is removed at once (impact/dissipation.h).
//   - A contact that friction holds while it still approaches, which needs a singular collision
//     matrix, is stopped by a normal impulse, inelastically.
//
// Both are counted as fallbacks.
//
// An impulse costs as much as its bodies have contacts: in closed form where the contact slides
// along a straight line (planar cases, spheres), three or four power series otherwise.
#pragma once

#include "carom/impact/impulse_space/impulse_space.h"
#include "carom/impact/law.h"

namespace carom::impact {

struct Frictional {
  Restitution restitution = Restitution::Poisson;
  double microcollision_speed = 0;  // m/s; slower approaches are reversed if the cone allows, §4.5
  int impulses_per_contact = 200;
  double epsilon = 1e-14;  // an approach slower than this part of the speed is none
};

ImpactResult resolve(const Frictional& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out);

}  // namespace carom::impact
