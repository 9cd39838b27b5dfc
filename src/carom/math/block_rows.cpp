#include "carom/math/block_rows.h"

#include <algorithm>

namespace carom::math {

void BlockRows::reset(std::span<const Stretch> stretches) {
  stretches_.assign(stretches.begin(), stretches.end());
  rows_.clear();
  data_.clear();
  dimension_ = 0;
  for (const Stretch& each : stretches_) dimension_ = std::max(dimension_, each.first + each.size);
}

Index BlockRows::add(std::int32_t a, std::int32_t b) {
  Row row{.stretch = {a, b}};
  for (const std::size_t part : {0U, 1U}) {
    row.data[part] = data_.size();
    if (row.stretch[part] == kNone) continue;
    row.first[part] = stretch(row.stretch[part]).first;
    row.size[part] = stretch(row.stretch[part]).size;
    data_.resize(data_.size() + static_cast<std::size_t>(stretch(row.stretch[part]).size), 0.0);
  }
  rows_.push_back(row);
  return size() - 1;
}

VecView BlockRows::part(Index row, int part) {
  const auto p = static_cast<std::size_t>(part);
  const Index size = at(row).stretch[p] == kNone ? 0 : stretch(at(row).stretch[p]).size;
  return {data_.data() + at(row).data[p], size};
}

ConstVecView BlockRows::part(Index row, int part) const {
  const auto p = static_cast<std::size_t>(part);
  const Index size = at(row).stretch[p] == kNone ? 0 : stretch(at(row).stretch[p]).size;
  return {data_.data() + at(row).data[p], size};
}

double BlockRows::dot(Index row, Index other) const {
  double sum = 0;
  for (const int p : {0, 1}) {
    for (const int q : {0, 1}) {
      const std::int32_t s = stretch_of(row, p);
      if (s == kNone || s != stretch_of(other, q)) continue;
      sum += part(row, p).dot(part(other, q));
    }
  }
  return sum;
}

void BlockRows::index() {
  first_on_.assign(stretches_.size() + 1, 0);
  const auto for_each_part = [&](const auto& visit) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto& [a, b] = rows_[i].stretch;
      if (a != kNone) visit(static_cast<std::size_t>(a), i);
      if (b != kNone && b != a) visit(static_cast<std::size_t>(b), i);
    }
  };
  for_each_part([&](std::size_t s, std::size_t) { ++first_on_[s + 1]; });
  for (std::size_t s = 0; s + 1 < first_on_.size(); ++s) first_on_[s + 1] += first_on_[s];
  on_.resize(static_cast<std::size_t>(first_on_.back()));
  for_each_part([&](std::size_t s, std::size_t i) {
    on_[static_cast<std::size_t>(first_on_[s]++)] = static_cast<std::int32_t>(i);
  });
  for (std::size_t s = first_on_.size() - 1; s > 0; --s) first_on_[s] = first_on_[s - 1];
  first_on_[0] = 0;
}

std::span<const std::int32_t> BlockRows::rows_on(std::int32_t stretch) const {
  const auto s = static_cast<std::size_t>(stretch);
  return std::span(on_).subspan(static_cast<std::size_t>(first_on_[s]),
                                static_cast<std::size_t>(first_on_[s + 1] - first_on_[s]));
}

}  // namespace carom::math
