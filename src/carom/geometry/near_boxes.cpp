#include "carom/geometry/near_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/geometry/planar_overlap.h"
#include "carom/geometry/region_names.h"

namespace carom::geometry {

namespace {

constexpr double kParallel = 1e-6;     // squared sine of edges that have no normal of their own
constexpr double kPreferFaces = 0.05;  // of the slack: by so much faces may be worse than edges,
constexpr double kPreferA = 1e-3;      // and a's face worse than b's, and go first
constexpr double kNear = 1e-4;         // of the smaller box: corners closer than this are one

constexpr int next(int i) { return i == 2 ? 0 : i + 1; }

struct Frame {
  Vec3 p;
  Mat3 R;
  Vec3 half;
};

struct Axis {
  double separation = -HUGE_VAL;
  int of_a = -1, of_b = -1;  // whose axes; both for two edges

  bool is_edges() const { return of_a >= 0 && of_b >= 0; }
};

struct Boxes {
  Frame a, b;
  Mat3 R;     // b's axes in a's frame
  Mat3 size;  // of its entries
  Vec3 t;     // from a to b, in a's frame
  double margin;

  Axis face_of_a(int i) const {
    return {std::abs(t[i]) - a.half[i] - size.row(i).dot(b.half), i, -1};
  }
  Axis face_of_b(int j) const {
    return {std::abs(t.dot(R.col(j))) - b.half[j] - size.col(j).dot(a.half), -1, j};
  }
  Axis edges(int i, int j) const {
    const double square = 1 - R(i, j) * R(i, j);
    if (square < kParallel) return {};
    const int i1 = next(i), i2 = next(i1), j1 = next(j), j2 = next(j1);
    const double apart = std::abs(t[i2] * R(i1, j) - t[i1] * R(i2, j));
    const double reach = a.half[i1] * size(i2, j) + a.half[i2] * size(i1, j) +
                         b.half[j1] * size(i, j2) + b.half[j2] * size(i, j1);
    return {(apart - reach) / std::sqrt(square), i, j};
  }
};

Frame frame_of(const Placed& placed) {
  return {placed.X_WS.p, placed.X_WS.q.toRotationMatrix(), std::get<Box>(placed.convex.shape).half};
}

Boxes make_boxes(const Placed& a, const Placed& b, double margin) {
  Boxes boxes{frame_of(a), frame_of(b), {}, {}, {}, margin};
  boxes.R.noalias() = boxes.a.R.transpose() * boxes.b.R;
  boxes.size = boxes.R.cwiseAbs();
  boxes.t = boxes.a.R.transpose() * (boxes.b.p - boxes.a.p);
  return boxes;
}

// False if some axis parts them by more than the margin.
bool find_axis(const Boxes& boxes, Axis& chosen) {
  Axis of_a, of_b, of_edges;
  const auto take = [&](const Axis& axis, Axis& best) {
    if (axis.separation > best.separation) best = axis;
    return axis.separation <= boxes.margin;
  };
  for (int i = 0; i < 3; ++i) {
    if (!take(boxes.face_of_a(i), of_a) || !take(boxes.face_of_b(i), of_b)) return false;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (!take(boxes.edges(i, j), of_edges)) return false;
    }
  }
  const double best_face = std::max(of_a.separation, of_b.separation);
  const auto below = [&](double best, double part) { return best - part * (boxes.margin - best); };
  if (best_face < below(of_edges.separation, kPreferFaces)) {
    chosen = of_edges;
  } else {
    chosen = of_a.separation >= below(best_face, kPreferA) ? of_a : of_b;
  }
  return true;
}

// A face's rectangle, and the other box's face that looks at it most, seen along the normal: u and
// v in the face's own axes, and the height above it.
struct Facing {
  const Frame& under;
  const Frame& over;
  int axis, over_axis;                 // of the two faces
  double sign, over_sign;              // their sides
  double u0, v0, height0;              // centre of the upper face
  std::array<double, 2> u, v, height;  // its half edges
  double half_u, half_v;

