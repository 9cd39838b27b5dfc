#include "carom/geometry/shapes/convex_decomposition.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "carom/geometry/shapes/convex_cell.h"
#include "carom/geometry/shapes/convex_hull.h"

namespace carom::geometry {

namespace {

// Relative to the size of the surface.
constexpr double kShallow = 1e-6;      // a triangle no deeper inside a part does not run through it
constexpr double kResolution = 1e-11;  // corners nearer to a plane lie on it

constexpr double kVolumeTolerance = 1e-6;  // relative; what shallow notches may add up to
constexpr double kConvexUnion = 1e-10;  // relative; the hull of two pieces is no larger than they

constexpr std::size_t kCandidates = 32;         // planes compared before each cut
constexpr std::size_t kMaxLooks = 500'000'000;  // at a triangle and a face of a part: seconds

struct Part {
  ConvexCell cell;
  std::vector<std::int32_t> triangles;  // that may run through it
};

Plane plane_of(const TriangleMesh& mesh, std::int32_t triangle) {
  const Vec3& normal = mesh.normals[static_cast<std::size_t>(triangle)];
  return {normal, normal.dot(mesh.corner(triangle, 0))};
}

class Cutter {
 public:
  explicit Cutter(const TriangleMesh& mesh) : mesh_(mesh) {
    Box3 box{mesh.vertices[0], mesh.vertices[0]};
    for (const Vec3& v : mesh.vertices) box = {box.low.cwiseMin(v), box.high.cwiseMax(v)};
    size_ = (box.high - box.low).norm();
  }

  // False when there would be too many.
  bool cut(const Polyhedron& hull, std::vector<ConvexCell>& inside) {
    std::vector<Part> open;
    open.push_back({ConvexCell(hull), {}});
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      open.back().triangles.push_back(static_cast<std::int32_t>(t));
    }
    std::size_t looks = 0;
    while (!open.empty()) {
      Part part = std::move(open.back());
      open.pop_back();
      looks += part.triangles.size() * part.cell.face_count() + mesh_.triangles.size();
      if (looks > kMaxLooks || inside.size() > kMaxPieces) return false;
      if (const auto plane = find_plane(part)) {
        split(part, *plane, open);
      } else if (compute_winding_number(mesh_, part.cell.center()) > 0.5) {
        inside.push_back(std::move(part.cell));
      }
    }
    return true;
  }

 private:
  // Of the planes of the largest triangles through the part, the one with most area of any on it.
  // The part's list keeps only triangles through it, the largest first.
  std::optional<Plane> find_plane(Part& part) {
    std::vector<std::pair<double, std::int32_t>> through;  // by area, negative to sort
    for (const std::int32_t t : part.triangles) {
      const double area = area_inside(part.cell, t);
      if (area > 0) through.emplace_back(-area, t);
    }
    std::sort(through.begin(), through.end());
    part.triangles.clear();
    for (const auto& [area, t] : through) part.triangles.push_back(t);
    std::optional<Plane> best;
    double most = 0;
    for (std::size_t i = 0; i < std::min(through.size(), kCandidates); ++i) {
      const Plane plane = plane_of(mesh_, through[i].second);
      double sum = 0;
      for (const auto& [area, t] : through) sum -= lies_on(plane, t) ? area : 0;
      if (sum <= most * (1 + 1e-9)) continue;  // of equals the first, whatever the rounding
      most = sum;
      best = plane;
    }
    return best;
  }

  double area_inside(const ConvexCell& cell, std::int32_t t) {
    polygon_ = {mesh_.corner(t, 0), mesh_.corner(t, 1), mesh_.corner(t, 2)};
    cell.clip(polygon_, kShallow * size_, scratch_);
    double area = 0;
    for (std::size_t i = 1; i + 1 < polygon_.size(); ++i) {
      area += 0.5 * (polygon_[i] - polygon_[0]).cross(polygon_[i + 1] - polygon_[0]).norm();
    }
    return area;
  }

