#include "carom/contact/pairs.h"

#include <algorithm>
#include <tuple>

namespace carom::contact {

namespace {

using geometry::PairRoutine;

constexpr std::size_t kPairsPerThread = 64;  // fewer are not worth waking a thread for

// How close to the level a root search goes, as a part of the gap tolerance.
constexpr double kRootResolution = 1e-2;

constexpr int kMaxGrazes = 1000;  // touches without impact of one feature pair in one flight

// The box around a ball that moves with a parabola, apex included (Mirtich & Canny, §3.2).
geometry::Box3 swept_box(const RigidMotion& motion, double reach, double duration) {
  const Vec3 end = position_at(motion, duration);
  geometry::Box3 box{motion.x0.cwiseMin(end), motion.x0.cwiseMax(end)};
  for (int axis = 0; axis < 3; ++axis) {
    if (motion.a[axis] == 0) continue;
    const double apex = -motion.v0[axis] / motion.a[axis];
    if (!(apex > 0 && apex < duration)) continue;
    const double x = position_at(motion, apex)[axis];
    box.low[axis] = std::min(box.low[axis], x);
    box.high[axis] = std::max(box.high[axis], x);
  }
  box.low.array() -= reach;
  box.high.array() += reach;
  return box;
}

std::int64_t feature_id(const ShapePair& pair, std::size_t feature) {
  return (((static_cast<std::int64_t>(pair.shape_a) << 16) | pair.shape_b) << 24) |
         static_cast<std::int64_t>(feature);
}

const model::PlacedShape& shape_of(const Scene& scene, BodyId body, std::int32_t shape) {
  return scene.body(body).shapes[static_cast<std::size_t>(shape)];
}

}  // namespace

Pairs::Pairs(const Scene& scene, base::Workers& workers) : scene_(scene), workers_(workers) {
  for (const model::Joint& joint : scene.joints) {
    if (!joint.collide)
      joined_.emplace_back(std::min(joint.a, joint.b), std::max(joint.a, joint.b));
  }
  std::sort(joined_.begin(), joined_.end());
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    for (std::size_t s = 0; s < scene.bodies[b].shapes.size(); ++s) {
      const model::PlacedShape& placed = scene.bodies[b].shapes[s];
      if (!placed.collide || std::holds_alternative<geometry::Plane>(placed.shape)) continue;
      bounded_.push_back({id_of<BodyId>(b), static_cast<std::int32_t>(s),
                          placed.X_BS.p.norm() + geometry::bounding_radius(placed.shape)});
    }
  }
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    for (std::size_t s = 0; s < scene.bodies[b].shapes.size(); ++s) {
      const model::PlacedShape& plane = scene.bodies[b].shapes[s];
      if (!plane.collide || !std::holds_alternative<geometry::Plane>(plane.shape)) continue;
      for (const Collider& other : bounded_) {
        const BodyId body = id_of<BodyId>(b);
        if (!may_collide(other.body, body)) continue;
        const auto method =
            geometry::pair_method(shape_of(scene, other.body, other.shape).shape, plane.shape);
        add_query({other.body, body, other.shape, static_cast<std::int32_t>(s), method.routine},
                  false);
      }
    }
  }
  with_planes_ = active_;
  still_.motions.resize(scene.bodies.size());
}

bool Pairs::may_collide(BodyId a, BodyId b) const {
  if (a == b) return false;
  if (!scene_.body(a).is_dynamic() && !scene_.body(b).is_dynamic()) return false;
  return !std::binary_search(joined_.begin(), joined_.end(),
                             std::pair(std::min(a, b), std::max(a, b)));
}

void Pairs::add_query(ShapePair pair, bool swapped) {
  if (swapped) {
    std::swap(pair.a, pair.b);
    std::swap(pair.shape_a, pair.shape_b);
  }
  if (active_ == queries_.size()) queries_.emplace_back();
  Query& query = queries_[active_++];
  query.pair = pair;
  query.features.clear();
  const model::PlacedShape& a = shape_of(scene_, pair.a, pair.shape_a);
  const model::PlacedShape& b = shape_of(scene_, pair.b, pair.shape_b);
  geometry::append_feature_pairs(pair.routine, {a.shape, a.X_BS}, {b.shape, b.X_BS},
                                 query.features);
}

void Pairs::collect(const Flight& flight) {
  boxes_.clear();
  for (const Collider& collider : bounded_) {
    boxes_.push_back(swept_box(flight.motions[index(collider.body)],
                               collider.reach + scene_.tolerances.gap, flight.duration));
  }
  active_ = with_planes_;
  for (const auto& [i, j] : broad_phase_.find_overlaps(boxes_)) {
    const Collider& a = bounded_[static_cast<std::size_t>(i)];
    const Collider& b = bounded_[static_cast<std::size_t>(j)];
    if (!may_collide(a.body, b.body)) continue;
    const auto method = geometry::pair_method(shape_of(scene_, a.body, a.shape).shape,
                                              shape_of(scene_, b.body, b.shape).shape);
    add_query({a.body, b.body, a.shape, b.shape, method.routine}, method.swapped);
  }
}

