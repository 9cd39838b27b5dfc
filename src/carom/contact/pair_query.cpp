#include "carom/contact/pair_query.h"

#include <algorithm>
#include <cmath>

#include "carom/base/prefetch.h"
#include "carom/geometry/distance/surface_contact.h"
#include "carom/geometry/regions/near_boxes.h"
#include "carom/geometry/shapes/support_patch.h"
#include "carom/geometry/times/gap_watch.h"
#include "carom/geometry/times/separation.h"
#include "carom/math/first_descent.h"

namespace carom::contact {

namespace {

// How close to the level a root search goes, as a part of what gaps are told apart by.
constexpr double kRootResolution = 1e-2;

// A normal turned by more than this was turned on purpose.
constexpr double kSameDirection = 1e-9;

constexpr int kMaxGrazes = 1000;  // touches without impact of one feature pair in one flight

const model::PlacedShape& shape_of(const Scene& scene, BodyId body, std::int32_t shape) {
  return scene.body(body).shapes[static_cast<std::size_t>(shape)];
}

// Of several triangles or shapes of two bodies no two use the same number, or hardly ever.
std::int64_t name_of(const ShapePair& pair, std::int64_t triangle) {
  const std::int64_t shapes = (std::int64_t{pair.shape_a} << 12) | pair.shape_b;
  return (shapes << 40) ^ ((triangle + 1) << 20);
}

double approach_rate(const geometry::ContactPoint& at, const geometry::BoundedBodies& now) {
  return at.normal.dot(now.a.V.at(at.point - now.a.X.p) - now.b.V.at(at.point - now.b.X.p));
}

geometry::MotionQuery query_of(const Scene& scene, const Flight& flight) {
  return {flight.duration, scene.tolerances.gap,
          base::slow_approach(scene.tolerances, flight.duration), scene.tolerances.leaving};
}

}  // namespace

void PairQuery::set(const Scene& scene, const ShapePair& pair, const geometry::Convex& a,
                    const geometry::Convex& b) {
  pair_ = pair;
  convex_a_ = &a;
  convex_b_ = &b;
  const model::PlacedShape& on_a = shape_of(scene, pair.a, pair.shape_a);
  const model::PlacedShape& on_b = shape_of(scene, pair.b, pair.shape_b);
  X_AS_ = on_a.X_BS;
  X_BS_ = on_b.X_BS;
  name_ = name_of(pair, std::max(a.triangle, b.triangle));
  between_ = scene.pairs(on_a.material, on_b.material);
  features_.clear();
  features_.reserve(1);  // once and for all: two balls may follow two boxes
  geometry::append_feature_pairs(pair.routine, {on_a.shape, X_AS_}, {on_b.shape, X_BS_}, features_);
  search_.hint = {};
}

void PairQuery::prefetch() const {
  constexpr std::size_t kCacheLine = 64;
  const auto* start = reinterpret_cast<const char*>(this);
  const auto* end = reinterpret_cast<const char*>(&search_);
  for (; start < end; start += kCacheLine) base::prefetch(start);
}

void PairQuery::set_stops(BodyId a, BodyId b, const std::vector<geometry::FeaturePair>& stops,
                          double restitution, std::int64_t name) {
  pair_ = {.a = a, .b = b};
  name_ = name;
  between_ = {.restitution = restitution, .friction = 0};
  features_ = stops;
}

geometry::Distance PairQuery::distance(const Scene& scene, const State& state) {
  const Pose X_WA = state[pair_.a].pose() * X_AS_;
  const Pose X_WB = state[pair_.b].pose() * X_BS_;
  return geometry::compute_contact_distance({*convex_a_, X_WA}, {*convex_b_, X_WB},
                                            scene.tolerances.gap, search_.hint);
}

double PairQuery::compute_gap(const Scene& scene, const State& state) {
  return find_nearest(scene, state).at.gap;
}

Contact PairQuery::find_nearest(const Scene& scene, const State& state) {
  if (!in_closed_form()) {
    const geometry::Distance apart = distance(scene, state);
    return near_contact(state, {0.5 * (apart.p_A + apart.p_B), apart.normal, apart.value}, 0);
  }
  geometry::ContactPoint nearest;
  nearest.gap = HUGE_VAL;
  for (const geometry::FeaturePair& feature : features_) {
    const auto point =
        geometry::contact_point(feature, state[pair_.a].pose(), state[pair_.b].pose());
    if (point.gap < nearest.gap) nearest = point;
  }
  return near_contact(state, nearest, 0);
}

void PairQuery::append_contacts(const Scene& scene, const State& state, ContactSet& out,
                                std::vector<ContactFeatures>* features) {
  if (!in_closed_form()) return append_region(scene, state, out, features);
  const BodyState& a = state[pair_.a];
  const BodyState& b = state[pair_.b];
  const geometry::PairKinematics now{a.pose(), b.pose(), a.twist(), b.twist(), {}, {}};
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const math::Sample gap = geometry::compute_gap(features_[f], now);
    if (gap.value > scene.tolerances.gap) continue;
    out.push_back({pair_.a, pair_.b, geometry::contact_point(features_[f], now.X_WA, now.X_WB),
                   gap.rate, gap.acceleration, between_.restitution, between_.friction,
                   feature_id(static_cast<std::int64_t>(f)), Vec3::Zero(),
                   between_.rolling_friction, between_.spinning_friction});
    if (features != nullptr) features->push_back({features_[f]});
  }
}

