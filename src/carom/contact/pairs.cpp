#include "carom/contact/pairs.h"

#include <algorithm>
#include <tuple>

#include "carom/geometry/swept_box.h"

namespace carom::contact {

namespace {

constexpr std::size_t kPairsPerThread = 64;  // fewer are not worth waking a thread for

}  // namespace

Pairs::Pairs(const Scene& scene, base::Workers& workers) : scene_(scene), workers_(workers) {
  for (const model::Joint& joint : scene.joints) {
    if (!joint.collide)
      joined_.emplace_back(std::min(joint.a, joint.b), std::max(joint.a, joint.b));
  }
  std::sort(joined_.begin(), joined_.end());
  collect_colliders();
  add_pairs_with_planes();
  still_.motions.resize(scene.bodies.size());
}

void Pairs::collect_colliders() {
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    for (std::size_t s = 0; s < scene_.bodies[b].shapes.size(); ++s) {
      const model::PlacedShape& placed = scene_.bodies[b].shapes[s];
      if (!placed.collide) continue;
      const bool is_plane = std::holds_alternative<geometry::Plane>(placed.shape);
      (is_plane ? planes_ : bounded_)
          .push_back({id_of<BodyId>(b), static_cast<std::int32_t>(s),
                      geometry::make_convex(placed.shape),
                      placed.X_BS.p.norm() + geometry::bounding_radius(placed.shape)});
    }
  }
}

void Pairs::add_pairs_with_planes() {
  for (const Collider& plane : planes_) {
    for (const Collider& other : bounded_) add_query(other, plane);
  }
  with_planes_ = active_;
}

bool Pairs::may_collide(BodyId a, BodyId b) const {
  if (a == b) return false;
  if (!scene_.body(a).is_dynamic() && !scene_.body(b).is_dynamic()) return false;
  return !std::binary_search(joined_.begin(), joined_.end(),
                             std::pair(std::min(a, b), std::max(a, b)));
}

bool Pairs::add_query(const Collider& a, const Collider& b) {
  if (!may_collide(a.body, b.body)) return false;
  const auto shape_of = [&](const Collider& collider) -> const geometry::Shape& {
    return scene_.body(collider.body).shapes[static_cast<std::size_t>(collider.shape)].shape;
  };
  const auto method = geometry::pair_method(shape_of(a), shape_of(b));
  const Collider& first = method.swapped ? b : a;
  const Collider& second = method.swapped ? a : b;
  if (active_ == queries_.size()) queries_.emplace_back();
  queries_[active_++].set(scene_,
                          {first.body, second.body, first.shape, second.shape, method.routine},
                          first.convex, second.convex);
  return true;
}

void Pairs::remember_hints() {
  hints_.clear();
  for (std::size_t i = 0; i < near_.size(); ++i) {
    hints_.push_back({near_[i], queries_[with_planes_ + i].hint()});
  }
  next_hint_ = 0;
}

// Asked in ascending order.
geometry::DistanceHint Pairs::recall_hint(std::pair<std::int32_t, std::int32_t> pair) {
  while (next_hint_ < hints_.size() && hints_[next_hint_].pair < pair) ++next_hint_;
  if (next_hint_ == hints_.size() || hints_[next_hint_].pair != pair) return {};
  return hints_[next_hint_].hint;
}

void Pairs::collect(const Flight& flight) {
  boxes_.clear();
  for (const Collider& collider : bounded_) {
    boxes_.push_back(geometry::swept_box(flight.motions[index(collider.body)],
                                         collider.reach + scene_.tolerances.gap, flight.duration));
  }
  remember_hints();
  near_.clear();
  active_ = with_planes_;
  for (const auto& pair : broad_phase_.find_overlaps(boxes_)) {
    const auto& [i, j] = pair;
    if (!add_query(bounded_[static_cast<std::size_t>(i)], bounded_[static_cast<std::size_t>(j)]))
      continue;
    near_.push_back(pair);
    queries_[active_ - 1].hint() = recall_hint(pair);
  }
}

void Pairs::collect(const State& state) {
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState& body = state.bodies[i];
    still_.motions[i] = {body.x, Vec3::Zero(), Vec3::Zero(),
                         math::SteadySpin{body.q, Vec3::Zero()}};
  }
  collect(still_);
}

void Pairs::find_contacts(const State& state, ContactSet& out) {
  collect(state);
  out.clear();
  for (std::size_t i = 0; i < active_; ++i) queries_[i].append_contacts(scene_, state, out);
}

SearchResult Pairs::times_of_contact(const Flight& flight, std::vector<ContactTime>& out) {
  collect(flight);
  auto one = [&](std::size_t i) { queries_[i].search(scene_, flight); };
  workers_.for_each(active_, kPairsPerThread, one);
  out.clear();
  for (std::size_t i = 0; i < active_; ++i) {
    const PairQuery& query = queries_[i];
    if (query.capped()) return {SearchStatus::IterationCap, query.pair()};
    out.insert(out.end(), query.times().begin(), query.times().end());
  }
  std::sort(out.begin(), out.end(), [](const ContactTime& x, const ContactTime& y) {
    return std::tuple(x.s, x.a, x.b, x.feature) < std::tuple(y.s, y.a, y.b, y.feature);
  });
  return {};
}

Pairs::Overlap Pairs::find_deepest_overlap(const State& state) {
  collect(state);
  Overlap deepest;
  for (std::size_t i = 0; i < active_; ++i) {
    const double depth = -queries_[i].compute_gap(state);
    const ShapePair& pair = queries_[i].pair();
    if (depth > deepest.depth) deepest = {depth, pair.a, pair.b};
  }
  return deepest;
}

}  // namespace carom::contact
