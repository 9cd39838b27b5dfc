// Pairs of bodies that keep their own clocks: boxes swept over a frame, moved where a body takes
// another way (Mirtich & Canny, §3.2).
#include <algorithm>

#include "carom/contact/pairs.h"
#include "carom/geometry/swept_box.h"

namespace carom::contact {

std::size_t Pairs::begin_frame(const Flight& flight) {
  collect(flight);
  for (auto& list : near_of_) list.clear();
  for (std::size_t k = 0; k < near_.size(); ++k) list_near(k);
  // What a pair remembers may change last digits, and must not reach beyond a checkpoint.
  for (std::size_t i = 0; i < plane_pairs_.size(); ++i) queries_[i].forget();
  for (const NearPair& near : near_) queries_[near.query].forget();
  return plane_pairs_.size() + near_.size();
}

void Pairs::list_near(std::size_t number) {
  const auto& who = near_[number].who;
  near_of_[static_cast<std::size_t>(who[0])].push_back(number);
  near_of_[static_cast<std::size_t>(who[1])].push_back(number);
}

PairQuery& Pairs::meeting(std::size_t number) {
  const std::size_t planes = plane_pairs_.size();
  return queries_[number < planes ? number : near_[number - planes].query];
}

bool Pairs::is_listed(const std::array<std::int32_t, 3>& who) const {
  const auto& list = near_of_[static_cast<std::size_t>(who[0])];
  return std::any_of(list.begin(), list.end(), [&](std::size_t k) { return near_[k].who == who; });
}

void Pairs::reroute(BodyId body, const RigidMotion& motion, double left,
                    std::vector<std::size_t>& out) {
  for (std::size_t i = first_bounded_[index(body)]; i < first_bounded_[index(body) + 1]; ++i) {
    const geometry::Box3 box =
        geometry::swept_box(motion, bounded_[i].reach + scene_.tolerances.gap, left);
    if (boxes_[i].contains(box)) continue;
    boxes_[i] = {boxes_[i].low.cwiseMin(box.low), boxes_[i].high.cwiseMax(box.high)};
    const auto own = static_cast<std::int32_t>(i);
    broad_phase_.move(own, boxes_[i]);
    broad_phase_.overlaps_with(own, partners_);
    const auto add = [&](const Piece& a, const Piece& b, const std::array<std::int32_t, 3>& who) {
      const std::size_t number = near_.size();
      if (!is_listed(who)) append_near(a, b, who);
      if (near_.size() == number) return;
      list_near(number);
      out.push_back(plane_pairs_.size() + number);
    };
    for (const std::int32_t other : partners_)
      visit_pieces(std::min(own, other), std::max(own, other), add);
  }
}

}  // namespace carom::contact
