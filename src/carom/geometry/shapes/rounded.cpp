#include "carom/geometry/shapes/rounded.h"

#include "carom/base/check.h"

namespace carom::geometry {

namespace {

using Mapping = Support::Mapping;

struct Mappings {
  Mapping operator()(const Sphere&) const { return PolytopeSupport{core}; }
  Mapping operator()(const Box&) const { return PolytopeSupport{core}; }
  Mapping operator()(const Capsule&) const { return PolytopeSupport{core}; }
  Mapping operator()(const Cylinder& s) const { return CylinderSupport{s.radius, 0.5 * s.length}; }
  Mapping operator()(const Cone& s) const { return ConeSupport{s.radius, 0.5 * s.length}; }
  Mapping operator()(const Ellipsoid& s) const { return EllipsoidSupport{s.radii}; }
  Mapping operator()(const Hull&) const { return PolytopeSupport{core}; }
  Mapping operator()(const Plane&) const {
    base::check(false, "a plane has no support mapping");
    return PolytopeSupport{core};
  }

  const Polytope* core;
};

}  // namespace

Rounded make_rounded(const Convex& convex) {
  return {Support(std::visit(Mappings{convex.core.get()}, convex.shape)), core_radius(convex)};
}

}  // namespace carom::geometry
