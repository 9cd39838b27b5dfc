#include "carom/audit/penetration.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "carom/audit/limits.h"

namespace carom::audit {

namespace {

// How often a segment may be divided: closed forms are cheap, searches are not, but what breaks a
// promise is worth them.
constexpr int kManyParts = 64, kSearchParts = 12;
constexpr double kResolution = 0.1;   // of the depth that the method promises
constexpr double kNearDeepest = 0.9;  // part of the deepest so far; what is less deep is let go

}  // namespace

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
  promise_ = promise_of(scene.method).penetration * scene.tolerances.length;
  slack_ = std::max(scene.tolerances.resolution, kResolution * promise_);
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
    find_standing_plane(static_cast<int>(radius_.size()) - 1);
  }
  path_.resize(radius_.size());
  neighbours_.begin(scene, radius_);
}

void PenetrationWatch::find_standing_plane(int body) {
  const auto i = static_cast<std::size_t>(body);
  const model::InitialMotion& at = scene_->initial[i];
  const bool stands = !scene_->bodies[i].is_dynamic() && at.v.isZero(0) && at.w.isZero(0);
  const std::vector<Solid>& solids = solids_[i];
  plane_of_.push_back(-1);
  if (!stands || solids.size() != 1 || !solids[0].is_plane()) return;
  plane_of_.back() = static_cast<int>(planes_.size());
  const Pose X = Pose{at.x, at.q} * solids[0].X_BS;
  const auto& plane = std::get<geometry::Plane>(solids[0].shape);
  const Vec3 normal = X.q * plane.normal;
  planes_.push_back({body, normal, plane.offset + normal.dot(X.p)});
}

bool PenetrationWatch::are_apart(BodyPair pair, const State& start,
                                 std::span<const double> paths) const {
  const auto is_above = [&](int plane, int other) {
    const StandingPlane* below = standing_plane(plane);
    return below != nullptr &&
           below->is_below(start.bodies[other].x, radius_[other] + paths[other]);
  };
  return is_above(pair.first, pair.second) || is_above(pair.second, pair.first);
}

// The same for the same flight whenever a run was resumed, and of no pattern in pairs or times
// (the finalizer of splitmix64).
bool PenetrationWatch::is_chosen(BodyPair pair, double t) const {
  if (!samples) return true;
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  };
  const std::uint64_t bodies =
      (static_cast<std::uint64_t>(pair.first) << 32) | static_cast<std::uint64_t>(pair.second);
  return mix(mix(bodies + 1) ^ std::bit_cast<std::uint64_t>(t)) % record::kOneIn == 0;
}

void PenetrationWatch::check(const State& state) {
  std::fill(path_.begin(), path_.end(), 0);
  for (const BodyPair& pair : neighbours_.find(state, path_))
    if (is_chosen(pair, state.t))
      visit_overlaps(pair, state.bodies[pair.first], state.bodies[pair.second],
                     [this](const SolidOverlap& at) { deepen(at); });
}

void PenetrationWatch::check_pair(const State& state, BodyId a, BodyId b) {
  const BodyPair pair(static_cast<int>(a), static_cast<int>(b));
  if (!neighbours_.may_collide(pair.first, pair.second)) return;
  visit_overlaps(pair, state.bodies[pair.first], state.bodies[pair.second],
                 [this](const SolidOverlap& at) { deepen(at); });
}

void PenetrationWatch::check(const Flight& flight, const State& start, const State& end) {
  segments_.clear();
  bounds_.assign(flight.motions.size(), std::nullopt);
  memories_.resize(radius_.size());
  for (std::size_t i = 0; i < flight.motions.size(); ++i) {
    segments_.push_back(
        {scene_->bodies[i], flight.motions[i], start.bodies[i], end.bodies[i], flight.duration});
    path_[i] = math::speed_bound(flight.motions[i], flight.duration) * flight.duration;
    memories_[i].forget();
  }
  for (const BodyPair& pair : neighbours_.find(start, path_))
    if (!are_apart(pair, start, path_) && is_chosen(pair, flight.t0)) check_bodies(flight, pair);
}

void PenetrationWatch::check_bodies(const Flight& flight, BodyPair pair) {
  const auto [i, j] = pair;
  const BodySegment &s_a = segments_[i], &s_b = segments_[j];
  const double reach = radius_[i] + radius_[j] + path_[i] + path_[j];
  if ((s_a.start.x - s_b.start.x).norm() > reach) return;
  const MotionBounds &b_a = bounds_of(static_cast<std::size_t>(i)),
                     &b_b = bounds_of(static_cast<std::size_t>(j));
  for (const Solid& a : solids_[i]) {
    for (const Solid& b : solids_[j]) {
      const Approach approach{{a, s_a, b_a, 0, nullptr, nullptr, &memories_[i]},
                              {b, s_b, b_b, 0, nullptr, nullptr, &memories_[j]},
                              flight.duration};
      if (!may_touch(approach)) continue;
      const Overlap last = look(approach, flight.duration);
      if (is_harmless(approach, {last.direction, flight.duration}, {0, flight.duration})) continue;
      chase(approach, last.direction);
    }
  }
}

