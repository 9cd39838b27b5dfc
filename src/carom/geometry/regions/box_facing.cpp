#include "carom/geometry/regions/box_facing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/geometry/regions/region_names.h"
#include "carom/geometry/shapes/planar_overlap.h"

namespace carom::geometry {

namespace {

constexpr double kNear = 1e-4;  // of the smaller box: corners closer than this are one

// A face's rectangle, and the other box's face that looks at it most, seen along the direction: u
// and v in the face's own axes, and the height above it along the direction.
struct FaceOverlap {
  int axis, u_axis, v_axis;  // of the lower face
  double sign;               // its side
  int over_axis;             // of the upper face
  double over_sign;
  double u0, v0, height0;              // centre of the upper face
  std::array<double, 2> u, v, height;  // its half edges
  double half_u, half_v;
  Vec3 center;  // of the lower face
};

// Where a vector from the lower face's centre leads: down along the direction onto the face.
struct Descent {
  Vec3 normal, direction, e_u, e_v;

  double height(const Vec3& w) const { return normal.dot(w) / normal.dot(direction); }
  double u(const Vec3& w) const { return e_u.dot(w - height(w) * direction); }
  double v(const Vec3& w) const { return e_v.dot(w - height(w) * direction); }
};

FaceOverlap make_facing(const FacingQuery& query) {
  const BoxFrame& under = query.under;
  const BoxFrame& over = query.over;
  FaceOverlap facing{};
  facing.axis = query.axis;
  facing.u_axis = next_axis(query.axis);
  facing.v_axis = next_axis(facing.u_axis);
  facing.half_u = under.half[facing.u_axis];
  facing.half_v = under.half[facing.v_axis];
  facing.sign = under.R.col(query.axis).dot(query.direction) >= 0 ? 1 : -1;
  const Descent down{facing.sign * under.R.col(query.axis), query.direction,
                     under.R.col(facing.u_axis), under.R.col(facing.v_axis)};
  facing.center = under.p + under.half[query.axis] * down.normal;
  const Vec3 up = over.R.transpose() * query.direction;
  up.cwiseAbs().maxCoeff(&facing.over_axis);
  facing.over_sign = up[facing.over_axis] > 0 ? -1 : 1;
  const Vec3 above = over.p - facing.center +
                     facing.over_sign * over.half[facing.over_axis] * over.R.col(facing.over_axis);
  facing.u0 = down.u(above);
  facing.v0 = down.v(above);
  facing.height0 = down.height(above);
  int edge = next_axis(facing.over_axis);
  for (std::size_t i = 0; i < 2; ++i, edge = next_axis(edge)) {
    const Vec3 e = over.half[edge] * over.R.col(edge);
    facing.u[i] = down.u(e);
    facing.v[i] = down.v(e);
    facing.height[i] = down.height(e);
  }
  return facing;
}

Feature name_corner(int sides) { return {FeatureKind::Vertex, sides}; }
Feature name_face(int axis, double sign) {
  return {FeatureKind::Face, 2 * axis + (sign > 0 ? 1 : 0)};
}

class Collector {
 public:
  Collector(const FacingQuery& query, const FaceOverlap& facing, std::vector<NearPoint>& out)
      : query_(query),
        facing_(facing),
        near_(kNear * std::min(query.under.half.norm(), query.over.half.norm())),
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
    return i == 0 ? next_axis(facing_.over_axis) : next_axis(next_axis(facing_.over_axis));
  }
  int over_sides(double s, double t) const {
    return side_bit(facing_.over_sign, facing_.over_axis) | side_bit(s, over_edge_axis(0)) |
           side_bit(t, over_edge_axis(1));
  }
  int under_sides(double u, double v) const {
    return side_bit(facing_.sign, facing_.axis) | side_bit(u, facing_.u_axis) |
           side_bit(v, facing_.v_axis);
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

  // An edge of the upper face: where it begins and ends, and which coordinate runs along it.
  struct UpperEdge {
    Flat from, step;
    double fixed;  // the other coordinate
    bool along_s;
    Feature name;
  };
  UpperEdge upper_edge(int side) const {
    const bool along_s = side < 2;
    const double fixed = end(side & 1);
    const std::size_t moving = along_s ? 0 : 1;
    return {along_s ? at(-1, fixed) : at(fixed, -1),
            {2 * facing_.u[moving], 2 * facing_.v[moving]},
            fixed,
            along_s,
            name_box_edge(over_edge_axis(along_s ? 0 : 1),
                          along_s ? over_sides(-1, fixed) : over_sides(fixed, -1))};
  }

  // Of an upper edge with the four lower ones.
  void add_crossings(int side) {
    const UpperEdge edge = upper_edge(side);
    for (const double sign : {-1.0, 1.0}) add_crossing_u(edge, sign);
    for (const double sign : {-1.0, 1.0}) add_crossing_v(edge, sign);
  }
  void add_crossing_u(const UpperEdge& edge, double sign) {
    if (std::abs(edge.step.x) * 2 <= near_) return;
    const double line = sign * facing_.half_u;
    const double part = (line - edge.from.x) / edge.step.x;
    const Flat p = edge.from + part * edge.step;
    if (part <= 0 || part >= 1 || std::abs(p.y) >= facing_.half_v) return;
    add_on_edge(edge, p, part, name_box_edge(facing_.v_axis, under_sides(line, -1)));
  }
  void add_crossing_v(const UpperEdge& edge, double sign) {
    if (std::abs(edge.step.y) * 2 <= near_) return;
    const double line = sign * facing_.half_v;
    const double part = (line - edge.from.y) / edge.step.y;
    const Flat p = edge.from + part * edge.step;
    if (part <= 0 || part >= 1 || std::abs(p.x) >= facing_.half_u) return;
    add_on_edge(edge, p, part, name_box_edge(facing_.u_axis, under_sides(-1, line)));
  }
  void add_on_edge(const UpperEdge& edge, Flat p, double part, const Feature& under) {
    const double moved = 2 * part - 1;
    add(p, edge.along_s ? moved : edge.fixed, edge.along_s ? edge.fixed : moved, edge.name, under);
  }

  void add(Flat p, double s, double t, Feature over, Feature under) {
    for (const Flat& known : taken_) {
      if (std::abs(known.x - p.x) + std::abs(known.y - p.y) <= near_) return;
    }
    taken_.push(p);
    const double gap = facing_.height0 + s * facing_.height[0] + t * facing_.height[1];
    if (!(gap <= query_.margin)) return;
    const BoxFrame& low = query_.under;
    const Vec3& d = query_.direction;
    const Vec3 point = facing_.center + 0.5 * gap * d + p.x * low.R.col(facing_.u_axis) +
                       p.y * low.R.col(facing_.v_axis);
    out_.push_back({{point, query_.over_is_a ? d : Vec3(-d), gap},
                    query_.over_is_a ? make_id(over, under) : make_id(under, over)});
  }

  const FacingQuery& query_;
  const FaceOverlap facing_;
  double near_;
  std::vector<NearPoint>& out_;
  BoundedList<Flat, 16> taken_;
};

}  // namespace

void append_facing_points(const FacingQuery& query, std::vector<NearPoint>& out) {
  Collector(query, make_facing(query), out).collect();
}

}  // namespace carom::geometry
