// The overlap of two convex outlines in one plane: points, segments, polygons, discs and the whole
// plane. Gives the corners of the overlap, each with its place on both outlines; where the overlap
// is bounded by an arc, the arc's ends and the disc's own corners that lie on it. Lengths up to
// `near` count as nothing, so that corners which almost coincide are one and the choice between
// them does not change with round-off. Costs the product of the numbers of corners.
#pragma once

#include <cmath>
#include <span>

#include "carom/geometry/shapes/bounded_list.h"

namespace carom::geometry {

struct Flat {
  double x, y;
};
inline Flat operator+(Flat a, Flat b) { return {a.x + b.x, a.y + b.y}; }
inline Flat operator-(Flat a, Flat b) { return {a.x - b.x, a.y - b.y}; }
inline Flat operator*(double s, Flat a) { return {s * a.x, s * a.y}; }
inline double dot(Flat a, Flat b) { return a.x * b.x + a.y * b.y; }
inline double cross(Flat a, Flat b) { return a.x * b.y - a.y * b.x; }
inline double length(Flat a) { return std::sqrt(dot(a, a)); }

enum class OutlineKind { Unbounded, Disc, Polygon, Segment, Point };

inline constexpr std::size_t kMostCorners = 64;
inline constexpr std::size_t kMostOverlapPoints = 4 * kMostCorners;

struct Outline {
  OutlineKind kind = OutlineKind::Point;
  BoundedList<Flat, kMostCorners> corners;  // counter-clockwise; of a disc, samples of its rim
  Flat center{0, 0};                        // of a disc
  double radius = 0;
};

// Corner i; a point of the edge from corner i to the next (of a disc: which crossing of its rim);
// or somewhere inside, which for a segment is on it.
enum class Part { Corner, Edge, Inside };
struct Place {
  Part part;
  std::size_t index;
  double along;  // of a straight edge, 0 to 1
};

struct OverlapPoint {
  Flat at;
  Place a, b;
};
using Overlap = BoundedList<OverlapPoint, kMostOverlapPoints>;

// Unordered, and with points that are collinear or coincide.
void find_overlap(const Outline& a, const Outline& b, double near, Overlap& out);

bool contains(const Outline& outline, Flat point, double near);

// Indices of the corners of the points' convex hull, counter-clockwise; two for a segment, one for
// a point. Of points that coincide the first stays.
using HullOrder = BoundedList<std::size_t, kMostOverlapPoints>;
void find_hull(std::span<const Flat> points, double near, HullOrder& out);

}  // namespace carom::geometry
