// How support_patch.cpp and polytope_patch.cpp put a patch together.
#pragma once

#include "carom/geometry/shapes/support_patch.h"

namespace carom::geometry {

struct PatchBuilder {
  const Placed& placed;
  const PatchQuery& query;
  Vec3 direction;  // in the shape's frame
  Patch& out;

  void add(const PatchPoint& point) {
    if (!out.corners.push(point)) return;
    out.outline.corners.push(query.plane.flat(placed.X_WS * point.surface));
  }
  void close(OutlineKind kind) { out.outline.kind = kind; }
};

void build_polytope_patch(PatchBuilder& at, const Polytope& polytope, const Feature& start);

}  // namespace carom::geometry