const MotionBounds& PenetrationWatch::bounds_of(std::size_t body) {
  std::optional<MotionBounds>& bounds = bounds_[body];
  if (!bounds) bounds = compute_motion_bounds(segments_[body]);
  return *bounds;
}

// What exceeds the deepest by less than round-off is no news either.
double PenetrationWatch::harmless_gap() const {
  constexpr double kRoundOff = 1e-12;
  const double known = (1 + kRoundOff) * max_depth;
  if (known <= promise_) return -std::min(known + slack_, std::max(promise_, slack_));
  return -known;
}

// The part that may hide most comes first. Its ends have been looked at.
void PenetrationWatch::chase(const Approach& approach, const Vec3& last_direction) {
  deepest_ = {0, look(approach, 0).depth, approach.duration};
  if (const auto nearest = approach.find_nearest_time()) {
    look(approach, *nearest);
    return;
  }
  const Interval whole{0, approach.duration};
  parts_ = {{whole, bound(approach, {last_direction, whole.to}, whole)}};
  const int most = approach.is_closed_form() || is_broken() ? kManyParts : kSearchParts;
  for (int i = 0; i < most; ++i) {
    std::pop_heap(parts_.begin(), parts_.end());
    const Part part = parts_.back();
    if (part.bound.least >= harmless_gap()) return;
    parts_.pop_back();
    divide(approach, part);
  }
  if (is_broken() && deepest_.depth > kNearDeepest * max_depth) climb(approach);
}

void PenetrationWatch::divide(const Approach& approach, const Part& part) {
  constexpr double kOff = 0.1;  // of its length
  const auto [from, to] = part.times;
  const double s = std::clamp(part.bound.s, from + kOff * (to - from), to - kOff * (to - from));
  const Overlap at = look(approach, s);
  if (at.depth > deepest_.depth) deepest_ = {s, at.depth, to - from};
  for (const Interval half : {Interval{from, s}, Interval{s, to}}) {
    parts_.push_back({half, bound(approach, {at.direction, s}, half)});
    std::push_heap(parts_.begin(), parts_.end());
  }
}

// Golden section about the deepest instant: to 1/600 of the part that it was found in.
void PenetrationWatch::climb(const Approach& approach) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kSections = 15;
  double from = std::max(deepest_.s - deepest_.within, 0.0),
         to = std::min(deepest_.s + deepest_.within, approach.duration);
  const auto depth = [&](double s) { return look(approach, s).depth; };
  double low = to - kGolden * (to - from), high = from + kGolden * (to - from);
  double depth_low = depth(low), depth_high = depth(high);
  for (int i = 0; i < kSections; ++i) {
    if (depth_low > depth_high) {
      to = std::exchange(high, low);
      depth_high = depth_low;
      depth_low = depth(low = to - kGolden * (to - from));
    } else {
      from = std::exchange(low, high);
      depth_low = depth_high;
      depth_high = depth(high = from + kGolden * (to - from));
    }
  }
}

GapBound PenetrationWatch::bound(const Approach& approach, const Witness& witness,
                                 Interval interval) {
  const double enough = harmless_gap();
  const GapBound along = approach.find_bound(witness, interval, enough);
  const bool has_plane = approach.a.solid.is_plane() || approach.b.solid.is_plane();
  if (along.least >= enough || has_plane || is_broken()) return along;
  const GapBound found = bound_found(approach, interval);
  return found.least > along.least ? found : along;
}

// Along the directions that tell most at four instants, and a cubic through them.
GapBound PenetrationWatch::bound_found(const Approach& approach, Interval interval) {
  constexpr double kNowhere = -std::numeric_limits<double>::infinity();
  const GapPath path = approach.path_of_b(interval);
  if (!std::isfinite(path.stray())) return {kNowhere, interval.from, kNowhere};
  Directions directions;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Vec3 told = look(approach, path.instant(i)).direction;
    directions[i] = path.own_attitude(i).conjugate() * told;
  }
  return path.bound_along(directions, harmless_gap());
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

Overlap PenetrationWatch::look(const Approach& approach, double s) {
  const Overlap overlap = finder_.find(approach.a.at(s), approach.b.at(s));
  max_depth = std::max(max_depth, overlap.depth);
  return overlap;
}

}  // namespace carom::audit