  int u_axis() const { return next(axis); }
  int v_axis() const { return next(u_axis()); }
};

Facing make_facing(const Frame& under, const Frame& over, int axis) {
  const Vec3 from = over.p - under.p;
  const Vec3 normal = under.R.col(axis);
  const double sign = normal.dot(from) >= 0 ? 1 : -1;
  const Vec3 n = sign * normal;
  const Vec3 down = over.R.transpose() * n;
  int k = 0;
  down.cwiseAbs().maxCoeff(&k);
  const double side = down[k] > 0 ? -1 : 1;
  const Vec3 center = from + side * over.half[k] * over.R.col(k);
  const Vec3 e_u = under.R.col(next(axis)), e_v = under.R.col(next(next(axis)));
  Facing facing{under,
                over,
                axis,
                k,
                sign,
                side,
                e_u.dot(center),
                e_v.dot(center),
                n.dot(center) - under.half[axis],
                {},
                {},
                {},
                under.half[next(axis)],
                under.half[next(next(axis))]};
  int edge = next(k);
  for (std::size_t i = 0; i < 2; ++i, edge = next(edge)) {
    const Vec3 e = over.half[edge] * over.R.col(edge);
    facing.u[i] = e_u.dot(e);
    facing.v[i] = e_v.dot(e);
    facing.height[i] = n.dot(e);
  }
  return facing;
}

// Names of parts, alike for all boxes: a corner by the sides it is on, an edge by its axis and the
// corner it leaves on the low side, a face by its axis and side.
int side_bit(double sign, int axis) { return sign > 0 ? 1 << axis : 0; }
Feature name_corner(int sides) { return {FeatureKind::Vertex, sides}; }
Feature name_edge(int axis, int sides) { return {FeatureKind::Edge, 8 * axis + sides}; }
Feature name_face(int axis, double sign) {
  return {FeatureKind::Face, 2 * axis + (sign > 0 ? 1 : 0)};
}

class Collector {
 public:
  Collector(const Facing& facing, bool over_is_a, double margin, std::vector<NearPoint>& out)
      : facing_(facing),
        over_is_a_(over_is_a),
        margin_(margin),
        near_(kNear * std::min(facing.under.half.norm(), facing.over.half.norm())),
        out_(out) {}

  void collect() {
    add_corners_above();
    add_corners_below();
    for (int side = 0; side < 4; ++side) add_crossings(side);
  }

 private:
  static double end(int bit) { return bit != 0 ? 1 : -1; }
  bool is_over(double u, double v) const {
    return std::abs(u) <= facing_.half_u + near_ && std::abs(v) <= facing_.half_v + near_;
  }
  Flat at(double s, double t) const {
    return {facing_.u0 + s * facing_.u[0] + t * facing_.u[1],
            facing_.v0 + s * facing_.v[0] + t * facing_.v[1]};
  }
  int over_edge_axis(int i) const {
    return i == 0 ? next(facing_.over_axis) : next(next(facing_.over_axis));
  }
  int over_sides(double s, double t) const {
    return side_bit(facing_.over_sign, facing_.over_axis) | side_bit(s, over_edge_axis(0)) |
           side_bit(t, over_edge_axis(1));
  }
  int under_sides(double u, double v) const {
    return side_bit(facing_.sign, facing_.axis) | side_bit(u, facing_.u_axis()) |
           side_bit(v, facing_.v_axis());
  }

  void add_corners_above() {
    for (int k = 0; k < 4; ++k) {
      const double s = end(k & 1), t = end(k & 2);
      const Flat p = at(s, t);
      if (is_over(p.x, p.y)) {
        add(p, s, t, name_corner(over_sides(s, t)), name_face(facing_.axis, facing_.sign));
      }
    }
  }

  void add_corners_below() {
    const Flat e{facing_.u[0], facing_.v[0]}, f{facing_.u[1], facing_.v[1]};
    const double det = cross(e, f);
    const double near_s = near_ / length(e), near_t = near_ / length(f);
    for (int k = 0; k < 4; ++k) {
      const double su = end(k & 1), sv = end(k & 2);
      const Flat p{su * facing_.half_u, sv * facing_.half_v};
      const Flat d = p - Flat{facing_.u0, facing_.v0};
      const double s = cross(d, f) / det, t = cross(e, d) / det;
      if (std::abs(s) > 1 + near_s || std::abs(t) > 1 + near_t) continue;
      add(p, s, t, name_face(facing_.over_axis, facing_.over_sign),
          name_corner(under_sides(su, sv)));
    }
  }

