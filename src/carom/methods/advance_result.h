// How advancing time ended, for every method: whether it got there, and if not why, between which
// bodies and where.
#pragma once

#include <optional>
#include <string>

#include "carom/geometry/feature_pair.h"
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
};

struct AdvanceResult {
  AdvanceStatus status = AdvanceStatus::Advanced;
  BodyId a{}, b{};                             // between which bodies, where that makes sense
  std::optional<geometry::ContactPoint> at{};  // and where

  bool ok() const { return status == AdvanceStatus::Advanced; }
};

// One sentence for a person: what happened, when, between which bodies, where.
std::string describe(const AdvanceResult& result, const Scene& scene, double t);

}  // namespace carom::methods
