// A closed surface of triangles as convex pieces that fill it without overlapping.
//
// The hull of the surface is cut along the plane of a triangle that runs through its inside, the
// parts again, until no triangle runs through a part; what is then inside the surface is kept, and
// pieces whose union is convex are joined again. Every triangle through the inside of a part
// borders a notch, so planes are only spent on notches. The result is exact for any polyhedron, up
// to round-off and notches shallower than 1e-6 of its size, which are filled. What it costs and how
// many pieces it makes depends on the notches: a handful for brackets, crosses and stars; a curved
// hollow such as the inside of a ring has as many planes as facets, and may reach the cap.
#pragma once

#include <memory>
#include <vector>

#include "carom/geometry/shapes/mesh.h"
#include "carom/geometry/shapes/shape.h"

namespace carom::geometry {

enum class DecompositionStatus {
  Done,
  NotClosed,      // a boundary edge
  InsideOut,      // the triangles face inwards, or enclose nothing
  TooManyPieces,  // more than kMaxPieces, or too many cuts to find out
  Inconsistent    // the pieces' volume is not the surface's: it cuts itself, or hides in thin parts
};

struct Decomposition {
  DecompositionStatus status = DecompositionStatus::Done;
  std::vector<std::shared_ptr<const Polyhedron>> pieces;  // empty unless done
};

inline constexpr int kMaxPieces = 256;

Decomposition decompose(const TriangleMesh& mesh);

// The first three of its statuses, which cost little to find out.
DecompositionStatus check_solid(const TriangleMesh& mesh);

}  // namespace carom::geometry
