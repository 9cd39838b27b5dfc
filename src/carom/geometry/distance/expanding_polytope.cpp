#include "carom/geometry/distance/expanding_polytope.h"

#include <algorithm>
#include <cmath>

namespace carom::geometry {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void ExpandingPolytope::start(const std::array<Vec3, 4>& points) {
  point_count_ = 4;
  face_count_ = free_count_ = 0;
  double size = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    points_[i] = points[i];
    size = std::max(size, points[i].norm());
  }
  tolerance_ = 1e-15 * size;
  const double volume =
      (points[1] - points[0]).cross(points[2] - points[0]).dot(points[3] - points[0]);
  if (volume > 0) std::swap(points_[1], points_[2]);
  add_face(0, 1, 2);
  add_face(0, 3, 1);
  add_face(1, 3, 2);
  add_face(0, 2, 3);
  faces_[0].neighbours = {1, 2, 3};
  faces_[1].neighbours = {3, 2, 0};
  faces_[2].neighbours = {1, 3, 0};
  faces_[3].neighbours = {0, 2, 1};
}

std::int16_t ExpandingPolytope::add_face(std::int16_t i, std::int16_t j, std::int16_t k) {
  if (free_count_ == 0 && face_count_ == kFaceCap) return -1;
  const int index = free_count_ > 0 ? free_[at(--free_count_)] : face_count_++;
  Face& face = faces_[at(index)];
  const Vec3& p = points_[at(i)];
  const Vec3& q = points_[at(j)];
  const Vec3& r = points_[at(k)];
  const Vec3 area = (q - p).cross(r - p);
  const double length = area.norm();
  face.corners = {i, j, k};
  face.alive = true;
  // A face without an area bounds nothing that its neighbours do not.
  const double longest =
      std::max({(q - p).squaredNorm(), (r - p).squaredNorm(), (r - q).squaredNorm()});
  const bool sliver = length <= 1e-13 * longest || length == 0;
  face.normal = sliver ? Vec3::Zero() : Vec3(area / length);
  face.offset =
      sliver ? HUGE_VAL : std::max({face.normal.dot(p), face.normal.dot(q), face.normal.dot(r)});
  return static_cast<std::int16_t>(index);
}

int ExpandingPolytope::nearest_face() const {
  int best = -1;
  for (int i = 0; i < face_count_; ++i) {
    const Face& face = faces_[at(i)];
    if (face.alive && (best < 0 || face.offset < faces_[at(best)].offset)) best = i;
  }
  return best;
}

// Removes the faces that see the point, from `face` on, and lists the edges around them.
void ExpandingPolytope::find_horizon(int face, const Vec3& point) {
  int waiting = 0;
  const int first_removed = free_count_;
  stack_[at(waiting++)] = static_cast<std::int16_t>(face);
  faces_[at(face)].alive = false;
  while (waiting > 0) {
    const std::int16_t index = stack_[at(--waiting)];
    free_[at(free_count_++)] = index;
    const Face& removed = faces_[at(index)];
    for (std::size_t side = 0; side < 3; ++side) {
      const std::int16_t next = removed.neighbours[side];
      Face& neighbour = faces_[at(next)];
      if (!neighbour.alive) continue;
      const bool sees = neighbour.offset == HUGE_VAL ||
                        neighbour.normal.dot(point) > neighbour.offset + tolerance_;
      if (!sees) continue;
      neighbour.alive = false;
      stack_[at(waiting++)] = next;
    }
  }
  list_horizon(first_removed);
}

void ExpandingPolytope::list_horizon(int first_removed) {
  horizon_count_ = 0;
  for (int i = first_removed; i < free_count_; ++i) {
    const Face& removed = faces_[at(free_[at(i)])];
    for (std::size_t side = 0; side < 3; ++side) {
      const std::int16_t outside = removed.neighbours[side];
      if (!faces_[at(outside)].alive || horizon_count_ == kFaceCap) continue;
      horizon_[at(horizon_count_++)] = {removed.corners[side], removed.corners[(side + 1) % 3],
                                        outside};
    }
  }
}

bool ExpandingPolytope::sew(std::int16_t apex) {
  if (horizon_count_ < 3 || horizon_count_ > free_count_ + kFaceCap - face_count_) return false;
  edge_from_.fill(-1);
  std::array<std::int16_t, kFaceCap>& made = stack_;
  for (int i = 0; i < horizon_count_; ++i) {
    const HorizonEdge& edge = horizon_[at(i)];
    if (edge_from_[at(edge.from)] >= 0) return false;  // a pinched horizon
    made[at(i)] = add_face(edge.from, edge.to, apex);
    edge_from_[at(edge.from)] = made[at(i)];
    Face& outside = faces_[at(edge.outside)];
    for (std::size_t side = 0; side < 3; ++side) {
      if (outside.corners[side] == edge.to && outside.corners[(side + 1) % 3] == edge.from) {
        outside.neighbours[side] = made[at(i)];
      }
    }
  }
  for (int i = 0; i < horizon_count_; ++i) {
    const HorizonEdge& edge = horizon_[at(i)];
    const std::int16_t next = edge_from_[at(edge.to)];
    if (next < 0) return false;
    faces_[at(made[at(i)])].neighbours[0] = edge.outside;
    faces_[at(made[at(i)])].neighbours[1] = next;
    faces_[at(next)].neighbours[2] = made[at(i)];
  }
  return true;
}

bool ExpandingPolytope::expand(int face, const Vec3& point) {
  if (point_count_ == kVertexCap) return false;
  points_[at(point_count_)] = point;
  find_horizon(face, point);
  return sew(static_cast<std::int16_t>(point_count_++));
}

}  // namespace carom::geometry
