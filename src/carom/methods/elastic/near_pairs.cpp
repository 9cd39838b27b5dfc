#include "carom/methods/elastic/near_pairs.h"

#include <cmath>

#include "carom/base/check.h"

namespace carom::methods {

// The lever of a plane that turns has no bound: what may meet it is always measured.
void NearPairs::watch(const State& state, std::span<const double> reaches,
                      const BodyTracks& bodies) {
  reaches_.assign(reaches.begin(), reaches.end());
  ends_.resize(reaches.size());
  for (std::size_t i = 0; i < reaches.size(); ++i)
    ends_[i] = bodies.travelled(id_of<BodyId>(i), state.t) + reaches[i];
  all_.clear();
  grown_ = reaches_;
  if (gauge_.portals)
    for (double& reach : grown_) reach += gauge_.smoothing;
  const std::size_t count = pairs_.begin_watch(state, grown_);
  for (std::size_t i = 0; i < count; ++i) {
    contact::PairQuery& query = *pairs_.meeting(i).query;
    // What a pair remembers may change last digits, and must not reach beyond a checkpoint.
    query.forget();
    const BodyId a = query.pair().a, b = query.pair().b;
    const double gap = query.compute_gap(scene_, state) - extension_of(gauge_, query);
    const bool turns = scene_.body(a).motion == model::Motion::Driven ||
                       scene_.body(b).motion == model::Motion::Driven;
    if (!turns && gap > reaches[index(a)] + reaches[index(b)]) continue;
    const double so_far = bodies.travelled(a, state.t) + bodies.travelled(b, state.t);
    all_.push_back({a, b, i, turns ? -HUGE_VAL : so_far + gap});
  }
  list_by_bodies();
}

void NearPairs::list_by_bodies() {
  first_.assign(ends_.size() + 1, 0);
  const auto visit = [&](auto take) {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      take(index(all_[k].a), k);
      take(index(all_[k].b), k);
    }
  };
  visit([&](std::size_t i, std::size_t) { ++first_[i + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  next_ = first_;
  of_.resize(2 * all_.size());
  visit([&](std::size_t i, std::size_t k) { of_[next_[i]++] = k; });
}

std::size_t NearPairs::find(const ElasticContact& touch) {
  for (const std::size_t k : of(scene_.body(touch.a).is_dynamic() ? touch.a : touch.b))
    if (all_[k].a == touch.a && all_[k].b == touch.b && query(k).name() == touch.name) return k;
  base::check(false, "what touches is within reach");
  return 0;
}

}  // namespace carom::methods
