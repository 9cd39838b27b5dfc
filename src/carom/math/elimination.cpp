#include "carom/math/elimination.h"

#include <algorithm>
#include <iterator>

namespace carom::math {

bool Elimination::set(std::size_t size, std::vector<Couple>& couples) {
  std::erase_if(couples, [](const Couple& couple) { return couple.first == couple.second; });
  for (auto& [a, b] : couples)
    if (b < a) std::swap(a, b);
  std::sort(couples.begin(), couples.end());
  couples.erase(std::unique(couples.begin(), couples.end()), couples.end());
  if (couples == couples_ && position_.size() == size) return false;
  couples_ = couples;
  position_.resize(size);
  order_by_degree();
  place_columns();
  return true;
}

void Elimination::order_by_degree() {
  if (neighbours_.size() < position_.size()) neighbours_.resize(position_.size());
  for (auto& each : neighbours_) each.clear();
  for (const auto& [a, b] : couples_) {
    neighbours_[at(a)].push_back(b);
    neighbours_[at(b)].push_back(a);
  }
  std::fill(position_.begin(), position_.end(), -1);
  order_.clear();
  while (order_.size() < position_.size()) {
    const std::int32_t next = find_least_degree();
    position_[at(next)] = static_cast<std::int32_t>(order_.size());
    order_.push_back(next);
    eliminate(next);
  }
}

std::int32_t Elimination::find_least_degree() const {
  std::int32_t least = -1;
  for (std::int32_t s = 0; s < static_cast<std::int32_t>(position_.size()); ++s) {
    if (position_[at(s)] >= 0) continue;
    if (least < 0 || neighbours_[at(s)].size() < neighbours_[at(least)].size()) least = s;
  }
  return least;
}

// Its neighbours become neighbours of one another, and forget it.
void Elimination::eliminate(std::int32_t stretch) {
  const std::vector<std::int32_t>& clique = neighbours_[at(stretch)];
  for (const std::int32_t other : clique) {
    std::vector<std::int32_t>& of_other = neighbours_[at(other)];
    merged_.clear();
    std::set_union(of_other.begin(), of_other.end(), clique.begin(), clique.end(),
                   std::back_inserter(merged_));
    std::erase_if(merged_, [&](std::int32_t s) { return s == stretch || s == other; });
    of_other.assign(merged_.begin(), merged_.end());
  }
}

void Elimination::place_columns() {
  first_below_.assign(1, 0);
  row_.clear();
  for (const std::int32_t s : order_) {
    const auto begin = row_.size();
    for (const std::int32_t other : neighbours_[at(s)]) row_.push_back(position_[at(other)]);
    std::sort(row_.begin() + static_cast<std::ptrdiff_t>(begin), row_.end());
    first_below_.push_back(row_.size());
  }
}

std::size_t Elimination::place(std::int32_t low, std::int32_t high) const {
  const auto rows = below(at(low));
  const auto found = std::lower_bound(rows.begin(), rows.end(), high) - rows.begin();
  return first(at(low)) + static_cast<std::size_t>(found);
}

}  // namespace carom::math