void PairQuery::append_region(const Scene& scene, const State& state, ContactSet& out,
                              std::vector<ContactFeatures>* features) {
  const BodyState& a = state[pair_.a];
  const BodyState& b = state[pair_.b];
  search_.hint = {};  // the last digits must not depend on what was asked before
  const geometry::Distance now_apart = distance(scene, state);
  if (now_apart.value > scene.tolerances.gap) return;
  const Pose X_WA = a.pose() * X_AS_, X_WB = b.pose() * X_BS_;
  geometry::find_contact_region({*convex_a_, X_WA}, {*convex_b_, X_WB}, now_apart,
                                scene.tolerances.gap, search_.region);
  const geometry::PairKinematics now{a.pose(), b.pose(), a.twist(), b.twist(), {}, {}};
  const geometry::PairKinematics swapped{b.pose(), a.pose(), b.twist(), a.twist(), {}, {}};
  for (const geometry::RegionPoint& point : search_.region) {
    const geometry::PairKinematics& k = point.swapped ? swapped : now;
    const geometry::FeaturePair pair = geometry::on_bodies(
        point.pair, point.swapped ? X_BS_ : X_AS_, point.swapped ? X_AS_ : X_BS_);
    const math::Sample gap = geometry::compute_gap(pair, k);
    geometry::ContactPoint contact = geometry::contact_point(pair, k.X_WA, k.X_WB);
    if (point.swapped) contact.normal = -contact.normal;
    out.push_back({pair_.a, pair_.b, contact, gap.rate, gap.acceleration, between_.restitution,
                   between_.friction, feature_id(point.id), Vec3::Zero(), between_.rolling_friction,
                   between_.spinning_friction});
    if (features != nullptr) features->push_back({pair, point.swapped});
  }
}

double PairQuery::separation_along(const Vec3& normal, const geometry::Placed& a,
                                   const geometry::Placed& b) const {
  return -geometry::compute_extent(a, -normal, search_.hint.feature_a) -
         geometry::compute_extent(b, normal, search_.hint.feature_b);
}

// Along the normal of the last distance.
bool PairQuery::is_beyond(double margin, const geometry::Placed& a,
                          const geometry::Placed& b) const {
  const Vec3& last = search_.hint.normal;
  if (last.isZero(0) || std::isinf(b.convex.radius)) return false;  // a plane has but one
  return separation_along(last, a, b) > margin;
}

Contact PairQuery::near_contact(const State& state, const geometry::ContactPoint& at,
                                std::int64_t feature) const {
  const BodyState& a = state[pair_.a];
  const BodyState& b = state[pair_.b];
  const Vec3 approach = a.twist().at(at.point - a.x) - b.twist().at(at.point - b.x);
  return {pair_.a,
          pair_.b,
          at,
          at.normal.dot(approach),
          0,
          between_.restitution,
          between_.friction,
          feature_id(feature),
          Vec3::Zero(),
          between_.rolling_friction,
          between_.spinning_friction};
}

