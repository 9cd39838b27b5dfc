// Moves bodies that overlap apart, by translations alone: the least sum of squares of all
// displacements under which every overlap found so far is open along its normal, found again until
// nothing overlaps. Each such condition is linear and enough for its pair, since the gap of convex
// pieces along a fixed direction changes by what they are translated along it. Fixed and driven
// bodies stay, and bodies that joints connect move as one.
#pragma once

#include <optional>
#include <vector>

#include "carom/contact/pairs.h"

namespace carom::contact {

struct Separation {
  std::vector<Vec3> shifts;              // m; one for each body
  std::optional<Pairs::Overlap> left{};  // what could not be opened, the deepest
  bool joined = false;                   // since joints, or nothing that moves, hold both
};

Separation separate(const Scene& scene, base::Workers& workers);

}  // namespace carom::contact
