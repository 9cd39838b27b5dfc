// When a pair will touch: in a flight, and on clocks of their own.
#include <algorithm>
#include <cmath>

#include "carom/contact/pair_query.h"
#include "carom/geometry/distance/surface_contact.h"
#include "carom/geometry/times/gap_watch.h"
#include "carom/geometry/times/separation.h"
#include "carom/math/first_descent.h"

namespace carom::contact {

namespace {

// How close to the level a root search goes, as a part of what gaps are told apart by.
constexpr double kRootResolution = 1e-2;

constexpr int kMaxGrazes = 1000;  // touches without impact of one feature pair in one flight

double approach_rate(const geometry::ContactPoint& at, const geometry::BoundedBodies& now) {
  return at.normal.dot(now.a.V.at(at.point - now.a.X.p) - now.b.V.at(at.point - now.b.X.p));
}

geometry::MotionQuery query_of(const Scene& scene, const Flight& flight) {
  return {flight.duration, scene.tolerances.gap,
          base::slow_approach(scene.tolerances, flight.duration), scene.tolerances.leaving};
}

}  // namespace

PairQuery::Look PairQuery::look(const Clocks& now) {
  const geometry::BoundedBodies bodies{geometry::bound_motion(now.a, {now.s_a, now.s_a + now.left}),
                                       geometry::bound_motion(now.b, {now.s_b, now.s_b + now.left}),
                                       now.left};
  const Pose X_WA = bodies.a.X * X_AS_, X_WB = bodies.b.X * X_BS_;
  geometry::Distance apart = geometry::compute_contact_distance(
      {*convex_a_, X_WA}, {*convex_b_, X_WB}, now.band, search_.hint);
  // The distance is good to some 1e-9 of the size; what the normal separates, to round-off.
  if (!std::isinf(convex_b_->radius))
    apart.value = std::min(apart.value,
                           separation_along(apart.normal, {*convex_a_, X_WA}, {*convex_b_, X_WB}));
  Look found;
  found.gap = apart.value;
  found.at = {0.5 * (apart.p_A + apart.p_B), apart.normal, apart.value};
  found.rate = approach_rate(found.at, bodies);
  if (apart.value <= now.band && found.rate >= 0)
    find_fastest_approach(apart, bodies, now.band, found);
  const double level = apart.value > -now.depth ? -now.depth : apart.value - now.tolerance;
  found.wait = geometry::wait_apart(geometry::make_flying_shape(*convex_a_, X_AS_, bodies.a),
                                    geometry::make_flying_shape(*convex_b_, X_BS_, bodies.b),
                                    {apart.normal, apart.value}, level, now.left);
  return found;
}

void PairQuery::find_fastest_approach(const geometry::Distance& apart,
                                      const geometry::BoundedBodies& now, double band, Look& look) {
  const Pose X_WA = now.a.X * X_AS_, X_WB = now.b.X * X_BS_;
  geometry::find_contact_region({*convex_a_, X_WA}, {*convex_b_, X_WB}, apart, band,
                                search_.region);
  for (const geometry::RegionPoint& point : search_.region) {
    const geometry::ContactPoint at = point_at(features_of(point), now.a.X, now.b.X);
    const double rate = approach_rate(at, now);
    if (rate < look.rate && rate < 0) look = {look.gap, at, rate, 0};
  }
}

void PairQuery::search(const Scene& scene, const Flight& flight) {
  times_.clear();
  capped_ = false;
  search_.unproven = 0;
  if (!in_closed_form()) return search_shapes(scene, flight);
  const RigidMotion& a = flight.motions[index(pair_.a)];
  const RigidMotion& b = flight.motions[index(pair_.b)];
  const Start begin{geometry::kinematics_at(a, b, 0),
                    geometry::bound_bodies(a, b, {0, flight.duration})};
  for (std::size_t f = 0; f < features_.size(); ++f) search_feature(scene, f, flight, begin);
}

void PairQuery::search_shapes(const Scene& scene, const Flight& flight) {
  touches_.clear();
  search_.hint = {};
  const auto status =
      geometry::find_times_of_contact({*convex_a_, X_AS_, flight.motions[index(pair_.a)]},
                                      {*convex_b_, X_BS_, flight.motions[index(pair_.b)]},
                                      query_of(scene, flight), search_, touches_);
  capped_ = status == geometry::TouchStatus::IterationCap && !(touches_.back().s > 0);
  for (const geometry::TouchTime& touch : touches_) {
    times_.push_back({touch.s, pair_.a, pair_.b, feature_id(touch.feature), touch.rate});
  }
}

void PairQuery::search_feature(const Scene& scene, std::size_t feature, const Flight& flight,
                               const Start& begin) {
  const base::Tolerances& tolerances = scene.tolerances;
  const RigidMotion& a = flight.motions[index(pair_.a)];
  const RigidMotion& b = flight.motions[index(pair_.b)];
  const geometry::FeaturePair& pair = features_[feature];
  const auto gap = [&](double s) {
    return geometry::compute_gap(pair, geometry::kinematics_at(pair, a, b, s));
  };
  const auto report = [&](double s, double rate) {
    times_.push_back({s, pair_.a, pair_.b, feature_id(static_cast<std::int64_t>(feature)), rate});
  };
  const auto end_at_cap = [&](double s) {
    capped_ |= !(s > 0);
    report(s, -HUGE_VAL);
  };
  const geometry::MotionQuery query = query_of(scene, flight);
  const math::Sample start = geometry::compute_gap(pair, begin.at);
  if (start.value <= tolerances.gap && start.rate < -query.velocity_tolerance) {
    return report(0, start.rate);
  }
  const geometry::GapBounds bounds = geometry::bound_gap(pair, begin.bounds);
  math::DescentQuery descent{.end = flight.duration,
                             .level = geometry::level_of(start, query),
                             .curvature = bounds.curvature,
                             .jerk = bounds.jerk,
                             .resolution = kRootResolution * tolerances.resolution};
  math::Sample here = start;
  for (int grazes = 0; grazes < kMaxGrazes; ++grazes) {
    const math::Descent found = math::find_first_descent(gap, here, descent);
    if (found.status == math::DescentStatus::IterationCap) return end_at_cap(found.s);
    if (found.status != math::DescentStatus::Found) return;
    report(found.s, found.at.rate);
    if (found.at.rate < -query.velocity_tolerance) return;
    here = found.at;
    descent.start = found.s;  // it only grazes: watch it as a resting contact from here
    descent.level = std::min(descent.level, found.at.value) - tolerances.gap;
  }
  end_at_cap(descent.start);
}

}  // namespace carom::contact
