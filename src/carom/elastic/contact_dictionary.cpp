#include "carom/elastic/contact_dictionary.h"

#include <algorithm>
#include <cmath>

namespace carom::elastic {

Touch ContactDictionary::touch_of(const contact::PairQuery& query) {
  return {query.pair().a, query.pair().b, query.name()};
}

ContactDictionary::ContactDictionary(const Scene& scene, contact::Pairs& pairs)
    : scene_(scene), pairs_(pairs) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    swings_.push_back(pairs.swing(id_of<BodyId>(i)));
}

// A plane that turns has no bounded swing: what may meet it is always measured.
void ContactDictionary::watch(const State& state, std::span<const double> reaches) {
  since_ = state;
  reaches_.assign(reaches.begin(), reaches.end());
  near_.clear();
  const std::size_t count = pairs_.begin_watch(state, reaches);
  for (std::size_t i = 0; i < count; ++i) {
    contact::PairQuery& query = query_of(i);
    // What a pair remembers may change last digits, and must not reach beyond a checkpoint.
    query.forget();
    const BodyId a = query.pair().a, b = query.pair().b;
    double gap = query.compute_gap(scene_, state);
    const bool turns = scene_.body(a).motion == model::Motion::Driven ||
                       scene_.body(b).motion == model::Motion::Driven;
    if (turns) gap = -HUGE_VAL;
    if (gap <= reaches[index(a)] + reaches[index(b)]) near_.push_back({i, a, b, gap});
  }
  sort_pairs();
}

// No point of a body has moved farther than its centre has, and than it turned.
void ContactDictionary::measure_ways(const State& state) {
  ways_.resize(state.bodies.size());
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const BodyState &now = state.bodies[i], &then = since_.bodies[i];
    const double cosine = std::min(1.0, std::abs(now.q.dot(then.q)));
    const double turned = swings_[i] > 0 ? 2 * std::sqrt(1 - cosine * cosine) : 0;
    ways_[i] = (now.x - then.x).norm() + swings_[i] * turned;
  }
}

double ContactDictionary::used(const State& state) {
  measure_ways(state);
  double used = 0;
  for (std::size_t i = 0; i < ways_.size(); ++i)
    if (ways_[i] > 0) used = std::max(used, ways_[i] / reaches_[i]);
  return used;
}

double ContactDictionary::least_gap(const Near& pair) const {
  return pair.gap - ways_[index(pair.a)] - ways_[index(pair.b)];
}

void ContactDictionary::sort_pairs() {
  numbers_.assign(touches_.size(), 0);
  apart_.clear();
  for (const Near& near : near_) {
    const Touch touch = touch_of(query_of(near.number));
    const auto at = std::lower_bound(touches_.begin(), touches_.end(), touch);
    if (at != touches_.end() && *at == touch) {
      numbers_[static_cast<std::size_t>(at - touches_.begin())] = near.number;
    } else {
      apart_.push_back(near);
    }
  }
}

void ContactDictionary::select(const State& state, std::vector<Change>& changes) {
  changes.clear();
  next_.clear();
  for (const Near& near : near_) {
    contact::PairQuery& query = query_of(near.number);
    const contact::Contact at = query.find_nearest(scene_, state);
    Touch touch = touch_of(query);
    const auto known = std::lower_bound(touches_.begin(), touches_.end(), touch);
    const bool was = known != touches_.end() && *known == touch;
    const bool is = at.at.gap < -epsilon_;
    if (was != is) changes.push_back({at, is});
    if (!is) continue;
    touch = was ? *known : touch;
    if (!was) touch.start_speed = touch.fastest = std::max(0.0, -at.approach_rate);
    next_.push_back(touch);
  }
  std::sort(next_.begin(), next_.end());
  std::swap(touches_, next_);
  sort_pairs();
}

ContactDictionary::Crossings ContactDictionary::cross(const State& state) {
  measure_ways(state);
  Crossings z{-1, HUGE_VAL};
  if (!touches_.empty()) z.contact = -HUGE_VAL;
  for (std::size_t i = 0; i < touches_.size(); ++i)
    z.contact = std::max(z.contact, query(i).compute_gap(scene_, state));
  for (std::size_t i = 0; i < ways_.size(); ++i)
    if (ways_[i] > 0) z.apart = std::min(z.apart, reaches_[i] - ways_[i]);
  for (const Near& pair : apart_) {
    if (least_gap(pair) + 2 * epsilon_ < z.apart)
      z.apart = std::min(z.apart, query_of(pair.number).compute_gap(scene_, state) + 2 * epsilon_);
  }
  return z;
}

double ContactDictionary::farthest(const State& state, std::span<const Twist> accelerations,
                                   BodyId id, double within) const {
  const BodyState& body = state[id];
  const Twist& faster = accelerations[index(id)];
  return within * (body.v.norm() + 0.5 * within * faster.v.norm() +
                   swing(id) * (body.w.norm() + 0.5 * within * faster.w.norm()));
}

double ContactDictionary::time_to_begin(const State& state, std::span<const Twist> accelerations,
                                        double within) {
  measure_ways(state);
  double soonest = within;
  for (const Near& pair : apart_) {
    if (least_gap(pair) > farthest(state, accelerations, pair.a, soonest) +
                              farthest(state, accelerations, pair.b, soonest))
      continue;
    const contact::Contact near = query_of(pair.number).find_nearest(scene_, state);
    const double gap = near.at.gap + 1.5 * epsilon_;
    const double bend =
        near.at.normal.dot(accelerations[index(near.a)].v - accelerations[index(near.b)].v);
    // gap + rate t + bend t²/2 = 0
    const double rate = near.approach_rate;
    const double square = rate * rate - 2 * bend * gap;
    if (gap <= 0 || square < 0 || (rate >= 0 && bend >= 0)) continue;
    soonest = std::min(soonest, 2 * gap / (std::sqrt(square) - rate));
  }
  return soonest < within ? soonest : HUGE_VAL;
}

}  // namespace carom::elastic
