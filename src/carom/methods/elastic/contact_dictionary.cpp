#include "carom/methods/elastic/contact_dictionary.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

constexpr std::int32_t kEnded = -2;  // in the place of a slot

}  // namespace

double time_to_fall(double gap, double rate, double bend) {
  const double square = rate * rate - 2 * bend * gap;
  if (gap <= 0 || square < 0 || (rate >= 0 && bend >= 0)) return HUGE_VAL;
  return 2 * gap / (std::sqrt(square) - rate);
}

void ContactDictionary::begin(std::span<const BodyId> cluster,
                              std::vector<ElasticContact> touches) {
  cluster_.assign(cluster.begin(), cluster.end());
  touches_.all = std::move(touches);
  find_near();
}

bool ContactDictionary::is_home(BodyId id) const {
  return std::binary_search(cluster_.begin(), cluster_.end(), id);
}

void ContactDictionary::find_near() {
  touches_.queries.clear();
  touching_.clear();
  apart_.clear();
  for (const ElasticContact& touch : touches_.all) {
    touching_.push_back(near_.find(touch));
    near_[touching_.back()].touches = true;
    touches_.queries.push_back(&near_.query(touching_.back()));
  }
  for (const BodyId id : cluster_) {
    for (const std::size_t k : near_.of(id)) {
      const BodyId other = near_[k].a == id ? near_[k].b : near_[k].a;
      if (!near_[k].touches && !(other < id && is_home(other))) apart_.push_back(k);
    }
  }
  std::sort(apart_.begin(), apart_.end());
}

double ContactDictionary::used() const {
  double used = 0;
  for (const BodyId id : cluster_) {
    const double travelled = bodies_.travelled(id, now_.t);
    used = std::max(used, near_.used(id, travelled));
  }
  return used;
}

// Within a step only the cluster's own bodies have come farther than is known.
double ContactDictionary::least_gap(const NearPairs::Near& pair) const {
  const auto travelled = [&](BodyId id) {
    return is_home(id) ? bodies_.travelled(id, now_[id]) : bodies_.travelled(id, now_.t);
  };
  return pair.clear - travelled(pair.a) - travelled(pair.b);
}

void ContactDictionary::place(const NearPairs::Near& pair) {
  for (const BodyId id : {pair.a, pair.b})
    if (!is_home(id)) now_[id] = bodies_.at(id, now_.t);
}

ContactDictionary::Crossings ContactDictionary::zero_crossings() {
  Crossings z{-1, HUGE_VAL};
  if (!touching_.empty()) z.contact = -HUGE_VAL;
  for (const std::size_t k : touching_)
    z.contact = std::max(z.contact, near_.find_nearest(k, now_).at.gap);
  for (const BodyId id : cluster_)
    z.apart = std::min(z.apart, near_.room(id, bodies_.travelled(id, now_[id])));
  for (const std::size_t k : apart_) {
    if (least_gap(near_[k]) + 2 * epsilon_ >= z.apart) continue;
    place(near_[k]);
    z.apart = std::min(z.apart, near_.find_nearest(k, now_).at.gap + 2 * epsilon_);
  }
  return z;
}

double ContactDictionary::farthest(BodyId id, double within) const {
  const BodyState& body = now_[id];
  const math::Twist& faster = bodies_.acceleration(id);
  return within * (body.v.norm() + 0.5 * within * faster.v.norm() +
                   bodies_.lever_bound(id) * (body.w.norm() + 0.5 * within * faster.w.norm()));
}

double ContactDictionary::time_to_begin(double within) {
  double soonest = within;
  for (const std::size_t k : apart_) {
    NearPairs::Near& pair = near_[k];
    place(pair);
    const double left =
        pair.clear - bodies_.travelled(pair.a, now_.t) - bodies_.travelled(pair.b, now_.t);
    if (left > farthest(pair.a, soonest) + farthest(pair.b, soonest)) continue;
    const contact::Contact near = near_.find_nearest(k, now_);
    if (std::isfinite(pair.clear)) pair.clear += near.at.gap - left;
    const double gap = near.at.gap + 1.5 * epsilon_;
    const double bend =
        near.at.normal.dot(bodies_.acceleration(near.a).v - bodies_.acceleration(near.b).v);
    soonest = std::min(soonest, time_to_fall(gap, near.approach_rate, bend));
  }
  return soonest < within ? soonest : HUGE_VAL;
}

void ContactDictionary::find_close(double within, std::vector<std::size_t>& out) const {
  out = touching_;
  for (const std::size_t k : apart_) {
    const NearPairs::Near& pair = near_[k];
    if (!near_.is_among(k, cluster_)) continue;
    if (least_gap(pair) <= farthest(pair.a, within) + farthest(pair.b, within)) out.push_back(k);
  }
}

void ContactDictionary::select(std::vector<Change>& changes) {
  bool ended = false;
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const contact::Contact at = near_.find_nearest(touching_[i], now_);
    if (at.at.gap < -epsilon_) continue;
    changes.push_back({at, false, touching_[i]});
    near_[touching_[i]].touches = false;
    touches_.all[i].slot = kEnded;
    ended = true;
  }
  for (const std::size_t k : apart_) {
    if (near_[k].touches || least_gap(near_[k]) >= -epsilon_) continue;
    place(near_[k]);
    const contact::Contact at = near_.find_nearest(k, now_);
    if (at.at.gap >= -epsilon_) continue;
    changes.push_back({at, true, k});
    near_[k].touches = true;
  }
  if (!ended) return;
  std::erase_if(touches_.all, [](const ElasticContact& touch) { return touch.slot == kEnded; });
  find_near();
}

}  // namespace carom::methods
