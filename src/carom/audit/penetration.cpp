#include "carom/audit/penetration.h"

#include <algorithm>
#include <cmath>

namespace carom::audit {

namespace {

// The least of the chord from g0 to g1 less K s (h - s) / 2 over 0 <= s <= h.
double least_gap(double g0, double g1, double K, double h) {
  const double slope = (g1 - g0) / h;
  const double s = K > 0 ? std::clamp(h / 2 - slope / K, 0.0, h) : 0;
  return std::min({g0, g1, g0 + slope * s - K * s * (h - s) / 2});
}

}  // namespace

// Where the parabola through three evenly spaced depths is highest; the middle if not between them.
double PenetrationWatch::find_culmination(Instant from, Instant middle, Instant to) {
  const double bend = from.depth + to.depth - 2 * middle.depth;
  const double shift = (from.depth - to.depth) / (2 * bend);  // in halves, from the middle
  if (!(bend < 0 && std::abs(shift) < 1)) return middle.s;
  return middle.s + shift * (to.s - middle.s);
}

struct PenetrationWatch::Side {
  const Solid& solid;
  const BodyStretch& stretch;
  MotionBounds bounds;

  PlacedSolid at(double s) const { return {solid, math::pose_at(stretch.motion, s) * solid.X_BS}; }
};

struct PenetrationWatch::Approach {
  Side a, b;
  double duration;

