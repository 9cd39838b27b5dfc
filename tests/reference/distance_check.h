// How wrong a signed distance is, as a part of the larger shape's size. Apart, the answer carries
// its own proof: no distance is below the separation along the normal or above the distance of two
// points of the shapes; both are recomputed in long double. Overlapping, the separation along the
// normal says that so short a translation parts them, and the search for a shorter one must fail.
#pragma once

#include "carom/geometry/distance/distance.h"
#include "reference/best_separation.h"

namespace carom::reference {

struct DistanceErrors {
  double value = 0;      // against the bounds apart, against the separation overlapping
  double witness = 0;    // points off their surfaces, or not value * normal apart
  double shortfall = 0;  // what a better direction would gain
  double worst() const { return std::max({value, witness, shortfall}); }
};

// The radius about the origin of a shape; of a plane how far it lies from there.
inline double size_of(const geometry::Convex& convex) {
  const geometry::Plane* plane = std::get_if<geometry::Plane>(&convex.shape);
  return plane ? std::abs(plane->offset) : convex.radius;
}

inline DistanceErrors check_distance(const geometry::Placed& a, const geometry::Placed& b,
                                     const geometry::Distance& found, bool search) {
  const LongSolid solid_a(a.convex.shape, a.X_WS), solid_b(b.convex.shape, b.X_WS);
  const Long size = std::max(size_of(a.convex), size_of(b.convex));
  const Long3 n = found.normal.cast<Long>().normalized();
  const Long3 p = found.p_A.cast<Long>(), q = found.p_B.cast<Long>();
  const Long lower = separation(solid_a, solid_b, n);
  DistanceErrors errors;
  errors.value = static_cast<double>(std::abs(found.value - lower) / size);
  const Long off = std::max(solid_a.outside(p), solid_b.outside(q));
  const Long apart = (p - q - found.value * n).norm();
  errors.witness = static_cast<double>(std::max(off, apart) / size);
  const bool bounded = std::isfinite(a.convex.radius + b.convex.radius);  // else no other direction
  if (found.value < 1e-9L * size && search && bounded) {
    const Long best = SeparationSearch(solid_a, solid_b).run().value;
    errors.shortfall = static_cast<double>(std::max<Long>(0, best - found.value) / size);
  }
  return errors;
}

}  // namespace carom::reference
