// Impact laws: what velocities become when bodies meet. A law sees the contact problem alone; each
// is a struct of options with a `resolve`, and the registry in methods/impact_laws.h lists them
// all.
#pragma once

#include "carom/contact/island_system.h"

namespace carom::impact {

enum class ImpactStatus {
  Resolved,
  IterationCap,  // the iteration did not end within its cap; the impulses are the last iterate
};

struct ImpactResult {
  ImpactStatus status = ImpactStatus::Resolved;
  int iterations = 0;   // applications of the impact operator, the most over the islands
  double residual = 0;  // m/s; the greatest approach speed left, recomputed from the problem
};

// Memory that laws work in, kept between calls so that an impact allocates nothing once warm.
struct ImpactWorkspace {
  contact::IslandSystem system;
  std::vector<Vec3> contact_rates;
  std::vector<double> equality_rates;
  std::vector<double> friction, radii, zero_friction;
  math::VecBuffer velocity, inelastic, elastic, impulse;
};

}  // namespace carom::impact
