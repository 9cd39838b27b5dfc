// Each bounded shape as a support mapping and the radius of the ball rolled over it.
#pragma once

#include "carom/geometry/shapes/support.h"

namespace carom::geometry {

template <typename Support>
struct Rounded {
  Support support;
  double radius = 0;
};

inline Rounded<PolytopeSupport> make_rounded(const Sphere& sphere, const Convex& convex) {
  return {{convex.core.get()}, sphere.radius};
}
inline Rounded<PolytopeSupport> make_rounded(const Capsule& capsule, const Convex& convex) {
  return {{convex.core.get()}, capsule.radius};
}
inline Rounded<PolytopeSupport> make_rounded(const Box&, const Convex& convex) {
  return {{convex.core.get()}};
}
inline Rounded<PolytopeSupport> make_rounded(const Hull&, const Convex& convex) {
  return {{convex.core.get()}};
}
inline Rounded<CylinderSupport> make_rounded(const Cylinder& cylinder, const Convex&) {
  return {{cylinder.radius, 0.5 * cylinder.length}};
}
inline Rounded<ConeSupport> make_rounded(const Cone& cone, const Convex&) {
  return {{cone.radius, 0.5 * cone.length}};
}
inline Rounded<EllipsoidSupport> make_rounded(const Ellipsoid& ellipsoid, const Convex&) {
  return {{ellipsoid.radii}};
}

}  // namespace carom::geometry
