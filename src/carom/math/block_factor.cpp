#include "carom/math/block_factor.h"

#include <algorithm>

#include "carom/base/check.h"

namespace carom::math {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void BlockFactor::set_pattern(const BlockRows& rows) {
  couples_.clear();
  for (Index i = 0; i < rows.size(); ++i) {
    const std::int32_t a = rows.stretch_of(i, 0), b = rows.stretch_of(i, 1);
    if (a != BlockRows::kNone && b != BlockRows::kNone) couples_.emplace_back(a, b);
  }
  for (const BlockRows::Stretch& stretch : rows.stretches())
    base::check(stretch.size == kSize, "a stretch is a body");
  if (!places_.set(rows.stretches().size(), couples_)) return;
  diagonal_.resize(places_.size());
  blocks_.resize(places_.entries());
}

void BlockFactor::clear(double alpha) {
  for (Block& block : diagonal_) block = alpha * Block::Identity();
  for (Block& block : blocks_) block.setZero();
}

void BlockFactor::add(const BlockRows& rows, Index row, double weight) {
  for (const int p : {0, 1}) {
    if (rows.stretch_of(row, p) == BlockRows::kNone) continue;
    const Part part = rows.part(row, p);
    diagonal_[at(places_.position(rows.stretch_of(row, p)))].noalias() +=
        weight * part * part.transpose();
  }
  if (rows.stretch_of(row, 0) == BlockRows::kNone || rows.stretch_of(row, 1) == BlockRows::kNone)
    return;
  const std::int32_t first = places_.position(rows.stretch_of(row, 0));
  const std::int32_t second = places_.position(rows.stretch_of(row, 1));
  const int low = first < second ? 0 : 1;
  const Part upper = rows.part(row, low), lower = rows.part(row, 1 - low);
  between(std::min(first, second), std::max(first, second)).noalias() +=
      weight * lower * upper.transpose();
}

bool BlockFactor::factor() {
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const Eigen::LLT<Block> root(diagonal_[k]);
    if (root.info() != Eigen::Success || !diagonal_[k].allFinite()) return false;
    diagonal_[k] = root.matrixL();
    for (std::size_t i = places_.first(k); i < places_.first(k + 1); ++i)
      diagonal_[k].triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(
          blocks_[i]);
    subtract_column(k);
  }
  return true;
}

// From the columns after it: what stands below a column, below each of its rows.
void BlockFactor::subtract_column(std::size_t column) {
  const auto rows = places_.below(column);
  const Block* own = blocks_.data() + places_.first(column);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const Block right = own[j].transpose();
    diagonal_[at(rows[j])].noalias() -= own[j].lazyProduct(right);
    const auto below = places_.below(at(rows[j]));
    Block* target = blocks_.data() + places_.first(at(rows[j]));
    for (std::size_t i = j + 1, place = 0; i < rows.size(); ++i) {
      while (below[place] != rows[i]) ++place;
      target[place].noalias() -= own[i].lazyProduct(right);
    }
  }
}

void BlockFactor::solve_in_place(VecView b) {
  auto x = permuted_.resize(b.size());
  for (std::size_t k = 0; k < places_.size(); ++k)
    x.segment<kSize>(static_cast<Index>(k) * kSize) =
        b.segment<kSize>(Index{places_.stretch(k)} * kSize);
  for (std::size_t k = 0; k < places_.size(); ++k) {
    auto own = x.segment<kSize>(static_cast<Index>(k) * kSize);
    diagonal_[k].triangularView<Eigen::Lower>().solveInPlace(own);
    const Block* block = blocks_.data() + places_.first(k);
    for (const std::int32_t row : places_.below(k))
      x.segment<kSize>(Index{row} * kSize).noalias() -= (block++)->lazyProduct(own);
  }
  for (std::size_t k = places_.size(); k-- > 0;) {
    auto own = x.segment<kSize>(static_cast<Index>(k) * kSize);
    const Block* block = blocks_.data() + places_.first(k);
    for (const std::int32_t row : places_.below(k))
      own.noalias() -= (block++)->transpose().lazyProduct(x.segment<kSize>(Index{row} * kSize));
    diagonal_[k].triangularView<Eigen::Lower>().transpose().solveInPlace(own);
  }
  for (std::size_t k = 0; k < places_.size(); ++k)
    b.segment<kSize>(Index{places_.stretch(k)} * kSize) =
        x.segment<kSize>(static_cast<Index>(k) * kSize);
}

}  // namespace carom::math
