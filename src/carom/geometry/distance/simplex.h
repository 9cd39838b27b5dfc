// Up to four points of a Minkowski difference a - b, and the point of their hull nearest to the
// origin (Gilbert, Johnson, Keerthi 1988, with the case distinctions of Ericson 2005, chapter 5).
#pragma once

#include <array>

#include "carom/math/linear_algebra.h"

namespace carom::geometry {

struct Simplex {
  struct Vertex {
    Vec3 w, a, b;  // w = a - b
  };
  std::array<Vertex, 4> vertices;
  std::array<double, 4> weights{};
  int count = 0;

  void add(const Vec3& w, const Vec3& a, const Vec3& b);
  bool has(const Vec3& w) const;

  // Drops the vertices that do not carry the nearest point and returns that point; four are left
  // when the origin is inside.
  Vec3 reduce();

  Vec3 nearest_a() const;
  Vec3 nearest_b() const;
};

}  // namespace carom::geometry
