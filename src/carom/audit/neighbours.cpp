#include "carom/audit/neighbours.h"

#include <algorithm>
#include <cmath>

namespace carom::audit {

void Neighbours::begin(const Scene& scene, std::vector<double> radius) {
  radius_ = std::move(radius);
  const int n = static_cast<int>(radius_.size());
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    dynamic_.push_back(scene.bodies[i].is_dynamic() ? 1 : 0);
    if (radius_[i] == 0) continue;
    (std::isinf(radius_[i]) ? unbounded_ : bounded_).push_back(i);
    if (!std::isinf(radius_[i])) sum += radius_[i];
  }
  skin_ = bounded_.empty() ? 0 : 0.25 * sum / static_cast<double>(bounded_.size());
  for (const model::Joint& joint : scene.joints) {
    const int a = static_cast<int>(joint.a), b = static_cast<int>(joint.b);
    if (!joint.collide) excluded_.push_back(std::minmax(a, b));
  }
  std::sort(excluded_.begin(), excluded_.end());
}

std::span<const BodyPair> Neighbours::find(const State& state, std::span<const double> path) {
  if (is_stale(state, path)) rebuild(state, path);
  return pairs_;
}

bool Neighbours::may_collide(int i, int j) const {
  if (!dynamic_[i] && !dynamic_[j]) return false;
  return !std::binary_search(excluded_.begin(), excluded_.end(), BodyPair(std::minmax(i, j)));
}

bool Neighbours::is_stale(const State& state, std::span<const double> path) const {
  if (center_.empty()) return true;
  for (const int i : bounded_) {
    const double moved = (state.bodies[i].x - center_[i]).norm();
    if (!(moved + path[i] <= room_[i])) return true;
  }
  return false;
}

void Neighbours::rebuild(const State& state, std::span<const double> path) {
  center_.resize(radius_.size());
  room_.resize(radius_.size());
  for (const int i : bounded_) {
    center_[i] = state.bodies[i].x;
    room_[i] = skin_ + 2 * path[i];
  }
  pairs_.clear();
  for (const int i : unbounded_) {
    for (const int j : bounded_) {
      if (may_collide(i, j)) pairs_.push_back(std::minmax(i, j));
    }
  }
  pair_up();
  std::sort(pairs_.begin(), pairs_.end());
}

void Neighbours::pair_up() {
  balls_.clear();
  for (const int i : bounded_) balls_.push_back({center_[i], radius_[i] + room_[i], i});
  found_.clear();
  tree_.find_overlaps(balls_, found_);
  for (const BodyPair& pair : found_)
    if (may_collide(pair.first, pair.second)) pairs_.push_back(pair);
}

}  // namespace carom::audit
