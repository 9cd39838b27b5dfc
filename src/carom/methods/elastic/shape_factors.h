// Table 1 of Neumayr & Otter, and where more is known of two shapes: Hertz' contact of two curved
// surfaces. Where they touch, the curvature tensors of the two add up to that of the gap between
// them; with its principal values κ₁ >= κ₂ the force is
//
//   f = 4/3 E* √R c(κ₁/κ₂) δ^(3/2),   R = 1/√(κ₁ κ₂)
//
// c = 1 for round contacts and above it for slender ones (Johnson, Contact Mechanics, 4.2), found
// to ten digits. Spheres and planes need none of this and are told apart first.
//
//   ellipsoid   exact, from its implicit form
//   cylinder,   curved along their circles (Meusnier), flat along their lines and, for want of
//   cone        anything better, across their rims; a cone's tip is blunt
//   capsule     a sphere at its caps, else a cylinder
//
// Where κ₂ < κ₁/10⁴ shapes touch along a line or over a face. A line that a capsule makes is
// carried by balls at its ends; all else has a linear spring as wide as the smaller of the two (the
// paper's factor of 1 there carries a hidden metre).
#pragma once

#include <optional>

#include "carom/geometry/shapes/convex.h"
#include "carom/methods/elastic/force_law.h"

namespace carom::methods {

// A place on a surface.
struct SurfacePoint {
  Vec3 point, normal;  // the normal's sign does not matter
};

// The curvature tensor there, 1/m: symmetric, nothing along the normal. In the frame of the shape.
Mat3 curvature_at(const geometry::Convex& convex, const SurfacePoint& at);

// The factor by which an elliptical contact is stiffer than a round one of the same R, given κ₁/κ₂
// >= 1.
double slender_factor(double ratio);

// Factors of spheres and shapes with flat faces, whatever the place; else nothing.
std::optional<GeometryFactors> round_factors(const geometry::Convex& a, const geometry::Convex& b);

struct ShapeAt {
  const geometry::Convex& convex;
  Pose X_WS;
};
GeometryFactors shape_factors(const ShapeAt& a, const ShapeAt& b, const SurfacePoint& at);

}  // namespace carom::methods
