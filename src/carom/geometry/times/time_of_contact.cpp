#include "carom/geometry/times/time_of_contact.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/distance/surface_contact.h"
#include "carom/geometry/times/core_watch.h"
#include "carom/geometry/times/feature_watch.h"
#include "carom/geometry/times/separation.h"

namespace carom::geometry {

namespace {

constexpr int kMaxStops = 10'000;   // of the walk through one flight
constexpr int kMaxGrazes = 1000;    // touches without impact of one pair in one flight
constexpr int kMaxLingering = 100;  // stops at the level, though all points of the region leave
constexpr int kPatience = 8, kPatienceApart = 32;  // stops of a pair before its distance is sampled
constexpr int kSamples = 24;                       // of what is left of the flight
constexpr double kSampled = 5e-3;     // of the smaller shape: most that one moves between samples
constexpr double kDescent = 1e-4;     // of the time between samples: how close to the descent
constexpr double kResolution = 1e-3;  // how close to the level the walk goes, of the gap tolerance
constexpr double kNear = 10;          // gap tolerances within which faces are watched

// The walk of one pair through one flight.
class Walk {
 public:
  Walk(const MovingShape& a, const MovingShape& b, const MotionQuery& query, TouchSearch& search,
       std::vector<TouchTime>& out)
      : a_(a), b_(b), query_(query), search_(search), out_(out) {}

  TouchStatus run() {
    int patience = kPatienceApart;
    search_.unproven = 0;
    look();
    if (distance_.value <= query_.gap_tolerance) {
      find_region();
      const double rate = least_rate(search_.touching);
      if (rate < -query_.velocity_tolerance) {
        report();
        return TouchStatus::Complete;
      }
      level_ = level_of({distance_.value, rate, 0}, query_);
      patience = kPatience;
    }
    int grazes = 0, lingering = 0;
    for (int stop = 0; stop < kMaxStops && grazes < kMaxGrazes; ++stop) {
      if (stop >= patience && hardly_moves() && !skip_to_descent()) return TouchStatus::Complete;
      const double next = s_ + wait();
      if (!(next < query_.duration)) return TouchStatus::Complete;
      s_ = std::max(next, std::nextafter(s_, HUGE_VAL));
      look();
      const double rate = find_arrival();
      if (!std::isfinite(rate)) continue;
      const bool leaving = rate > query_.velocity_tolerance;
      if (leaving && ++lingering < kMaxLingering) continue;
      if (!leaving) report();
      if (rate < -query_.velocity_tolerance) return TouchStatus::Complete;
      level_ = std::min(level_, distance_.value) - query_.gap_tolerance;
      lingering = 0;
      ++grazes;
    }
    const Vec3 between = 0.5 * (distance_.p_A + distance_.p_B);
    out_.push_back({s_, -HUGE_VAL, {between, distance_.normal, distance_.value}, 0});
    return TouchStatus::IterationCap;
  }

 private:
  bool hardly_moves() const {
    const double size = std::min(a_.convex.radius, b_.convex.radius);
    return fastest_approach() * (query_.duration - s_) < kSamples * kSampled * size;
  }

  // Where bounds allow no more than a creep, the distance is looked at a few times instead: goes to
  // just before it falls to the level, if it does.
  bool skip_to_descent() {
    const double part = (query_.duration - s_) / kSamples;
    search_.unproven = std::max(search_.unproven, 0.5 * part * fastest_approach());
    Interval descent{s_, s_};
    for (int i = 1;; ++i) {
      if (i > kSamples) return false;
      descent.end = s_ + i * part;
      if (!is_above_level(descent.end)) break;
      descent.start = descent.end;
    }
    while (descent.end - descent.start > kDescent * part) {
      const double middle = 0.5 * (descent.start + descent.end);
      (is_above_level(middle) ? descent.start : descent.end) = middle;
    }
    s_ = descent.start;
    look();
    return true;
  }

  bool is_above_level(double s) {
    const Placed a{a_.convex, math::pose_at(a_.motion, s) * a_.X_BS};
    const Placed b{b_.convex, math::pose_at(b_.motion, s) * b_.X_BS};
    return compute_contact_distance(a, b, query_.gap_tolerance, search_.hint).value > level_;
  }

  void look() {
    bounds_a_ = bound_motion(a_.motion, {s_, query_.duration});
    bounds_b_ = bound_motion(b_.motion, {s_, query_.duration});
    X_WA_ = bounds_a_.X * a_.X_BS;
    X_WB_ = bounds_b_.X * b_.X_BS;
    distance_ = compute_contact_distance({a_.convex, X_WA_}, {b_.convex, X_WB_},
                                         query_.gap_tolerance, search_.hint);
  }

  // For how long nothing comes into contact, at the least; or, where no direction promises
  // anything, the time in which no point can move by more than the resolution.
  double wait() { return std::max(guaranteed_wait(), resolution() / fastest_approach()); }