  // Of an upper edge with the four lower ones.
  void add_crossings(int side) {
    const bool along_s = side < 2;
    const double fixed = end(side & 1);
    const std::size_t moving = along_s ? 0 : 1;
    const Flat from = along_s ? at(-1, fixed) : at(fixed, -1);
    const Flat step{2 * facing_.u[moving], 2 * facing_.v[moving]};
    const int axis = over_edge_axis(along_s ? 0 : 1);
    const Feature edge = name_edge(axis, along_s ? over_sides(-1, fixed) : over_sides(fixed, -1));
    const auto cross_line = [&](double along, double start, double limit, bool is_u) {
      if (std::abs(along) * 2 <= near_) return;
      for (const double line : {-limit, limit}) {
        const double part = (line - start) / along;
        if (part <= 0 || part >= 1) continue;
        const Flat p = from + part * step;
        if (std::abs(is_u ? p.y : p.x) >= (is_u ? facing_.half_v : facing_.half_u)) continue;
        const double moved = 2 * part - 1;
        const int sides = is_u ? under_sides(line, -1) : under_sides(-1, line);
        add(p, along_s ? moved : fixed, along_s ? fixed : moved, edge,
            name_edge(is_u ? facing_.v_axis() : facing_.u_axis(), sides));
      }
    };
    cross_line(step.x, from.x, facing_.half_u, true);
    cross_line(step.y, from.y, facing_.half_v, false);
  }

  void add(Flat p, double s, double t, Feature over, Feature under) {
    for (const Flat& known : taken_) {
      if (std::abs(known.x - p.x) + std::abs(known.y - p.y) <= near_) return;
    }
    taken_.push(p);
    const double gap = facing_.height0 + s * facing_.height[0] + t * facing_.height[1];
    if (!(gap <= margin_)) return;
    const Frame& low = facing_.under;
    const Vec3 n = facing_.sign * low.R.col(facing_.axis);
    const Vec3 point = low.p + (low.half[facing_.axis] + 0.5 * gap) * n +
                       p.x * low.R.col(facing_.u_axis()) + p.y * low.R.col(facing_.v_axis());
    out_.push_back({{point, over_is_a_ ? n : Vec3(-n), gap},
                    over_is_a_ ? make_id(over, under) : make_id(under, over)});
  }

  const Facing& facing_;
  bool over_is_a_;
  double margin_, near_;
  std::vector<NearPoint>& out_;
  BoundedList<Flat, 16> taken_;
};

bool find_facing_points(const Boxes& boxes, const Axis& axis, std::vector<NearPoint>& out) {
  const bool over_is_a = axis.of_b >= 0;
  const Facing facing = over_is_a ? make_facing(boxes.b, boxes.a, axis.of_b)
                                  : make_facing(boxes.a, boxes.b, axis.of_a);
  Collector collector(facing, over_is_a, boxes.margin, out);
  collector.collect();
  std::sort(out.begin(), out.end(),
            [](const NearPoint& x, const NearPoint& y) { return x.id < y.id; });
  return !out.empty();
}

// The middle of the edge of a box that is farthest along the direction, given the edge's axis.
Vec3 middle_of_edge(const Frame& box, int axis, const Vec3& direction) {
  Vec3 p = box.p;
  for (int k = next(axis); k != axis; k = next(k)) {
    p += std::copysign(box.half[k], direction.dot(box.R.col(k))) * box.R.col(k);
  }
  return p;
}

// False if the nearest points of the two lines are off the edges.
bool find_crossing(const Boxes& boxes, const Axis& axis, Distance& out) {
  const Vec3 e_a = boxes.a.R.col(axis.of_a), e_b = boxes.b.R.col(axis.of_b);
  Vec3 n = e_a.cross(e_b).normalized();
  if (n.dot(boxes.a.p - boxes.b.p) < 0) n = -n;
  const Vec3 m_a = middle_of_edge(boxes.a, axis.of_a, -n);
  const Vec3 m_b = middle_of_edge(boxes.b, axis.of_b, n);
  const Vec3 d = m_b - m_a;
  const double cosine = e_a.dot(e_b), square = 1 - cosine * cosine;
  const double s = (e_a.dot(d) - cosine * e_b.dot(d)) / square;
  const double t = (cosine * e_a.dot(d) - e_b.dot(d)) / square;
  if (std::abs(s) > boxes.a.half[axis.of_a] || std::abs(t) > boxes.b.half[axis.of_b]) return false;
  out.value = axis.separation;
  out.normal = n;
  out.p_A = m_a + s * e_a;
  out.p_B = m_b + t * e_b;
  return true;
}

}  // namespace

bool find_near_boxes(const Placed& a, const Placed& b, double margin, std::vector<NearPoint>& out) {
  out.clear();
  const Boxes boxes = make_boxes(a, b, margin);
  Axis axis;
  if (!find_axis(boxes, axis)) return true;
  if (!axis.is_edges()) return find_facing_points(boxes, axis, out);
  Distance crossing;
  if (!find_crossing(boxes, axis, crossing)) return false;
  find_near_region(a, b, crossing, {margin}, out);
  return true;
}

}  // namespace carom::geometry
