#include "carom/geometry/shapes/support.h"

#include <algorithm>

namespace carom::geometry {

namespace {

// Up to this many vertices looking at all of them is faster than climbing.
constexpr std::size_t kScan = 12;

const Vec3& vertex_of(const Polytope& polytope, int i) {
  return polytope.vertices[static_cast<std::size_t>(i)];
}
const Polytope::Edge& edge_of(const Polytope& polytope, int i) {
  return polytope.edges[static_cast<std::size_t>(i)];
}
const Polytope::Face& face_of(const Polytope& polytope, int i) {
  return polytope.faces[static_cast<std::size_t>(i)];
}

// The edge of the vertex that is most nearly at right angles to m, or -1.
int flattest_edge(const Polytope& polytope, int vertex, const Vec3& m) {
  int best = -1;
  double best_slope = HUGE_VAL;
  for (const Polytope::Neighbour& neighbour : polytope.neighbours_of(vertex)) {
    const double slope = std::abs(edge_of(polytope, neighbour.edge).direction.dot(m));
    if (slope < best_slope) {
      best_slope = slope;
      best = neighbour.edge;
    }
  }
  return best;
}

// The face at the vertex whose normal is nearest to m, or -1.
int nearest_face(const Polytope& polytope, int vertex, const Vec3& m) {
  int best = -1;
  double best_cosine = -2;
  for (const Polytope::Neighbour& neighbour : polytope.neighbours_of(vertex)) {
    const Polytope::Edge& edge = edge_of(polytope, neighbour.edge);
    for (const int face : {edge.left, edge.right}) {
      if (face < 0) continue;
      const double cosine = face_of(polytope, face).normal.dot(m);
      if (cosine > best_cosine) {
        best_cosine = cosine;
        best = face;
      }
    }
  }
  return best;
}

Piece make_disc_piece(double radius, double z) {
  Piece piece;
  piece.centre = Vec3(0, 0, z);
  piece.square = Vec3(radius * radius, radius * radius, 0).asDiagonal();
  piece.round = true;
  return piece;
}

Piece make_point_piece(const Vec3& point) {
  Piece piece;
  piece.centre = point;
  return piece;
}

Piece restricted(Piece piece, Freedom freedom, const Vec3& axis, double level) {
  piece.freedom = freedom;
  piece.axis = axis;
  piece.level = level;
  return piece;
}

// The point of a circle of this radius about z at height z, farthest along m.
Vec3 rim_point(const Vec3& m, double radius, double z) {
  const double across = std::sqrt(m.x() * m.x() + m.y() * m.y());
  if (across == 0) return {radius, 0, z};
  return {radius * m.x() / across, radius * m.y() / across, z};
}

SupportFace make_point_face(const Vec3& point) {
  SupportFace set;
  set.p = point;
  return set;
}

SupportFace make_segment_face(const Vec3& p, const Vec3& q) {
  SupportFace set;
  set.kind = SupportFace::Kind::Segment;
  set.p = p;
  set.q = q;
  return set;
}

SupportFace make_disc_face(double radius, double z) {
  SupportFace set;
  set.kind = SupportFace::Kind::Disc;
  set.p = Vec3(0, 0, z);
  set.q = Vec3(0, 0, std::copysign(1.0, z));
  set.radius = radius;
  return set;
}

bool same_direction(const Vec3& unit, const Vec3& m) {
  return unit.dot(m) > 0 && unit.cross(m).squaredNorm() < kParallel * kParallel;
}

}  // namespace

int climb(const Polytope& polytope, const Vec3& m, int start) {
  const int count = static_cast<int>(polytope.vertices.size());
  int best = start >= 0 && start < count ? start : 0;
  double height = vertex_of(polytope, best).dot(m);
  if (polytope.vertices.size() <= kScan) {
    for (int i = 0; i < count; ++i) {
      const double other = vertex_of(polytope, i).dot(m);
      if (other > height) {
        height = other;
        best = i;
      }
    }
    return best;
  }
  for (int step = 0; step < count; ++step) {
    const int from = best;
    for (const Polytope::Neighbour& neighbour : polytope.neighbours_of(from)) {
      const double other = vertex_of(polytope, neighbour.vertex).dot(m);
      if (other > height) {
        height = other;
        best = neighbour.vertex;
      }
    }
    if (best == from) break;
  }
  return best;
}

Vec3 PolytopeSupport::operator()(const Vec3& m) {
  vertex = climb(*polytope, m, vertex);
  return vertex_of(*polytope, vertex);
}

void PolytopeSupport::find_pieces(const Vec3& m, const Vec3& near, Pieces& out) {
  const Piece corner = make_point_piece((*this)(m));
  if (const int face = nearest_face(*polytope, vertex, m); face >= 0) {
    out.add(restricted(corner, Freedom::Fixed, face_of(*polytope, face).normal, 1));
  }
  if (const int index = flattest_edge(*polytope, vertex, m); index >= 0) {
    const Polytope::Edge& edge = edge_of(*polytope, index);
    const Vec3& from = vertex_of(*polytope, edge.from);
    const Vec3& to = vertex_of(*polytope, edge.to);
    const bool nearer_to = (near - to).squaredNorm() < (near - from).squaredNorm();
    out.add(
        restricted(make_point_piece(nearer_to ? to : from), Freedom::Circle, edge.direction, 0));
  }
  out.add(corner);
}

SupportFace PolytopeSupport::find_set(const Vec3& m) {
  SupportFace set = make_point_face((*this)(m));
  set.feature = {FeatureKind::Vertex, vertex};
  const int face = nearest_face(*polytope, vertex, m);
  if (face >= 0 && same_direction(face_of(*polytope, face).normal, m)) {
    set.kind = SupportFace::Kind::Polygon;
    set.polytope = polytope;
    set.feature = {FeatureKind::Face, face};
    return set;
  }
  const int edge = flattest_edge(*polytope, vertex, m);
  if (edge >= 0 && std::abs(edge_of(*polytope, edge).direction.dot(m)) < kParallel) {
    set = make_segment_face(vertex_of(*polytope, edge_of(*polytope, edge).from),
                            vertex_of(*polytope, edge_of(*polytope, edge).to));
    set.feature = {FeatureKind::Edge, edge};
  }
  return set;
}

Vec3 CylinderSupport::operator()(const Vec3& m) const {
  return rim_point(m, radius, std::copysign(half, m.z()));
}

void CylinderSupport::find_pieces(const Vec3& m, const Vec3&, Pieces& out) const {
  const double end = std::copysign(1.0, m.z());
  out.add(restricted(make_point_piece({0, 0, end * half}), Freedom::Fixed, {0, 0, end}, 1));
  out.add(restricted(make_disc_piece(radius, 0), Freedom::Circle, Vec3::UnitZ(), 0));
  out.add(make_disc_piece(radius, end * half));
}

SupportFace CylinderSupport::find_set(const Vec3& m) const {
  const double end = std::copysign(half, m.z());
  if (std::sqrt(m.x() * m.x() + m.y() * m.y()) < kParallel) return make_disc_face(radius, end);
  if (std::abs(m.z()) < kParallel) {
    return make_segment_face(rim_point(m, radius, -half), rim_point(m, radius, half));
  }
  return make_point_face(rim_point(m, radius, end));
}

Vec3 ConeSupport::operator()(const Vec3& m) const {
  const double apex = half * m.z();
  const double rim = radius * std::sqrt(m.x() * m.x() + m.y() * m.y()) - half * m.z();
  return apex >= rim ? Vec3(0, 0, half) : rim_point(m, radius, -half);
}

void ConeSupport::find_pieces(const Vec3& m, const Vec3&, Pieces& out) const {
  const Vec3 apex(0, 0, half);
  out.add(restricted(make_point_piece({0, 0, -half}), Freedom::Fixed, -Vec3::UnitZ(), 1));
  out.add(restricted(make_point_piece(apex), Freedom::Circle, Vec3::UnitZ(), side_level()));
  out.add(make_disc_piece(radius, -half));
  if (m.z() > 0) out.add(make_point_piece(apex));
}

SupportFace ConeSupport::find_set(const Vec3& m) const {
  if (m.z() < 0 && std::sqrt(m.x() * m.x() + m.y() * m.y()) < kParallel)
    return make_disc_face(radius, -half);
  if (std::abs(m.z() - side_level()) < kParallel * std::sqrt(m.x() * m.x() + m.y() * m.y())) {
    return make_segment_face(rim_point(m, radius, -half), {0, 0, half});
  }
  return make_point_face((*this)(m));
}

Vec3 EllipsoidSupport::operator()(const Vec3& m) const {
  const Vec3 scaled = radii.cwiseProduct(m);
  return radii.cwiseProduct(scaled) / scaled.norm();
}

void EllipsoidSupport::find_pieces(const Vec3&, const Vec3&, Pieces& out) const {
  Piece piece;
  piece.square = radii.cwiseProduct(radii).asDiagonal();
  piece.round = true;
  out.add(piece);
}

SupportFace EllipsoidSupport::find_set(const Vec3& m) const { return make_point_face((*this)(m)); }

Vec3 Support::operator()(const Vec3& m) {
  return std::visit([&](auto& mapping) -> Vec3 { return mapping(m); }, mapping_);
}

void Support::find_pieces(const Vec3& m, const Vec3& near, Pieces& out) {
  std::visit([&](auto& mapping) { mapping.find_pieces(m, near, out); }, mapping_);
}

SupportFace Support::find_set(const Vec3& m) {
  return std::visit([&](auto& mapping) { return mapping.find_set(m); }, mapping_);
}

const Polytope* Support::polytope() const {
  const auto* mapping = std::get_if<PolytopeSupport>(&mapping_);
  return mapping == nullptr ? nullptr : mapping->polytope;
}

std::optional<double> Support::side_level() const {
  if (const auto* cylinder = std::get_if<CylinderSupport>(&mapping_)) return cylinder->side_level();
  if (const auto* cone = std::get_if<ConeSupport>(&mapping_)) return cone->side_level();
  return std::nullopt;
}

}  // namespace carom::geometry