  bool lies_on(const Plane& plane, std::int32_t t) const {
    for (int k = 0; k < 3; ++k) {
      const double height = plane.normal.dot(mesh_.corner(t, k)) - plane.offset;
      if (std::abs(height) > kShallow * size_) return false;
    }
    return true;
  }

  void split(const Part& part, const Plane& plane, std::vector<Part>& open) const {
    const double resolution = kResolution * size_;
    const Plane reversed{-plane.normal, -plane.offset};
    for (const Plane& side : {reversed, plane}) {
      if (auto cell = part.cell.part_behind(side, resolution)) {
        open.push_back({std::move(*cell), part.triangles});
      }
    }
  }

  const TriangleMesh& mesh_;
  double size_ = 0;
  std::vector<Vec3> polygon_, scratch_;
};

struct Piece {
  std::shared_ptr<const Polyhedron> polyhedron;
  double volume;
};

std::optional<Piece> make_piece(const std::vector<Vec3>& points) {
  const HullResult hull = make_convex_hull(points);
  if (hull.polyhedron == nullptr) return std::nullopt;
  return Piece{hull.polyhedron, ConvexCell(*hull.polyhedron).volume()};
}

Box3 box_around(const Piece& piece, double margin) {
  const std::vector<Vec3>& vertices = piece.polyhedron->vertices;
  Box3 box{vertices[0], vertices[0]};
  for (const Vec3& v : vertices) box = {box.low.cwiseMin(v), box.high.cwiseMax(v)};
  return {box.low.array() - margin, box.high.array() + margin};
}

std::optional<Piece> join(const Piece& a, const Piece& b) {
  const double margin = 1e-9 * std::cbrt(a.volume + b.volume);
  if (!box_around(a, margin).overlaps(box_around(b, margin))) return std::nullopt;
  std::vector<Vec3> points = a.polyhedron->vertices;
  points.insert(points.end(), b.polyhedron->vertices.begin(), b.polyhedron->vertices.end());
  std::optional<Piece> both = make_piece(points);
  if (both && both->volume > (a.volume + b.volume) * (1 + kConvexUnion)) return std::nullopt;
  return both;
}

// Until no two can be joined; every success makes one fewer, so this ends.
void join_pieces(std::vector<Piece>& pieces) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t j = 0; j < pieces.size(); ++j) {
      if (i == j) continue;
      const std::optional<Piece> both = join(pieces[i], pieces[j]);
      if (!both) continue;
      pieces[i] = *both;
      pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(j));
      if (j < i) --i;
      j = static_cast<std::size_t>(-1);  // what is larger now may join what it could not before
    }
  }
}

double total_volume(const std::vector<Piece>& pieces) {
  double sum = 0;
  for (const Piece& piece : pieces) sum += piece.volume;
  return sum;
}

}  // namespace

DecompositionStatus check_solid(const TriangleMesh& mesh) {
  if (!mesh.closed) return DecompositionStatus::NotClosed;
  return compute_volume(mesh) > 0 ? DecompositionStatus::Done : DecompositionStatus::InsideOut;
}

Decomposition decompose(const TriangleMesh& mesh) {
  const DecompositionStatus status = check_solid(mesh);
  if (status != DecompositionStatus::Done) return {status, {}};
  const double volume = compute_volume(mesh);
  const HullResult hull = make_convex_hull(mesh.vertices);
  if (hull.polyhedron == nullptr) return {DecompositionStatus::InsideOut, {}};
  std::vector<ConvexCell> inside;
  if (!Cutter(mesh).cut(*hull.polyhedron, inside)) {
    return {DecompositionStatus::TooManyPieces, {}};
  }
  std::vector<Piece> pieces;
  for (const ConvexCell& cell : inside) {
    if (auto piece = make_piece(cell.corners())) pieces.push_back(std::move(*piece));
  }
  join_pieces(pieces);
  if (std::abs(total_volume(pieces) - volume) > kVolumeTolerance * volume) {
    return {DecompositionStatus::Inconsistent, {}};
  }
  Decomposition result;
  for (Piece& piece : pieces) result.pieces.push_back(std::move(piece.polyhedron));
  return result;
}

}  // namespace carom::geometry