  // How often a stretch may be halved: closed forms are cheap, searches are not.
  int max_halvings() const {
    const bool closed_form =
        a.solid.is_plane() || b.solid.is_plane() || (a.solid.is_sphere() && b.solid.is_sphere());
    return closed_form ? 9 : 5;
  }
  double overlap_along(const Vec3& d, double s) const {
    return compute_overlap_along(a.at(s), b.at(s), d);
  }
  double relative_speed() const {  // of the centres of mass, which is greatest at an end
    const double first = (a.stretch.start.v - b.stretch.start.v).norm();
    return std::max(first, (a.stretch.end.v - b.stretch.end.v).norm());
  }
  // A plane's points have no bounded lever: what counts is how its normal sweeps over the other.
  double plane_lever() const {
    const double apart = (a.stretch.start.x - b.stretch.start.x).norm();
    return apart + relative_speed() * duration +
           (a.solid.is_plane() ? b.solid.reach : a.solid.reach);
  }
  double lever(const Side& side) const {
    return side.solid.is_plane() ? plane_lever() : side.solid.lever;
  }
  double farthest_move() const {
    const double turn = a.bounds.spin * lever(a) + b.bounds.spin * lever(b);
    return (relative_speed() + turn) * duration;
  }
  double curvature(const Vec3& d) const {
    double K = std::abs(d.dot(a.stretch.motion.a - b.stretch.motion.a));
    for (const Side* side : {&a, &b}) {
      const MotionBounds& bounds = side->bounds;
      if (!side->solid.is_plane())
        K += bound_turning(bounds, side->solid.lever, d, duration);
      else
        K += bounds.spin * (bounds.spin * plane_lever() + 2 * farthest_move() / duration);
    }
    return K;
  }
};

void PenetrationWatch::begin(const Scene& scene) {
  scene_ = &scene;
  slack_ = scene.tolerances.gap;
  for (const Body& body : scene.bodies) {
    std::vector<Solid>& solids = solids_.emplace_back();
    double radius = 0;
    for (const model::PlacedShape& placed : body.shapes) {
      if (!placed.collide) continue;
      solids.push_back(make_solid(placed));
      radius = std::max(radius, solids.back().reach);
    }
    radius_.push_back(radius);
  }
  path_.resize(radius_.size());
  neighbours_.begin(scene, radius_);
}

void PenetrationWatch::check(const State& state) {
  std::fill(path_.begin(), path_.end(), 0);
  for (const BodyPair& pair : neighbours_.find(state, path_)) check_solids(state, pair);
}

void PenetrationWatch::check_pair(const State& state, BodyId a, BodyId b) {
  const BodyPair pair(static_cast<int>(a), static_cast<int>(b));
  if (neighbours_.may_collide(pair.first, pair.second)) check_solids(state, pair);
}

void PenetrationWatch::check(const Flight& flight, const State& start, const State& end) {
  stretches_.clear();
  for (std::size_t i = 0; i < flight.motions.size(); ++i) {
    stretches_.push_back(
        {scene_->bodies[i], flight.motions[i], start.bodies[i], end.bodies[i], flight.duration});
    path_[i] = std::max(start.bodies[i].v.norm(), end.bodies[i].v.norm()) * flight.duration;
  }
  for (const BodyPair& pair : neighbours_.find(start, path_)) check_bodies(flight, pair);
}

void PenetrationWatch::check_solids(const State& state, BodyPair pair) {
  const BodyState& x_a = state.bodies[pair.first];
  const BodyState& x_b = state.bodies[pair.second];
  const double reach = radius_[pair.first] + radius_[pair.second];
  if ((x_a.x - x_b.x).norm() > reach) return;
  for (const Solid& a : solids_[pair.first]) {
    for (const Solid& b : solids_[pair.second]) {
      const PlacedSolid placed_a{a, x_a.pose() * a.X_BS}, placed_b{b, x_b.pose() * b.X_BS};
      if ((placed_a.X_WS.p - placed_b.X_WS.p).norm() > a.radius + b.radius) continue;
      max_depth = std::max(max_depth, finder_.find(placed_a, placed_b).depth);
    }
  }
}

void PenetrationWatch::check_bodies(const Flight& flight, BodyPair pair) {
  const auto [i, j] = pair;
  const BodyStretch &s_a = stretches_[i], &s_b = stretches_[j];
  const double reach = radius_[i] + radius_[j] + path_[i] + path_[j];
  if ((s_a.start.x - s_b.start.x).norm() > reach) return;
  const MotionBounds bounds_a = compute_motion_bounds(s_a), bounds_b = compute_motion_bounds(s_b);
  for (const Solid& a : solids_[i]) {
    for (const Solid& b : solids_[j]) {
      const Approach approach{{a, s_a, bounds_a}, {b, s_b, bounds_b}, flight.duration};
      if (!may_touch(approach)) continue;
      const Overlap last = look(approach, flight.duration);
      if (is_harmless(approach, last.direction, 0, flight.duration)) continue;
      const Instant from{0, look(approach, 0).depth};
      halve(approach, from, {flight.duration, last.depth}, 0);
    }
  }
}

// Apart along the line between the centres by more than they can move.
bool PenetrationWatch::may_touch(const Approach& approach) const {
  const PlacedSolid a = approach.a.at(0), b = approach.b.at(0);
  const Vec3 d = (b.X_WS.p - a.X_WS.p).normalized();
  return !(compute_overlap_along(a, b, d) < -approach.farthest_move());
}

bool PenetrationWatch::is_harmless(const Approach& approach, const Vec3& d, double from,
                                   double to) const {
  const double known = std::max(max_depth, slack_);
  const double g0 = -approach.overlap_along(d, from), g1 = -approach.overlap_along(d, to);
  return least_gap(g0, g1, approach.curvature(d), to - from) >= -known;
}

void PenetrationWatch::halve(const Approach& approach, Instant from, Instant to, int level) {
  const double s = from.s + (to.s - from.s) / 2;
  const Overlap overlap = look(approach, s);
  const Instant middle{s, overlap.depth};
  look(approach, find_culmination(from, middle, to));
  if (level == approach.max_halvings()) return;
  if (is_harmless(approach, overlap.direction, from.s, to.s)) return;
  halve(approach, from, middle, level + 1);
  halve(approach, middle, to, level + 1);
}

Overlap PenetrationWatch::look(const Approach& approach, double s) {
  const Overlap overlap = finder_.find(approach.a.at(s), approach.b.at(s));
  max_depth = std::max(max_depth, overlap.depth);
  return overlap;
}

}  // namespace carom::audit
