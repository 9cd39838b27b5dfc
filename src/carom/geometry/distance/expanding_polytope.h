// A polytope inside a convex set, around the origin, that grows by support points of the set (van
// den Bergen 2001): no point of the set's boundary is nearer to the origin than the nearest face.
#pragma once

#include <array>
#include <cstdint>

#include "carom/math/linear_algebra.h"

namespace carom::geometry {

class ExpandingPolytope {
 public:
  static constexpr int kVertexCap = 200;

  struct Face {
    Vec3 normal;    // unit, outward
    double offset;  // of the plane from the origin, along the normal
    std::array<std::int16_t, 3> corners;
    std::array<std::int16_t, 3> neighbours;  // across the edge from corner i to i + 1
    bool alive = false;
  };

  // Four points whose tetrahedron has a volume and holds the origin, if only on its surface.
  void start(const std::array<Vec3, 4>& points);

  // The index of the face nearest to the origin.
  int nearest_face() const;
  const Face& face(int index) const { return faces_[static_cast<std::size_t>(index)]; }

  // Adds a point beyond a face. Returns false, and leaves no usable polytope, where round-off or
  // the cap forbid it.
  bool expand(int face, const Vec3& point);

 private:
  static constexpr int kFaceCap = 2 * kVertexCap;
  struct HorizonEdge {
    std::int16_t from, to, outside;
  };

  std::int16_t add_face(std::int16_t i, std::int16_t j, std::int16_t k);
  void find_horizon(int face, const Vec3& point);
  void list_horizon(int first_removed);
  bool sew(std::int16_t apex);

  std::array<Vec3, kVertexCap> points_;
  std::array<Face, kFaceCap> faces_;
  std::array<std::int16_t, kFaceCap> free_;
  std::array<HorizonEdge, kFaceCap> horizon_;
  std::array<std::int16_t, kFaceCap> stack_;
  std::array<std::int16_t, kVertexCap> edge_from_;
  int point_count_ = 0, face_count_ = 0, free_count_ = 0, horizon_count_ = 0;
  double tolerance_ = 0;
};

}  // namespace carom::geometry
