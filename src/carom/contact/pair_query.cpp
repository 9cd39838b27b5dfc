#include "carom/contact/pair_query.h"

#include <algorithm>
#include <cmath>

#include "carom/base/prefetch.h"
#include "carom/geometry/distance/surface_contact.h"

namespace carom::contact {

namespace {

const model::PlacedShape& shape_of(const Scene& scene, BodyId body, std::int32_t shape) {
  return scene.body(body).shapes[static_cast<std::size_t>(shape)];
}

// Of several triangles or shapes of two bodies no two use the same number, or hardly ever.
std::int64_t name_of(const ShapePair& pair, std::int64_t triangle) {
  const std::int64_t shapes = (std::int64_t{pair.shape_a} << 12) | pair.shape_b;
  return (shapes << 40) ^ ((triangle + 1) << 20);
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
    out.push_back(make_contact(geometry::contact_point(features_[f], now.X_WA, now.X_WB), gap,
                               static_cast<std::int64_t>(f)));
    if (features != nullptr) features->push_back({features_[f]});
  }
}

void PairQuery::append_region(const Scene& scene, const State& state, ContactSet& out,
                              std::vector<ContactFeatures>* features) {
  search_.hint = {};  // the last digits must not depend on what was asked before
  const geometry::Distance apart = distance(scene, state);
  if (apart.value > scene.tolerances.gap) return;
  const Pose X_WA = state[pair_.a].pose() * X_AS_, X_WB = state[pair_.b].pose() * X_BS_;
  geometry::find_contact_region({*convex_a_, X_WA}, {*convex_b_, X_WB}, apart, scene.tolerances.gap,
                                search_.region);
  for (const geometry::RegionPoint& point : search_.region) {
    const ContactFeatures on_bodies = features_of(point);
    Contact& contact = out.emplace_back(make_contact({}, {}, point.id));
    follow_features(on_bodies, state, contact);
    if (features != nullptr) features->push_back(on_bodies);
  }
}

ContactFeatures PairQuery::features_of(const geometry::RegionPoint& point) const {
  const Pose& X_first = point.swapped ? X_BS_ : X_AS_;
  const Pose& X_second = point.swapped ? X_AS_ : X_BS_;
  return {geometry::on_bodies(point.pair, X_first, X_second), point.swapped};
}

Contact PairQuery::make_contact(const geometry::ContactPoint& at, const math::Sample& gap,
                                std::int64_t feature) const {
  return {pair_.a,
          pair_.b,
          at,
          gap.rate,
          gap.acceleration,
          between_.restitution,
          between_.friction,
          feature_id(feature),
          Vec3::Zero(),
          between_.rolling_friction,
          between_.spinning_friction};
}

Contact PairQuery::near_contact(const State& state, const geometry::ContactPoint& at,
                                std::int64_t feature) const {
  const BodyState& a = state[pair_.a];
  const BodyState& b = state[pair_.b];
  const Vec3 approach = a.twist().at(at.point - a.x) - b.twist().at(at.point - b.x);
  return make_contact(at, {at.gap, at.normal.dot(approach), 0}, feature);
}

}  // namespace carom::contact
