#include "carom/geometry/regions/near_boxes.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/regions/box_facing.h"
#include "carom/geometry/regions/region_names.h"

namespace carom::geometry {

namespace {

constexpr double kParallel = 1e-6;  // squared sine of edges that have no normal of their own
constexpr double kPreferFaces =
    0.05;                          // of the slack: faces go before edges that are better by less,
constexpr double kPreferA = 1e-3;  // and a's face before b's
constexpr double kSink = 1e-3;     // of the smaller box: a face this deep is still passed over
constexpr double kAsDeep = 0.05;   // of the slack: within it a corner stands for the crossing

struct Axis {
  double separation = -HUGE_VAL;
  int of_a = -1, of_b = -1;  // whose axes; both for two edges

  bool is_edges() const { return of_a >= 0 && of_b >= 0; }
};

struct Boxes {
  BoxFrame a, b;
  Mat3 R;     // b's axes in a's frame
  Mat3 size;  // magnitudes of its entries
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
    const int i1 = next_axis(i), i2 = next_axis(i1), j1 = next_axis(j), j2 = next_axis(j1);
    const double apart = std::abs(t[i2] * R(i1, j) - t[i1] * R(i2, j));
    const double reach = a.half[i1] * size(i2, j) + a.half[i2] * size(i1, j) +
                         b.half[j1] * size(i, j2) + b.half[j2] * size(i, j1);
    return {(apart - reach) / std::sqrt(square), i, j};
  }
};

BoxFrame frame_of(const Placed& placed) {
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

void append_faces(const Boxes& boxes, const Axis& axis, std::vector<NearPoint>& out) {
  const bool over_is_a = axis.of_b >= 0;
  const BoxFrame& under = over_is_a ? boxes.b : boxes.a;
  const BoxFrame& over = over_is_a ? boxes.a : boxes.b;
  const int face = over_is_a ? axis.of_b : axis.of_a;
  const Vec3 normal = under.R.col(face);
  const Vec3 outward = normal.dot(over.p - under.p) >= 0 ? normal : Vec3(-normal);
  append_facing_points({under, over, face, outward, over_is_a, boxes.margin}, out);
}

Vec3 normal_of(const Boxes& boxes, const Axis& axis) {
  const Vec3 n = !axis.is_edges()
                     ? (axis.of_b >= 0 ? boxes.b.R.col(axis.of_b) : boxes.a.R.col(axis.of_a))
                     : boxes.a.R.col(axis.of_a).cross(boxes.b.R.col(axis.of_b)).normalized();
  return n.dot(boxes.a.p - boxes.b.p) >= 0 ? n : Vec3(-n);
}

// What is left of the separation if they move as they would.
double separation_ahead(const Boxes& boxes, const Axis& axis, const Vec3& approach) {
  return axis.separation + std::min(0.0, normal_of(boxes, axis).dot(approach));
}

// The face along which the boxes pass each other, or the axis given.
Axis find_passing(const Boxes& boxes, const Axis& axis, const Vec3& approach) {
  if (axis.separation <= 0) return axis;
  double most = separation_ahead(boxes, axis, approach);
  if (most >= 0) return axis;
  const double deepest = -kSink * std::min(boxes.a.half.norm(), boxes.b.half.norm());
  Axis best = axis;
  for (int i = 0; i < 3; ++i) {
    for (const Axis& face : {boxes.face_of_a(i), boxes.face_of_b(i)}) {
      const double ahead = separation_ahead(boxes, face, approach);
      if (face.separation < deepest || ahead <= most) continue;
      most = ahead;
      best = face;
    }
  }
  return best;
}

// For boxes that do not face each other along the axis yet: where they are nearest, which is all
// along two edges that are parallel.
void append_nearest(const Boxes& boxes, const Axis& axis, const Placed& a, const Placed& b,
                    std::vector<NearPoint>& out) {
  DistanceHint hint;
  const Distance distance = compute_distance(a, b, hint);
  find_near_region(a, b, distance, {.margin = boxes.margin}, out);
  const Vec3 n = normal_of(boxes, axis);
  for (NearPoint& point : out) {
    point.at.gap *= n.dot(point.at.normal);
    point.at.normal = n;
  }
  std::erase_if(out, [&](const NearPoint& point) { return point.at.gap > boxes.margin; });
}

struct FarEdge {
  Vec3 middle;
  Feature feature;
};

// The edge of a box that is farthest along the direction, given the edge's axis.
FarEdge find_far_edge(const BoxFrame& box, int axis, const Vec3& direction) {
  Vec3 middle = box.p;
  int sides = 0;
  for (int k = next_axis(axis); k != axis; k = next_axis(k)) {
    const double side = std::copysign(1.0, direction.dot(box.R.col(k)));
    middle += side * box.half[k] * box.R.col(k);
    sides |= side_bit(side, k);
  }
  return {middle, name_box_edge(axis, sides)};
}

struct Crossing {
  bool on_edges;  // the nearest points of the two lines are on the edges
  Vec3 normal, p_A, p_B;
  Feature feature_a, feature_b;
};

Crossing find_crossing(const Boxes& boxes, const Axis& axis) {
  const Vec3 e_a = boxes.a.R.col(axis.of_a), e_b = boxes.b.R.col(axis.of_b);
  const Vec3 n = normal_of(boxes, axis);
  const FarEdge far_a = find_far_edge(boxes.a, axis.of_a, -n);
  const FarEdge far_b = find_far_edge(boxes.b, axis.of_b, n);
  const Vec3 d = far_b.middle - far_a.middle;
  const double cosine = e_a.dot(e_b), square = 1 - cosine * cosine;
  const double s = (e_a.dot(d) - cosine * e_b.dot(d)) / square;
  const double t = (cosine * e_a.dot(d) - e_b.dot(d)) / square;
  const bool on_edges =
      std::abs(s) <= boxes.a.half[axis.of_a] && std::abs(t) <= boxes.b.half[axis.of_b];
  return {on_edges,     n, far_a.middle + s * e_a, far_b.middle + t * e_b, far_a.feature,
          far_b.feature};
}

struct Facet {
  int axis;
  double lean;  // sine of the angle to the plane of contact
};
Facet find_facet(const BoxFrame& box, const Vec3& n) {
  int axis = 0;
  const double facing = (box.R.transpose() * n).cwiseAbs().maxCoeff(&axis);
  return {axis, std::sqrt(std::max(0.0, 1 - facing * facing))};
}

// The crossing alone where the faces beside the edges fall off steeply; else also what they have in
// common.
bool append_edges(const Boxes& boxes, const Axis& axis, std::vector<NearPoint>& out) {
  const Crossing at = find_crossing(boxes, axis);
  if (!at.on_edges) return false;
  const double slack = boxes.margin - axis.separation;
  const double widest = widest_lean(slack, std::min(boxes.a.half.norm(), boxes.b.half.norm()));
  const Facet of_a = find_facet(boxes.a, at.normal), of_b = find_facet(boxes.b, at.normal);
  if (of_b.lean <= of_a.lean && of_b.lean <= widest) {
    append_facing_points({boxes.b, boxes.a, of_b.axis, at.normal, true, boxes.margin}, out);
  } else if (of_a.lean <= widest) {
    append_facing_points({boxes.a, boxes.b, of_a.axis, -at.normal, false, boxes.margin}, out);
  }
  const double deep = axis.separation + kAsDeep * slack;
  const bool found_deepest = std::any_of(
      out.begin(), out.end(), [&](const NearPoint& point) { return point.at.gap <= deep; });
  if (!found_deepest) {
    out.push_back({{0.5 * (at.p_A + at.p_B), at.normal, axis.separation},
                   make_id(at.feature_a, at.feature_b)});
  }
  return true;
}

}  // namespace

bool find_near_boxes(const Placed& a, const Placed& b, const NearQuery& query,
                     std::vector<NearPoint>& out) {
  out.clear();
  const Boxes boxes = make_boxes(a, b, query.margin);
  Axis best;
  if (!find_axis(boxes, best)) return true;
  const Axis axis = find_passing(boxes, best, query.approach);
  const bool passing = axis.of_a != best.of_a || axis.of_b != best.of_b;
  if (axis.is_edges()) {
    if (!append_edges(boxes, axis, out)) return false;
  } else {
    append_faces(boxes, axis, out);
  }
  if (passing && out.empty()) append_nearest(boxes, axis, a, b, out);
  std::sort(out.begin(), out.end(),
            [](const NearPoint& x, const NearPoint& y) { return x.id < y.id; });
  return passing || !out.empty();
}

}  // namespace carom::geometry
