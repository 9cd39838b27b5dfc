// Directions in which the separation of two convex shapes,
//
//   sep(n) = min over a of n·a - max over b of n·b = n·(c_A - c_B) - √(nᵀ Q_A n) - √(nᵀ Q_B n),
//
// is stationary, piece by piece: in closed form where the pieces leave no freedom, else by Newton's
// method on the unit sphere or on a circle of it. The signed distance is the largest of all
// separations; n points from b to a.
#pragma once

#include <array>

#include "carom/geometry/shapes/support.h"

namespace carom::geometry {

struct Directions {
  std::array<Vec3, 40> list;
  int count = 0;
  void add(const Vec3& n) {
    if (count < static_cast<int>(list.size())) list[static_cast<std::size_t>(count++)] = n;
  }
};

// Pieces of both shapes near `start`, all in one frame. First the directions that are fixed, which
// need no search, then the others.
void find_fixed(const Pieces& a, const Pieces& b, Directions& out);
void find_stationary(const Pieces& a, const Pieces& b, const Vec3& start, Directions& out);

// The unit vectors n with n·axis = level: an edge's or a side's.
struct NormalCircle {
  Vec3 axis;
  double level;
};
// The two that lie on both circles, if there are any.
void add_crossings(const NormalCircle& first, const NormalCircle& second, Directions& out);

}  // namespace carom::geometry