void PairQuery::append_near(const State& state, const Soon& soon, NearContacts& out) {
  const Pose X_WA = state[pair_.a].pose(), X_WB = state[pair_.b].pose();
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const auto point = geometry::contact_point(features_[f], X_WA, X_WB);
    if (point.gap > soon.margin) continue;
    out.found.push_back(near_contact(state, point, static_cast<std::int64_t>(f)));
  }
  if (in_closed_form()) return;
  const Pose X_WSA = X_WA * X_AS_, X_WSB = X_WB * X_BS_;
  const Vec3 approach = soon.duration * (state[pair_.a].v - state[pair_.b].v);
  find_near_points({.margin = soon.margin, .approach = approach}, {*convex_a_, X_WSA},
                   {*convex_b_, X_WSB}, out.points);
  const std::size_t first = out.found.size();
  for (const geometry::NearPoint& point : out.points) {
    out.found.push_back(near_contact(state, point.at, point.id));
  }
  if (soon.touching > 0) append_touching(state, soon.touching, first, out.found);
}

// Those between the same features as a near point, found from `first` on, take its place.
void PairQuery::append_touching(const State& state, double touching, std::size_t first,
                                ContactSet& found) {
  const Pose X_WA = state[pair_.a].pose(), X_WB = state[pair_.b].pose();
  const geometry::Placed a{*convex_a_, X_WA * X_AS_}, b{*convex_b_, X_WB * X_BS_};
  search_.hint = {};
  const auto apart = geometry::compute_contact_distance(a, b, touching, search_.hint);
  if (apart.value > touching) return;
  geometry::find_contact_region(a, b, apart, touching, search_.region);
  for (const geometry::RegionPoint& point : search_.region) {
    const geometry::FeaturePair pair = geometry::on_bodies(
        point.pair, point.swapped ? X_BS_ : X_AS_, point.swapped ? X_AS_ : X_BS_);
    geometry::ContactPoint at = point.swapped ? geometry::contact_point(pair, X_WB, X_WA)
                                              : geometry::contact_point(pair, X_WA, X_WB);
    if (point.swapped) at.normal = -at.normal;
    const Contact contact = near_contact(state, at, point.id);
    const auto known = std::ranges::find(found.begin() + static_cast<std::ptrdiff_t>(first),
                                         found.end(), contact.feature, &Contact::feature);
    if (known != found.end())
      *known = contact;
    else
      found.push_back(contact);
  }
}

void PairQuery::follow_near(const State& state, const Soon& soon, std::span<Contact> at,
                            NearContacts& work) {
  work.found.clear();
  append_near(state, soon, work);
  if (at.size() == 1 && work.found.size() == 1) {
    at.front().at = work.found.front().at;
    return;
  }
  for (Contact& contact : at) {
    const auto again = std::ranges::find(work.found, contact.feature, &Contact::feature);
    if (again != work.found.end()) contact.at = again->at;
  }
}

void PairQuery::find_near_points(const geometry::NearQuery& query, const geometry::Placed& a,
                                 const geometry::Placed& b, std::vector<geometry::NearPoint>& out) {
  const bool boxes = std::holds_alternative<geometry::Box>(a.convex.shape) &&
                     std::holds_alternative<geometry::Box>(b.convex.shape);
  if (boxes && geometry::find_near_boxes(a, b, query, out)) return;
  out.clear();
  if (is_beyond(query.margin, a, b)) return;
  search_.hint = {};  // else the last digits would depend on what was asked before
  const auto apart = geometry::compute_contact_distance(a, b, query.margin, search_.hint);
  const bool turned = (apart.normal - search_.hint.normal).norm() > kSameDirection;
  geometry::find_near_region(a, b, apart, {.margin = query.margin, .must_face = turned}, out);
}

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
    const geometry::FeaturePair pair = geometry::on_bodies(
        point.pair, point.swapped ? X_BS_ : X_AS_, point.swapped ? X_AS_ : X_BS_);
    geometry::ContactPoint at = point.swapped ? geometry::contact_point(pair, now.b.X, now.a.X)
                                              : geometry::contact_point(pair, now.a.X, now.b.X);
    if (point.swapped) at.normal = -at.normal;
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
