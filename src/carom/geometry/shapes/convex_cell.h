// A convex polyhedron that is cut by planes: its faces as loops of corners, each with its plane.
#pragma once

#include <optional>
#include <vector>

#include "carom/geometry/shapes/shape.h"

namespace carom::geometry {

class ConvexCell {
 public:
  explicit ConvexCell(const Polyhedron& convex);

  // The part where normal·x < offset; corners nearer to the plane than `resolution` lie on it. If
  // that is all of them, nothing.
  std::optional<ConvexCell> part_behind(const Plane& plane, double resolution) const;

  // What is left of a polygon more than `depth` inside every face; scratch is overwritten.
  void clip(std::vector<Vec3>& polygon, double depth, std::vector<Vec3>& scratch) const;

  Vec3 center() const;                // the mean of the corners: inside
  std::vector<Vec3> corners() const;  // each once for every face it is on
  double volume() const;
  std::size_t face_count() const { return faces_.size(); }

 private:
  struct Face {
    Plane plane;  // outward
    std::vector<Vec3> loop;
  };
  ConvexCell() = default;

  std::vector<Face> faces_;
};

}  // namespace carom::geometry