void Pairs::find_contacts(const State& state, ContactSet& out) {
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState& body = state.bodies[i];
    still_.motions[i] = {body.x, Vec3::Zero(), Vec3::Zero(),
                         math::SteadySpin{body.q, Vec3::Zero()}};
  }
  collect(still_);
  out.clear();
  for (std::size_t i = 0; i < active_; ++i) append_contacts(queries_[i], state, out);
}

void Pairs::append_contacts(const Query& query, const State& state, ContactSet& out) const {
  const BodyState& a = state[query.pair.a];
  const BodyState& b = state[query.pair.b];
  const geometry::PairKinematics now{a.pose(), b.pose(), a.twist(), b.twist(), {}, {}};
  const auto material_a = shape_of(scene_, query.pair.a, query.pair.shape_a).material;
  const auto material_b = shape_of(scene_, query.pair.b, query.pair.shape_b).material;
  const model::PairProperties& between = scene_.pairs(material_a, material_b);
  for (std::size_t f = 0; f < query.features.size(); ++f) {
    const math::Sample gap = geometry::compute_gap(query.features[f], now);
    if (gap.value > scene_.tolerances.gap) continue;
    out.push_back({query.pair.a, query.pair.b,
                   geometry::contact_point(query.features[f], now.X_WA, now.X_WB), gap.rate,
                   gap.acceleration, between.restitution, between.friction,
                   feature_id(query.pair, f)});
  }
}

SearchResult Pairs::times_of_contact(const Flight& flight, std::vector<ContactTime>& out) {
  collect(flight);
  auto one = [&](std::size_t i) { search(queries_[i], flight); };
  workers_.for_each(active_, kPairsPerThread, one);
  out.clear();
  for (std::size_t i = 0; i < active_; ++i) {
    const Query& query = queries_[i];
    if (query.pair.routine == PairRoutine::Unsupported) {
      return {SearchStatus::UnsupportedPair, query.pair};
    }
    if (query.capped) return {SearchStatus::IterationCap, query.pair};
    out.insert(out.end(), query.times.begin(), query.times.end());
  }
  std::sort(out.begin(), out.end(), [](const ContactTime& x, const ContactTime& y) {
    return std::tuple(x.s, x.a, x.b, x.feature) < std::tuple(y.s, y.a, y.b, y.feature);
  });
  return {};
}

void Pairs::search(Query& query, const Flight& flight) const {
  query.times.clear();
  query.capped = false;
  for (std::size_t f = 0; f < query.features.size(); ++f) search_feature(query, f, flight);
}

// Where the search begins: a contact that touches and leaves is next seen when it is back where it
// was; one that rests, only when it sinks below the tolerance.
double Pairs::starting_level(const math::Sample& start) const {
  const base::Tolerances& tolerances = scene_.tolerances;
  if (start.value > tolerances.gap) return 0;
  const double here = std::min(start.value, 0.0);
  return start.rate > tolerances.velocity ? here : here - tolerances.gap;
}

void Pairs::search_feature(Query& query, std::size_t feature, const Flight& flight) const {
  const base::Tolerances& tolerances = scene_.tolerances;
  const RigidMotion& a = flight.motions[index(query.pair.a)];
  const RigidMotion& b = flight.motions[index(query.pair.b)];
  const geometry::FeaturePair& pair = query.features[feature];
  const auto gap = [&](double s) {
    return geometry::compute_gap(pair, geometry::kinematics_at(pair, a, b, s));
  };
  const auto report = [&](double s, double rate) {
    query.times.push_back({s, query.pair.a, query.pair.b, feature_id(query.pair, feature), rate});
  };
  const math::Sample start = gap(0);
  if (start.value <= tolerances.gap && start.rate < -tolerances.velocity) {
    return report(0, start.rate);
  }
  const geometry::GapBounds bounds = geometry::bound_gap(pair, a, b, flight.duration);
  math::DescentQuery descent{.end = flight.duration,
                             .level = starting_level(start),
                             .curvature = bounds.curvature,
                             .jerk = bounds.jerk,
                             .resolution = kRootResolution * tolerances.gap};
  for (int grazes = 0; grazes < kMaxGrazes; ++grazes) {
    const math::Descent found = math::find_first_descent(gap, descent);
    query.capped |= found.status == math::DescentStatus::IterationCap;
    if (found.status != math::DescentStatus::Found) return;
    report(found.s, found.at.rate);
    if (found.at.rate < -tolerances.velocity) return;
    descent.start = found.s;  // it only grazes: watch it as a resting contact from here
    descent.level = std::min(descent.level, found.at.value) - tolerances.gap;
  }
  query.capped = true;
}

Pairs::Overlap Pairs::find_deepest_overlap(const State& state) {
  ContactSet touching;
  find_contacts(state, touching);
  Overlap deepest;
  for (const Contact& contact : touching) {
    if (-contact.at.gap > deepest.depth) deepest = {-contact.at.gap, contact.a, contact.b};
  }
  return deepest;
}

}  // namespace carom::contact
