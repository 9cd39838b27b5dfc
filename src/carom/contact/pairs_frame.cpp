// Pairs of bodies that keep their own clocks: boxes swept over a frame, moved where a body takes
// another way (Mirtich & Canny, §3.2).
#include <algorithm>

#include "carom/contact/pairs.h"

namespace carom::contact {

std::size_t Pairs::begin_frame(const Flight& flight) {
  collect(flight);
  return plane_pairs_.size() + near_.size();
}

std::size_t Pairs::begin_watch(const State& state, std::span<const double> reaches) {
  list_pairs_with_planes();
  boxes_.clear();
  for (std::size_t i = 0; i < bounded_.size(); ++i) {
    const Collider& collider = bounded_[i];
    const double reach = reaches[index(collider.body())];
    const geometry::Box3 now = box_around(collider, state);
    boxes_.push_back({now.low - Vec3::Constant(reach), now.high + Vec3::Constant(reach)});
    if (collider.surface)
      mesh_places_[i] = {state[collider.body()].pose() * placed(collider).X_BS, reach};
  }
  pair_up();
  return plane_pairs_.size() + near_.size();
}

double Pairs::lever_bound(BodyId body) const {
  double lever_bound = 0;
  for (std::size_t i = first_bounded_[index(body)]; i < first_bounded_[index(body) + 1]; ++i)
    lever_bound = std::max(lever_bound, bounded_[i].carried.lever_bound);
  return lever_bound;
}

Pairs::Meeting Pairs::meeting(std::size_t number) {
  const std::size_t planes = plane_pairs_.size();
  if (number < planes) return {{}, &queries_[number]};
  const NearPair& near = near_[number - planes];
  return {near.who, &queries_[near.query]};
}

std::pair<BodyId, BodyId> Pairs::bodies_of(const Pieces& who) const {
  return {bounded(who.i).body(), bounded(who.j).body()};
}

void Pairs::move_box(std::size_t collider, const geometry::Box3& box) {
  boxes_[collider] = box;
  broad_phase_.move(static_cast<std::int32_t>(collider), box);
}

// Only the thread that treats a body's events moves its boxes, and may read them at any time.
void Pairs::reroute(BodyId body, const RigidMotion& motion, double left, std::vector<Pieces>& out) {
  for (std::size_t i = first_bounded_[index(body)]; i < first_bounded_[index(body) + 1]; ++i) {
    const geometry::Box3 box = swept(bounded_[i], motion, left);
    const geometry::Box3& past = boxes_[i];
    if (past.contains(box)) continue;
    const std::lock_guard lock(moving_);
    move_box(i, {past.low.cwiseMin(box.low), past.high.cwiseMax(box.high)});
    const auto own = static_cast<std::int32_t>(i);
    broad_phase_.overlaps_with(own, partners_);
    for (const std::int32_t other : partners_) {
      if (!may_touch(bounded_[i], bounded(other))) continue;
      visit_pieces(std::min(own, other), std::max(own, other),
                   [&](const Pieces& who) { out.push_back(who); });
    }
  }
}

void Pairs::set_back(BodyId body, const Flight& flight) {
  for (std::size_t i = first_bounded_[index(body)]; i < first_bounded_[index(body) + 1]; ++i) {
    move_box(i, swept(bounded_[i], flight.motions[index(body)], flight.duration));
  }
}

}  // namespace carom::contact
