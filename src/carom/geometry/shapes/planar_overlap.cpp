#include "carom/geometry/shapes/planar_overlap.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace carom::geometry {

namespace {

constexpr Place kInside{Part::Inside, 0, 0};

struct Segment {
  Flat from, to;
  std::size_t index;
};

std::size_t edge_count(const Outline& outline) {
  if (outline.kind == OutlineKind::Polygon) return outline.corners.size();
  return outline.kind == OutlineKind::Segment ? 1 : 0;
}

Segment edge_of(const Outline& outline, std::size_t i) {
  return {outline.corners[i], outline.corners[(i + 1) % outline.corners.size()], i};
}

// How far p lies to the left of the line.
double leftward(const Segment& line, Flat p) {
  const Flat along = line.to - line.from;
  return cross(along, p - line.from) / length(along);
}

double place_along(const Segment& line, Flat p) {
  const Flat along = line.to - line.from;
  return std::clamp(dot(along, p - line.from) / dot(along, along), 0.0, 1.0);
}

Flat at(const Segment& line, double along) { return line.from + along * (line.to - line.from); }

bool inside_polygon(const Outline& polygon, Flat p, double near) {
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    if (leftward(edge_of(polygon, i), p) < -near) return false;
  }
  return true;
}

std::optional<Place> find_inside(const Outline& outline, Flat p, double near) {
  const auto if_near = [&](double distance, Place place) {
    return distance <= near ? std::optional(place) : std::nullopt;
  };
  switch (outline.kind) {
    case OutlineKind::Unbounded:
      return kInside;
    case OutlineKind::Disc:
      return if_near(length(p - outline.center) - outline.radius, kInside);
    case OutlineKind::Polygon:
      return inside_polygon(outline, p, near) ? std::optional(kInside) : std::nullopt;
    case OutlineKind::Segment: {
      const double along = place_along(edge_of(outline, 0), p);
      return if_near(length(p - at(edge_of(outline, 0), along)), {Part::Inside, 0, along});
    }
    case OutlineKind::Point:
      return if_near(length(p - outline.corners[0]), kInside);
  }
  return std::nullopt;
}

bool contains_disc(const Outline& outer, const Outline& inner, double near) {
  return length(outer.center - inner.center) + inner.radius <= outer.radius + near;
}

// Of two discs only the corners of the inner one bound the overlap.
bool corners_bound(const Outline& of, const Outline& other, bool first, double near) {
  if (of.kind != OutlineKind::Disc || other.kind != OutlineKind::Disc) return true;
  return !contains_disc(of, other, near) || (first && contains_disc(other, of, near));
}

void add_corners_of_a(const Outline& a, const Outline& b, double near, Overlap& out) {
  if (!corners_bound(a, b, true, near)) return;
  for (std::size_t i = 0; i < a.corners.size(); ++i) {
    const auto place = find_inside(b, a.corners[i], near);
    if (place) out.push({a.corners[i], {Part::Corner, i, 0}, *place});
  }
}

void add_corners_of_b(const Outline& a, const Outline& b, double near, Overlap& out) {
  if (!corners_bound(b, a, false, near)) return;
  for (std::size_t i = 0; i < b.corners.size(); ++i) {
    const auto place = find_inside(a, b.corners[i], near);
    if (place) out.push({b.corners[i], *place, {Part::Corner, i, 0}});
  }
}

// Only where each edge passes clearly through the other's line: else a corner is near enough.
bool straddles(double left, double right, double near) {
  return std::min(left, right) < -near && std::max(left, right) > near;
}

void add_crossing(const Segment& a, const Segment& b, double near, Overlap& out) {
  const double a_from = leftward(b, a.from), a_to = leftward(b, a.to);
  const double b_from = leftward(a, b.from), b_to = leftward(a, b.to);
  if (!straddles(a_from, a_to, near) || !straddles(b_from, b_to, near)) return;
  const double along_a = a_from / (a_from - a_to);
  const double along_b = b_from / (b_from - b_to);
  out.push({at(a, along_a), {Part::Edge, a.index, along_a}, {Part::Edge, b.index, along_b}});
}

using RimCrossings = BoundedList<double, 2>;

RimCrossings cross_rim(const Segment& line, const Outline& disc, double near) {
  const double across = leftward(line, disc.center);
  RimCrossings found;
  if (std::abs(across) >= disc.radius) return found;
  const Flat along = line.to - line.from;
  const double middle = dot(along, disc.center - line.from) / length(along);
  const double half = std::sqrt((disc.radius - across) * (disc.radius + across));
  for (const double s : {middle - half, middle + half}) {
    if (s > near && s < length(along) - near) found.push(s / length(along));
  }
  return found;
}

void add_rim_crossings(const Outline& a, const Outline& b, double near, Overlap& out) {
  const bool disc_first = a.kind == OutlineKind::Disc;
  const Outline& disc = disc_first ? a : b;
  const Outline& straight = disc_first ? b : a;
  for (std::size_t i = 0; i < edge_count(straight); ++i) {
    const Segment edge = edge_of(straight, i);
    for (const double along : cross_rim(edge, disc, near)) {
      const bool leaving = dot(at(edge, along) - disc.center, edge.to - edge.from) > 0;
      const Place on_disc{Part::Edge, leaving ? 1U : 0U, 0};
      const Place on_edge{Part::Edge, i, along};
      out.push({at(edge, along), disc_first ? on_disc : on_edge, disc_first ? on_edge : on_disc});
    }
  }
}

