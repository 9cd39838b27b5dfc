#include "carom/geometry/broad_phase/broad_phase.h"

#include <algorithm>

#include "carom/base/prefetch.h"

namespace carom::geometry {

namespace {

constexpr double kSkin = 0.25;  // on each side, as a part of the box's extent in that direction

constexpr std::size_t kAhead = 16;  // boxes asked for before they are read

constexpr std::size_t kManyOf = 32;  // one of so many is many

// A box that was large for a moment keeps a large skin until the next rebuild.
constexpr int kCallsBetweenRebuilds = 64;

Box3 grown(const Box3& box) {
  Box3 result = box;
  for (int axis = 0; axis < 3; ++axis) {
    const double skin = kSkin * (box.high[axis] - box.low[axis]);
    result.low[axis] -= skin;
    result.high[axis] += skin;
  }
  return result;
}

BroadPhase::Pair ordered(std::int32_t i, std::int32_t j) { return std::minmax(i, j); }

}  // namespace

std::span<const BroadPhase::Pair> BroadPhase::find_overlaps(std::span<const Box3> boxes) {
  const bool same_count = boxes.size() == boxes_.size();
  if (same_count) copy_and_find_leavers(boxes);
  if (!same_count || ++calls_since_rebuild_ >= kCallsBetweenRebuilds ||
      leavers_.size() > boxes.size() / kManyOf) {
    boxes_.assign(boxes.begin(), boxes.end());
    rebuild();
  } else {
    for (const std::int32_t i : leavers_) move(i, boxes[static_cast<std::size_t>(i)]);
    if (!stale_list_.empty()) look_up_stale();
  }
  select_overlaps();
  return overlaps_;
}

void BroadPhase::select_overlaps() {
  overlaps_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Pair ahead = candidates_[std::min(i + kAhead, candidates_.size() - 1)];
    base::prefetch(&boxes_[static_cast<std::size_t>(ahead.second)]);
    const auto [a, b] = candidates_[i];
    if (boxes_[static_cast<std::size_t>(a)].overlaps(boxes_[static_cast<std::size_t>(b)])) {
      overlaps_.emplace_back(a, b);
    }
  }
}

void BroadPhase::copy_and_find_leavers(std::span<const Box3> boxes) {
  leavers_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    boxes_[i] = boxes[i];
    if (!grown_[i].contains(boxes[i])) leavers_.push_back(static_cast<std::int32_t>(i));
  }
}

void BroadPhase::move(std::int32_t i, const Box3& box) {
  const auto k = static_cast<std::size_t>(i);
  boxes_[k] = box;
  if (grown_[k].contains(box)) return;
  grown_[k] = grown(box);
  grid_.relocate(i, grown_[k]);
  if (is_stale(i)) return;
  stale_[k] = 1;
  stale_list_.push_back(i);
}

void BroadPhase::overlaps_with(std::int32_t i, std::vector<std::int32_t>& out) const {
  const Box3& box = boxes_[static_cast<std::size_t>(i)];
  out.clear();
  grid_.visit_overlaps(box, [&](std::int32_t j) {
    if (j != i && boxes_[static_cast<std::size_t>(j)].overlaps(box)) out.push_back(j);
  });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void BroadPhase::rebuild() {
  calls_since_rebuild_ = 0;
  stale_list_.clear();
  stale_.assign(boxes_.size(), 0);
  grown_.resize(boxes_.size());
  std::transform(boxes_.begin(), boxes_.end(), grown_.begin(), grown);
  grid_.build(grown_);
  candidates_.clear();
  grid_.visit_pairs([&](std::int32_t i, std::int32_t j) { candidates_.push_back(ordered(i, j)); });
  sort_candidates();
}

// By counting the pairs of each first box; the few of one box are then sorted among themselves.
void BroadPhase::sort_candidates() {
  starts_.assign(boxes_.size() + 1, 0);
  for (const Pair& pair : candidates_) ++starts_[static_cast<std::size_t>(pair.first) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  scratch_.resize(candidates_.size());
  for (const Pair& pair : candidates_) {
    scratch_[static_cast<std::size_t>(starts_[static_cast<std::size_t>(pair.first)]++)] = pair;
  }
  auto begin = scratch_.begin();
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const auto end = scratch_.begin() + starts_[i];  // where the next one's began
    std::sort(begin, end);
    begin = end;
  }
  scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
  std::swap(candidates_, scratch_);
}

void BroadPhase::look_up_stale() {
  fresh_.clear();
  for (const std::int32_t i : stale_list_) {
    grid_.visit_overlaps(grown_[static_cast<std::size_t>(i)], [&](std::int32_t j) {
      if (j != i && !(is_stale(j) && j < i)) fresh_.push_back(ordered(i, j));
    });
  }
  std::sort(fresh_.begin(), fresh_.end());
  fresh_.erase(std::unique(fresh_.begin(), fresh_.end()), fresh_.end());
  std::erase_if(candidates_,
                [&](const Pair& pair) { return is_stale(pair.first) || is_stale(pair.second); });
  scratch_.resize(candidates_.size() + fresh_.size());
  std::merge(candidates_.begin(), candidates_.end(), fresh_.begin(), fresh_.end(),
             scratch_.begin());
  std::swap(candidates_, scratch_);
  for (const std::int32_t i : stale_list_) stale_[static_cast<std::size_t>(i)] = 0;
  stale_list_.clear();
}

}  // namespace carom::geometry
