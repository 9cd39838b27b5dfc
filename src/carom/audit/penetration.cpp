#include "carom/audit/penetration.h"

#include <algorithm>
#include <cmath>

#include "carom/audit/limits.h"

namespace carom::audit {

namespace {

// How often a stretch may be halved: closed forms are cheap, searches are not.
constexpr int kClosedFormHalvings = 12, kSearchHalvings = 5;
constexpr double kResolution = 0.1;   // of the depth that the method promises
constexpr double kNearDeepest = 0.9;  // part of the deepest so far; what is less deep is let go

}  // namespace

// Where the parabola through three evenly spaced depths is highest; the middle if not between them.
double PenetrationWatch::find_culmination(Instant from, Instant middle, Instant to) {
  const double bend = from.depth + to.depth - 2 * middle.depth;
  const double shift = (from.depth - to.depth) / (2 * bend);  // in halves, from the middle
  if (!(bend < 0 && std::abs(shift) < 1)) return middle.s;
  return middle.s + shift * (to.s - middle.s);
}

Vec3 SolidOverlap::middle() const {
  const Vec3& d = overlap.direction;
  const bool on_a = !a.solid.is_plane();
  const PlacedSolid& from = on_a ? a : b;
  const Vec3 along = on_a ? d : Vec3(-d);
  const Vec3 farthest = from.X_WS * support_point(from.solid, from.X_WS.q.conjugate() * along);
  return farthest - overlap.depth / 2 * along;
}

void PenetrationWatch::begin(const Scene& scene) {
  scene_ = &scene;
  slack_ = std::max(scene.tolerances.gap,
                    kResolution * promise_of(scene.method).penetration * scene.tolerances.length);
  for (const Body& body : scene.bodies) {
    std::vector<Solid>& solids = solids_.emplace_back();
    double radius = 0, lever = 0;
    for (const model::PlacedShape& placed : body.shapes) {
      if (!placed.collide) continue;
      append_solids(placed, solids);
    }
    for (Solid& solid : solids) {
      solid.axis = find_axis(body, solid);
      radius = std::max(radius, solid.reach);
      lever = std::max(lever, solid.lever);
    }
    radius_.push_back(radius);
    levers_.push_back(lever);
  }
  path_.resize(radius_.size());
  neighbours_.begin(scene, radius_);
}

void PenetrationWatch::check(const State& state) {
  visit_overlaps(state, [this](const SolidOverlap& at) { deepen(at); });
}

void PenetrationWatch::check_pair(const State& state, BodyId a, BodyId b) {
  const BodyPair pair(static_cast<int>(a), static_cast<int>(b));
  if (!neighbours_.may_collide(pair.first, pair.second)) return;
  visit_solids(state, pair, [this](const SolidOverlap& at) { deepen(at); });
}

void PenetrationWatch::check(const Flight& flight, const State& start, const State& end) {
  stretches_.clear();
  for (std::size_t i = 0; i < flight.motions.size(); ++i) {
    stretches_.push_back(
        {scene_->bodies[i], flight.motions[i], start.bodies[i], end.bodies[i], flight.duration});
    path_[i] = math::speed_bound(flight.motions[i], flight.duration) * flight.duration;
  }
  for (const BodyPair& pair : neighbours_.find(start, path_)) check_bodies(flight, pair);
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
      if (is_harmless(approach, {last.direction, flight.duration}, {0, flight.duration})) continue;
      chase(approach, last.depth);
    }
  }
}

void PenetrationWatch::chase(const Approach& approach, double last_depth) {
  halve(approach, {0, look(approach, 0).depth}, {approach.duration, last_depth}, 0);
}

// Apart along the line between the centres by more than they can move.
bool PenetrationWatch::may_touch(const Approach& approach) const {
  const PlacedSolid a = approach.a.at(0), b = approach.b.at(0);
  const Vec3 d = (b.X_WS.p - a.X_WS.p).normalized();
  return !(compute_overlap_along(a, b, d) < -approach.farthest_move());
}

bool PenetrationWatch::is_harmless(const Approach& approach, const Witness& witness,
                                   Interval interval) const {
  const double enough = harmless_gap();
  return approach.bound_gap(witness, interval, enough) >= enough;
}

void PenetrationWatch::halve(const Approach& approach, Instant from, Instant to, int level) {
  const double s = from.s + (to.s - from.s) / 2;
  const Overlap overlap = look(approach, s);
  const Instant middle{s, overlap.depth};
  look(approach, find_culmination(from, middle, to));
  if (level == (approach.is_closed_form() ? kClosedFormHalvings : kSearchHalvings)) {
    const double deepest = std::max({from.depth, middle.depth, to.depth});
    if (deepest > kNearDeepest * max_depth) climb(approach, {from.s, to.s});
    return;
  }
  if (is_harmless(approach, {overlap.direction, s}, {from.s, to.s})) return;
  halve(approach, from, middle, level + 1);
  halve(approach, middle, to, level + 1);
}

// Golden section, in the last parts that are about as deep as any: to 1/600 of their length.
void PenetrationWatch::climb(const Approach& approach, Interval part) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kSections = 13;
  Instant low{part.to - kGolden * (part.to - part.from), 0},
      high{part.from + kGolden * (part.to - part.from), 0};
  low.depth = look(approach, low.s).depth;
  high.depth = look(approach, high.s).depth;
  for (int i = 0; i < kSections; ++i) {
    const bool keeps_low = low.depth > high.depth;
    (keeps_low ? part.to : part.from) = keeps_low ? high.s : low.s;
    (keeps_low ? high : low) = keeps_low ? low : high;
    Instant& next = keeps_low ? low : high;
    next.s = keeps_low ? part.to - kGolden * (part.to - part.from)
                       : part.from + kGolden * (part.to - part.from);
    next.depth = look(approach, next.s).depth;
  }
}

Overlap PenetrationWatch::look(const Approach& approach, double s) {
  const Overlap overlap = finder_.find(approach.a.at(s), approach.b.at(s));
  max_depth = std::max(max_depth, overlap.depth);
  return overlap;
}

}  // namespace carom::audit