void add_circle_crossings(const Outline& a, const Outline& b, double near, Overlap& out) {
  const Flat between = b.center - a.center;
  const double d = length(between);
  if (contains_disc(a, b, near) || contains_disc(b, a, near) || d >= a.radius + b.radius) return;
  const double along = (d * d + (a.radius - b.radius) * (a.radius + b.radius)) / (2 * d);
  const double across = std::sqrt(std::max(0.0, (a.radius - along) * (a.radius + along)));
  const Flat u = (1 / d) * between;
  for (const std::size_t side : {0U, 1U}) {
    const double signed_across = side == 0 ? across : -across;
    out.push({a.center + along * u + signed_across * Flat{-u.y, u.x},
              {Part::Edge, side, 0},
              {Part::Edge, side, 0}});
  }
}

void add_crossings(const Outline& a, const Outline& b, double near, Overlap& out) {
  const bool disc_a = a.kind == OutlineKind::Disc, disc_b = b.kind == OutlineKind::Disc;
  if (disc_a && disc_b) return add_circle_crossings(a, b, near, out);
  if (disc_a || disc_b) return add_rim_crossings(a, b, near, out);
  for (std::size_t i = 0; i < edge_count(a); ++i) {
    for (std::size_t k = 0; k < edge_count(b); ++k) {
      add_crossing(edge_of(a, i), edge_of(b, k), near, out);
    }
  }
}

void keep_distinct(std::span<const Flat> points, double near, HullOrder& out) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool known = std::any_of(out.begin(), out.end(), [&](std::size_t k) {
      return length(points[i] - points[k]) <= near;
    });
    if (!known) out.push(i);
  }
}

std::size_t farthest_from(Flat origin, std::span<const Flat> points, const HullOrder& among) {
  return *std::max_element(among.begin(), among.end(), [&](std::size_t i, std::size_t k) {
    return length(points[i] - origin) < length(points[k] - origin);
  });
}

// The two ends, if all lie on the line between them.
bool reduce_to_segment(std::span<const Flat> points, double near, HullOrder& order) {
  const std::size_t first = farthest_from(points[order[0]], points, order);
  const std::size_t second = farthest_from(points[first], points, order);
  const Segment line{points[first], points[second], 0};
  for (const std::size_t i : order) {
    if (std::abs(leftward(line, points[i])) > near) return false;
  }
  order.clear();
  order.push(std::min(first, second));
  order.push(std::max(first, second));
  return true;
}

// Grows with the angle, from -2 to 2 in a turn.
double turn_of(Flat p) {
  const double across = p.y / (std::abs(p.x) + std::abs(p.y));
  if (p.x >= 0) return across;
  return p.y >= 0 ? 2 - across : -2 - across;
}

void sort_around_middle(std::span<const Flat> points, HullOrder& order) {
  Flat middle{0, 0};
  for (const std::size_t i : order) middle = middle + points[i];
  middle = (1.0 / static_cast<double>(order.size())) * middle;
  struct Turn {
    double turn;
    std::size_t index;
  };
  BoundedList<Turn, kMostOverlapPoints> turns;
  for (const std::size_t i : order) turns.push({turn_of(points[i] - middle), i});
  std::sort(turns.begin(), turns.end(), [](const Turn& x, const Turn& y) {
    return x.turn < y.turn || (x.turn == y.turn && x.index < y.index);
  });
  for (std::size_t k = 0; k < turns.size(); ++k) order[k] = turns[k].index;
}

// The corner that stands out least, beyond the line between its neighbours.
struct Least {
  std::size_t position;
  double height;
};
Least find_least_corner(std::span<const Flat> points, const HullOrder& order) {
  Least least{0, HUGE_VAL};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Flat before = points[order[(i + order.size() - 1) % order.size()]];
    const Flat after = points[order[(i + 1) % order.size()]];
    const double height = -leftward({before, after, 0}, points[order[i]]);
    if (height < least.height) least = {i, height};
  }
  return least;
}

}  // namespace

void find_overlap(const Outline& a, const Outline& b, double near, Overlap& out) {
  out.clear();
  add_corners_of_a(a, b, near, out);
  add_corners_of_b(a, b, near, out);
  add_crossings(a, b, near, out);
}

bool contains(const Outline& outline, Flat point, double near) {
  return find_inside(outline, point, near).has_value();
}

void find_hull(std::span<const Flat> points, double near, HullOrder& out) {
  out.clear();
  keep_distinct(points, near, out);
  if (out.size() <= 2 || reduce_to_segment(points, near, out)) return;
  sort_around_middle(points, out);
  while (out.size() > 3) {
    const Least least = find_least_corner(points, out);
    if (least.height > near) return;
    std::copy(out.begin() + least.position + 1, out.end(), out.begin() + least.position);
    out.shrink(out.size() - 1);
  }
}

}  // namespace carom::geometry