  double resolution() const { return kResolution * query_.gap_tolerance; }

  double fastest_approach() const {
    const Vec3 apart = bounds_a_.X.p - bounds_b_.X.p;
    const auto lever = [&](const MovingShape& shape, const MovingShape& other) {
      const bool bounded = std::isfinite(shape.convex.radius);
      return bounded ? shape.X_BS.p.norm() + shape.convex.radius
                     : apart.norm() + other.X_BS.p.norm() + other.convex.radius;
    };
    const Vec3 now = bounds_a_.V.v - bounds_b_.V.v;
    const double left = query_.duration - s_;
    const Vec3 gained = left * (bounds_a_.a - bounds_b_.a);
    return std::max(now.norm(), (now + gained).norm()) + lever(a_, b_) * bounds_a_.spin.speed +
           lever(b_, a_) * bounds_b_.spin.speed +
           0.5 * left * bound_change(bounds_a_, bounds_b_, left);
  }

  // A gap of edges that are sharp has a level of its own, which the distance as a whole has not.
  double guaranteed_wait() {
    double until = s_;
    if (distance_.value <= kNear * query_.gap_tolerance) {
      const WatchedFlight flight{query_, s_, level_, resolution()};
      until = watch_faces(flight);
      if (until > s_) return until - s_;
      until = watch_cores(a_, b_, distance_, flight);
      const bool sharp = a_.convex.polytope && b_.convex.polytope;
      if (until >= query_.duration || (sharp && until > s_)) return until - s_;
    }
    const double apart =
        wait_apart(make_flying_shape(a_.convex, a_.X_BS, bounds_a_),
                   make_flying_shape(b_.convex, b_.X_BS, bounds_b_),
                   {distance_.normal, distance_.value}, level_, query_.duration - s_);
    return std::max(until - s_, apart);
  }

  double watch_faces(const WatchedFlight& flight) {
    const bool on_a = distance_.feature_a.kind == FeatureKind::Face;
    const double until =
        on_a ? watch_faces_of(a_, distance_.feature_a, b_, flight, search_.over_face)
             : watch_faces_of(b_, distance_.feature_b, a_, flight, search_.over_face);
    if (until > s_) return until;
    return on_a ? watch_faces_of(b_, distance_.feature_b, a_, flight, search_.over_face)
                : watch_faces_of(a_, distance_.feature_a, b_, flight, search_.over_face);
  }

  // The least rate of what has come into contact; infinite if nothing has.
  double find_arrival() {
    if (distance_.value > query_.gap_tolerance) return HUGE_VAL;
    find_region();
    if (!search_.arrived.empty()) return least_rate(search_.arrived);
    const bool sunk = distance_.value - level_ <= resolution();
    return sunk ? least_rate(search_.touching) : HUGE_VAL;
  }

  static double least_rate(const std::vector<TouchTime>& touches) {
    double least = HUGE_VAL;
    for (const TouchTime& touch : touches) least = std::min(least, touch.rate);
    return least;
  }

  void find_region() {
    find_contact_region({a_.convex, X_WA_}, {b_.convex, X_WB_}, distance_, query_.gap_tolerance,
                        search_.region);
    search_.touching.clear();
    search_.arrived.clear();
    for (const RegionPoint& point : search_.region) add_touch(point);
  }

  void add_touch(const RegionPoint& point) {
    const MovingShape& first = point.swapped ? b_ : a_;
    const MovingShape& second = point.swapped ? a_ : b_;
    const FeaturePair pair = on_bodies(point.pair, first.X_BS, second.X_BS);
    const PairKinematics now = kinematics_at(pair, first.motion, second.motion, s_);
    const PairKinematics start = kinematics_at(pair, first.motion, second.motion, 0);
    ContactPoint at = contact_point(pair, now.X_WA, now.X_WB);
    if (point.swapped) at.normal = -at.normal;
    search_.touching.push_back({s_, compute_gap(pair, now).rate, at, point.id});
    const double level = level_of(compute_gap(pair, start), query_);
    const bool has_moved = s_ > 0 && at.gap - level <= resolution();
    if (has_moved) search_.arrived.push_back(search_.touching.back());
  }

  void report() { out_.insert(out_.end(), search_.touching.begin(), search_.touching.end()); }

  const MovingShape &a_, &b_;
  const MotionQuery& query_;
  TouchSearch& search_;
  std::vector<TouchTime>& out_;
  double s_ = 0, level_ = 0;
  BodyBounds bounds_a_, bounds_b_;
  Pose X_WA_, X_WB_;
  Distance distance_;
};

}  // namespace

TouchStatus find_times_of_contact(const MovingShape& a, const MovingShape& b,
                                  const MotionQuery& query, TouchSearch& search,
                                  std::vector<TouchTime>& out) {
  return Walk(a, b, query, search, out).run();
}

}  // namespace carom::geometry
