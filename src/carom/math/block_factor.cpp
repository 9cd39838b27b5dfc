#include "carom/math/block_factor.h"

#include <algorithm>
#include <cmath>

#include "carom/base/check.h"

namespace carom::math {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void BlockFactor::set_pattern(const BlockRows& rows) {
  if (!find_couples(rows)) return;
  order_by_degree();
  place_columns();
}

// Are they other ones than before?
bool BlockFactor::find_couples(const BlockRows& rows) {
  found_.clear();
  for (Index i = 0; i < rows.size(); ++i) {
    const auto [a, b] = std::minmax({rows.stretch_of(i, 0), rows.stretch_of(i, 1)});
    if (a != BlockRows::kNone && a != b) found_.emplace_back(a, b);
  }
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  const std::size_t stretches = rows.stretches().size();
  if (found_ == couples_ && position_.size() == stretches) return false;
  for (const BlockRows::Stretch& stretch : rows.stretches())
    base::check(stretch.size == kSize, "a stretch is a body");
  couples_ = found_;
  position_.resize(stretches);
  return true;
}

void BlockFactor::order_by_degree() {
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

std::int32_t BlockFactor::find_least_degree() const {
  std::int32_t least = -1;
  for (std::int32_t s = 0; s < static_cast<std::int32_t>(position_.size()); ++s) {
    if (position_[at(s)] >= 0) continue;
    if (least < 0 || neighbours_[at(s)].size() < neighbours_[at(least)].size()) least = s;
  }
  return least;
}

// Its neighbours become neighbours of one another, and forget it.
void BlockFactor::eliminate(std::int32_t stretch) {
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

void BlockFactor::place_columns() {
  first_below_.assign(1, 0);
  row_.clear();
  for (const std::int32_t s : order_) {
    const auto begin = row_.size();
    for (const std::int32_t other : neighbours_[at(s)]) row_.push_back(position_[at(other)]);
    std::sort(row_.begin() + static_cast<std::ptrdiff_t>(begin), row_.end());
    first_below_.push_back(row_.size());
  }
  diagonal_.resize(order_.size());
  blocks_.resize(row_.size());
}

std::span<const std::int32_t> BlockFactor::below(std::size_t column) const {
  return std::span(row_).subspan(first_below_[column],
                                 first_below_[column + 1] - first_below_[column]);
}

void BlockFactor::clear(double alpha) {
  for (Block& block : diagonal_) block = alpha * Block::Identity();
  for (Block& block : blocks_) block.setZero();
}

BlockFactor::Block& BlockFactor::between(std::int32_t low, std::int32_t high) {
  const auto rows = below(at(low));
  const auto place = std::lower_bound(rows.begin(), rows.end(), high) - rows.begin();
  return blocks_[first_below_[at(low)] + static_cast<std::size_t>(place)];
}

void BlockFactor::add(const BlockRows& rows, Index row, double weight) {
  for (const int p : {0, 1}) {
    if (rows.stretch_of(row, p) == BlockRows::kNone) continue;
    const Part part = rows.part(row, p);
    diagonal_[at(position_[at(rows.stretch_of(row, p))])].noalias() +=
        weight * part * part.transpose();
  }
  if (rows.stretch_of(row, 0) == BlockRows::kNone || rows.stretch_of(row, 1) == BlockRows::kNone)
    return;
  const std::int32_t first = position_[at(rows.stretch_of(row, 0))];
  const std::int32_t second = position_[at(rows.stretch_of(row, 1))];
  const int low = first < second ? 0 : 1;
  const Part upper = rows.part(row, low), lower = rows.part(row, 1 - low);
  between(std::min(first, second), std::max(first, second)).noalias() +=
      weight * lower * upper.transpose();
}

bool BlockFactor::factor() {
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Eigen::LLT<Block> root(diagonal_[k]);
    if (root.info() != Eigen::Success || !diagonal_[k].allFinite()) return false;
    diagonal_[k] = root.matrixL();
    for (std::size_t i = first_below_[k]; i < first_below_[k + 1]; ++i)
      diagonal_[k].triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(
          blocks_[i]);
    subtract_column(k);
  }
  return true;
}

// From the columns after it: what stands below a column, below each of its rows.
void BlockFactor::subtract_column(std::size_t column) {
  const auto rows = below(column);
  const Block* own = blocks_.data() + first_below_[column];
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::size_t target = at(rows[j]);
    const Block right = own[j].transpose();
    diagonal_[target].noalias() -= own[j].lazyProduct(right);
    std::size_t place = first_below_[target];
    for (std::size_t i = j + 1; i < rows.size(); ++i) {
      while (row_[place] != rows[i]) ++place;
      blocks_[place].noalias() -= own[i].lazyProduct(right);
    }
  }
}

void BlockFactor::solve_in_place(VecView b) {
  auto x = permuted_.resize(b.size());
  for (std::size_t k = 0; k < order_.size(); ++k)
    x.segment<kSize>(static_cast<Index>(k) * kSize) = b.segment<kSize>(Index{order_[k]} * kSize);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    auto own = x.segment<kSize>(static_cast<Index>(k) * kSize);
    diagonal_[k].triangularView<Eigen::Lower>().solveInPlace(own);
    for (std::size_t i = first_below_[k]; i < first_below_[k + 1]; ++i)
      x.segment<kSize>(Index{row_[i]} * kSize).noalias() -= blocks_[i].lazyProduct(own);
  }
  for (std::size_t k = order_.size(); k-- > 0;) {
    auto own = x.segment<kSize>(static_cast<Index>(k) * kSize);
    for (std::size_t i = first_below_[k]; i < first_below_[k + 1]; ++i)
      own.noalias() -= blocks_[i].transpose().lazyProduct(x.segment<kSize>(Index{row_[i]} * kSize));
    diagonal_[k].triangularView<Eigen::Lower>().transpose().solveInPlace(own);
  }
  for (std::size_t k = 0; k < order_.size(); ++k)
    b.segment<kSize>(Index{order_[k]} * kSize) = x.segment<kSize>(static_cast<Index>(k) * kSize);
}

}  // namespace carom::math
