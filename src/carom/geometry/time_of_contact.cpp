#include "carom/geometry/time_of_contact.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/feature_watch.h"
#include "carom/geometry/separation.h"

namespace carom::geometry {

namespace {

constexpr int kMaxStops = 100'000;    // of the walk through one flight
constexpr int kMaxGrazes = 1000;      // touches without impact of one pair in one flight
constexpr double kResolution = 1e-2;  // how close to the level the walk goes, of the gap tolerance
constexpr double kNear = 10;          // gap tolerances within which faces are watched

// The walk of one pair through one flight.
class Walk {
 public:
  Walk(const MovingShape& a, const MovingShape& b, const MotionQuery& query, TouchSearch& search,
       std::vector<Touch>& out)
      : a_(a), b_(b), query_(query), search_(search), out_(out) {}

  TouchStatus run() {
    look();
    if (distance_.value <= query_.gap_tolerance) {
      const double rate = find_region();
      if (rate < -query_.velocity_tolerance) return report();
      const bool rests = rate <= query_.velocity_tolerance;
      level_ = std::min(distance_.value, 0.0) - (rests ? query_.gap_tolerance : 0);
    }
    int grazes = 0;
    for (int stop = 0; stop < kMaxStops && grazes < kMaxGrazes; ++stop) {
      const double next = s_ + wait();
      if (!(next < query_.duration)) return TouchStatus::Complete;
      s_ = std::max(next, std::nextafter(s_, HUGE_VAL));
      look();
      if (distance_.value - level_ > kResolution * query_.gap_tolerance) continue;
      const double rate = find_region();
      if (rate > 0) continue;  // on its way out
      const TouchStatus reported = report();
      if (rate < -query_.velocity_tolerance) return reported;
      level_ = std::min(level_, distance_.value) - query_.gap_tolerance;
      ++grazes;
    }
    return TouchStatus::IterationCap;
  }

 private:
  void look() {
    bounds_a_ = bound_motion(a_.motion, {s_, query_.duration});
    bounds_b_ = bound_motion(b_.motion, {s_, query_.duration});
    X_WA_ = bounds_a_.X * a_.X_BS;
    X_WB_ = bounds_b_.X * b_.X_BS;
    distance_ = compute_distance({a_.convex, X_WA_}, {b_.convex, X_WB_}, search_.hint);
  }

  // For how long the gap stays above the level, at the least.
  double wait() {
    const double longest =
        wait_apart(make_flying_shape(a_.convex, a_.X_BS, bounds_a_),
                   make_flying_shape(b_.convex, b_.X_BS, bounds_b_),
                   {distance_.normal, distance_.value}, level_, query_.duration - s_);
    if (distance_.value - level_ > kNear * query_.gap_tolerance) return longest;
    return s_ + longest >= query_.duration ? longest : std::max(longest, watch_features());
  }

  // The same from the features that touch.
  double watch_features() {
    const WatchedFlight flight{s_, query_.duration, level_, kResolution * query_.gap_tolerance};
    double until = watch_faces_of(b_, distance_.feature_b, a_, flight, search_.over_face);
    if (until < flight.end) {
      until =
          std::max(until, watch_faces_of(a_, distance_.feature_a, b_, flight, search_.over_face));
    }
    if (until < flight.end) until = std::max(until, watch_edges(a_, b_, distance_, flight));
    return until - s_;
  }

  // The least rate of any point of the contact region.
  double find_region() {
    find_contact_region({a_.convex, X_WA_}, {b_.convex, X_WB_}, distance_,
                        std::max(query_.gap_tolerance, distance_.value), search_.region);
    search_.touching.clear();
    double least = HUGE_VAL;
    for (const RegionPoint& point : search_.region) {
      search_.touching.push_back(touch_at(point));
      least = std::min(least, search_.touching.back().rate);
    }
    return least;
  }

  Touch touch_at(const RegionPoint& point) const {
    const MovingShape& first = point.swapped ? b_ : a_;
    const MovingShape& second = point.swapped ? a_ : b_;
    const FeaturePair pair = on_bodies(point.pair, first.X_BS, second.X_BS);
    const PairKinematics now = kinematics_at(pair, first.motion, second.motion, s_);
    ContactPoint at = contact_point(pair, now.X_WA, now.X_WB);
    if (point.swapped) at.normal = -at.normal;
    return {s_, compute_gap(pair, now).rate, at, point.id};
  }

  TouchStatus report() {
    out_.insert(out_.end(), search_.touching.begin(), search_.touching.end());
    return TouchStatus::Complete;
  }

  const MovingShape &a_, &b_;
  const MotionQuery& query_;
  TouchSearch& search_;
  std::vector<Touch>& out_;
  double s_ = 0, level_ = 0;
  BodyBounds bounds_a_, bounds_b_;
  Pose X_WA_, X_WB_;
  Distance distance_;
};

}  // namespace

TouchStatus find_times_of_contact(const MovingShape& a, const MovingShape& b,
                                  const MotionQuery& query, TouchSearch& search,
                                  std::vector<Touch>& out) {
  return Walk(a, b, query, search, out).run();
}

double time_to_contact_at_least(const MovingShape& a, const MovingShape& b, double duration,
                                DistanceHint& hint) {
  const BodyBounds A = bound_motion(a.motion, {0, duration});
  const BodyBounds B = bound_motion(b.motion, {0, duration});
  const Pose X_WA = A.X * a.X_BS, X_WB = B.X * b.X_BS;
  const Distance distance = compute_distance({a.convex, X_WA}, {b.convex, X_WB}, hint);
  return wait_apart(make_flying_shape(a.convex, a.X_BS, A), make_flying_shape(b.convex, b.X_BS, B),
                    {distance.normal, distance.value}, 0, duration);
}

}  // namespace carom::geometry
