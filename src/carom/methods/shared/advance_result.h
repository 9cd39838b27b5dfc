// How advancing time ended, for every method: whether it got there, and if not why, between which
// bodies and where.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/geometry/distance/feature_pair.h"
#include "carom/model/scene.h"

namespace carom::methods {

enum class AdvanceStatus {
  Advanced,
  ZenoPoint,            // time does not move on
  TooManyImpacts,       // more impacts in one step than the method allows
  TooManyCollisions,    // more collisions in one frame than the method allows
  ImpactDidNotEnd,      // the impact law reached its cap
  SearchDidNotEnd,      // a root search reached its cap
  CarryDidNotConverge,  // contact forces of a step did not converge
  NoStepShortEnough,    // the error of a step stays too large, or no forces are found in it
  NotFinite,            // a number is not finite any more
  Stopped,              // on request (base/watch.h)
  Indented,             // so deep that something may be squeezed; elastic bodies go on
  Contradiction,        // joints or bodies that nothing stops ask for the impossible
};

// What cannot be: joints that no motion satisfies together, or bodies that are squeezed by others
// which nothing stops.
struct Contradiction {
  std::vector<std::int32_t> joints{};
  std::vector<BodyId> squeezed{}, by{};
  double left = 0;          // of what they ask for, at best
  std::string_view unit{};  // m, m/s or m/s²
};

struct AdvanceResult {
  AdvanceStatus status = AdvanceStatus::Advanced;
  BodyId a{}, b{};                             // the bodies concerned, if any
  std::optional<geometry::ContactPoint> at{};  // where they meet
  std::optional<Contradiction> contradiction{};

  bool ok() const { return status == AdvanceStatus::Advanced; }
};

}  // namespace carom::methods
