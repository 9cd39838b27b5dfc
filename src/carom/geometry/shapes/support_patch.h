// What of a convex shape faces a direction: the face, edge, vertex, end disc, generating line, cap
// or rim that lies within `slack` of the plane that supports it there. Faces that border this part
// and lean by less than `lean` are taken whole: over a small overlap they are still near. The
// corners come in the shape's own frame and as an outline in the plane of contact.
//
// A patch has at most kMostCorners corners; of more, those farthest out in as many directions stay.
#pragma once

#include "carom/geometry/shapes/convex.h"
#include "carom/geometry/shapes/planar_overlap.h"

namespace carom::geometry {

// The plane of contact: origin near the touching points, normal from b to a.
struct ContactPlane {
  Vec3 origin, normal, first, second;

  Flat flat(const Vec3& p_W) const {
    const Vec3 p = p_W - origin;
    return {first.dot(p), second.dot(p)};
  }
};
ContactPlane make_contact_plane(const Vec3& origin, const Vec3& normal);

// Sharp: a point fixed on the shape. Ball: it looks the same however it turns. Rim: a point of a
// circle about the shape's axis, whichever is foremost. Curved: whichever point of the surface is.
enum class Roundness { Sharp, Ball, Rim, Curved };

struct PatchPoint {
  Vec3 surface;   // foremost point
  Vec3 core;      // centre of the ball or circle
  double radius;  // of the ball or circle
  Roundness roundness;
  Feature feature;
};
PatchPoint between(const PatchPoint& from, const PatchPoint& to, double along);

struct PatchFace {
  Vec3 normal;  // unit, outward
  double offset;
  Feature feature;
};

struct Patch {
  Outline outline;
  BoundedList<PatchPoint, kMostCorners> corners;  // as in the outline
  BoundedList<Feature, kMostCorners> edges;       // from each corner to the next
  BoundedList<PatchFace, kMostCorners> faces;     // of what is flat: those that make it up
};

struct PatchQuery {
  const ContactPlane& plane;
  Vec3 direction;  // world, unit, outward from the shape
  double slack, lean, near;
  double line_slack;     // within which both ends of a generating line must lie
  double disc_slack;     // within which a whole disc must lie, for it is only sampled
  bool leaning = false;  // what is flat need not lie in the plane: all faces around the corners
                         // make it up, not only the foremost ones
};
void find_patch(const Placed& placed, const PatchQuery& query, const Feature& start, Patch& out);

// The most of direction·x over the shape, world; `start` is where a polytope begins to climb. Of a
// plane the direction must be its normal.
double compute_extent(const Placed& placed, const Vec3& direction, const Feature& start);

// A vertex of the feature.
int first_vertex(const Polytope& polytope, const Feature& feature);

// The vertex of a polytope that is foremost in a direction, its own frame.
int climb(const Polytope& polytope, const Vec3& direction, const Feature& start);

}  // namespace carom::geometry
