#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/shapes/patch_builder.h"
#include "carom/geometry/shapes/support.h"

namespace carom::geometry {

namespace {

// Faces within about a milliradian of the foremost one count as part of the same flat.
constexpr double kSameFacing = 1e-6;

// Of a whole surface: cosine to the direction below which a face is a wall.
constexpr double kSteep = 0.05;

template <typename T>
const T& item(const std::vector<T>& list, int i) {
  return list[static_cast<std::size_t>(i)];
}

using VertexList = BoundedList<int, kMostCorners>;

bool holds(const VertexList& list, int vertex) {
  return std::find(list.begin(), list.end(), vertex) != list.end();
}

// The vertices down to a level below the foremost one hang together along edges. False if there
// are too many.
bool flood(const Polytope& polytope, const Vec3& direction, double level, VertexList& out) {
  for (std::size_t next = 0; next < out.size(); ++next) {
    for (const auto& neighbour : polytope.neighbours_of(out[next])) {
      if (direction.dot(item(polytope.vertices, neighbour.vertex)) < level) continue;
      if (!holds(out, neighbour.vertex) && !out.push(neighbour.vertex)) return false;
    }
  }
  return true;
}

void keep_farthest_out(const PatchBuilder& at, const Polytope& polytope, double level,
                       VertexList& out) {
  out.clear();
  for (std::size_t k = 0; k < kMostCorners; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / kMostCorners;
    const Flat outward{std::cos(angle), std::sin(angle)};
    int best = -1;
    double farthest = -HUGE_VAL;
    for (int v = 0; v < static_cast<int>(polytope.vertices.size()); ++v) {
      if (at.direction.dot(item(polytope.vertices, v)) < level) continue;
      const Flat p = at.query.plane.flat(at.placed.X_WS * item(polytope.vertices, v));
      if (dot(outward, p) > farthest) farthest = dot(outward, p), best = v;
    }
    if (!holds(out, best)) out.push(best);
  }
}

bool has_face(const Patch& patch, int face) {
  return std::any_of(patch.faces.begin(), patch.faces.end(),
                     [&](const PatchFace& f) { return f.feature.index == face; });
}

template <typename Visit>
void visit_faces_around(const Polytope& polytope, int vertex, const Visit& visit) {
  for (const auto& neighbour : polytope.neighbours_of(vertex)) {
    visit(item(polytope.edges, neighbour.edge).left);
    visit(item(polytope.edges, neighbour.edge).right);
  }
}

void add_faces(PatchBuilder& at, const Polytope& polytope, const VertexList& vertices) {
  double best = -1;
  const auto facing = [&](int f) { return item(polytope.faces, f).normal.dot(at.direction); };
  for (const int v : vertices) {
    visit_faces_around(polytope, v, [&](int f) { best = std::max(best, facing(f)); });
  }
  const double least = at.query.leaning ? kSteep : best - kSameFacing;
  for (const int v : vertices) {
    visit_faces_around(polytope, v, [&](int f) {
      if (facing(f) < least || has_face(at.out, f)) return;
      const Polytope::Face& face = item(polytope.faces, f);
      at.out.faces.push({face.normal, face.offset, {FeatureKind::Face, f}});
    });
  }
}

void add_leaning_faces(const PatchBuilder& at, const Polytope& polytope, VertexList& vertices) {
  const double lean = std::max(at.query.lean, 0.0);
  for (std::size_t i = 0, n = vertices.size(); i < n; ++i) {
    visit_faces_around(polytope, vertices[i], [&](int f) {
      const Vec3& normal = item(polytope.faces, f).normal;
      if (normal.dot(at.direction) < 0 || normal.cross(at.direction).norm() > lean) return;
      for (const int corner : polytope.corners_of(f)) {
        if (!holds(vertices, corner)) vertices.push(corner);
      }
    });
  }
}

// The edge between two vertices; where the hull of a patch leaves the edges, a number past them.
int edge_between(const Polytope& polytope, int from, int to) {
  for (const auto& neighbour : polytope.neighbours_of(from)) {
    if (neighbour.vertex == to) return neighbour.edge;
  }
  return static_cast<int>(polytope.edges.size()) + from;
}

void add_hull(PatchBuilder& at, const Polytope& polytope, const VertexList& vertices) {
  BoundedList<Flat, kMostCorners> flats;
  for (const int v : vertices) {
    flats.push(at.query.plane.flat(at.placed.X_WS * item(polytope.vertices, v)));
  }
  HullOrder order;
  find_hull(flats, at.query.near, order);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int v = vertices[order[i]], next = vertices[order[(i + 1) % order.size()]];
    const Vec3& p = item(polytope.vertices, v);
    at.add({p, p, 0, Roundness::Sharp, {FeatureKind::Vertex, v}});
    at.out.edges.push({FeatureKind::Edge, edge_between(polytope, v, next)});
  }
  at.close(order.size() == 1   ? OutlineKind::Point
           : order.size() == 2 ? OutlineKind::Segment
                               : OutlineKind::Polygon);
}

}  // namespace

int first_vertex(const Polytope& polytope, const Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::Vertex:
      return feature.index;
    case FeatureKind::Edge:
      return item(polytope.edges, feature.index).from;
    case FeatureKind::Face:
      return polytope.corners_of(feature.index)[0];
    case FeatureKind::Surface:
      return 0;
  }
  return 0;
}

int climb(const Polytope& polytope, const Vec3& direction, const Feature& start) {
  return climb(polytope, direction, first_vertex(polytope, start));
}

void build_polytope_patch(PatchBuilder& at, const Polytope& polytope, const Feature& start) {
  VertexList vertices;
  vertices.push(climb(polytope, at.direction, start));
  const double level = at.direction.dot(item(polytope.vertices, vertices[0])) - at.query.slack;
  if (flood(polytope, at.direction, level, vertices)) {
    add_leaning_faces(at, polytope, vertices);
  } else {
    keep_farthest_out(at, polytope, level, vertices);
  }
  add_hull(at, polytope, vertices);
  if (at.out.outline.kind == OutlineKind::Polygon) add_faces(at, polytope, vertices);
}

}  // namespace carom::geometry
