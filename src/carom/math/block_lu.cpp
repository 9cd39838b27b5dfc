#include "carom/math/block_lu.h"

#include <algorithm>
#include <cmath>

namespace carom::math {

namespace {

std::size_t index_of(std::int32_t i) { return static_cast<std::size_t>(i); }

// L U in place of the matrix, the diagonal of L being one.
template <typename Block>
bool factor_densely(Block& m) {
  for (int k = 0; k < m.rows(); ++k) {
    if (m(k, k) == 0 || !std::isfinite(m(k, k))) return false;
    const double inverse = 1 / m(k, k);
    for (int i = k + 1; i < m.rows(); ++i) m(i, k) *= inverse;
    for (int j = k + 1; j < m.cols(); ++j)
      for (int i = k + 1; i < m.rows(); ++i) m(i, j) -= m(i, k) * m(k, j);
  }
  return true;
}

}  // namespace

void BlockLu::set_pattern(const BlockRows& rows) {
  cut_into_tiles(rows);
  couples_.clear();
  const auto couple = [&](std::int32_t a, std::int32_t b) {
    for (std::int32_t i = first_tile_[index_of(a)]; i < first_tile_[index_of(a) + 1]; ++i)
      for (std::int32_t j = first_tile_[index_of(b)]; j < first_tile_[index_of(b) + 1]; ++j)
        couples_.emplace_back(i, j);
  };
  for (std::int32_t s = 0; s < static_cast<std::int32_t>(rows.stretches().size()); ++s)
    if (rows.stretches()[index_of(s)].size > kSize) couple(s, s);
  for (Index i = 0; i < rows.size(); ++i) {
    const std::int32_t a = rows.stretch_of(i, 0), b = rows.stretch_of(i, 1);
    if (a != BlockRows::kNone && b != BlockRows::kNone) couple(a, b);
  }
  places_.set(tiles_.size(), couples_);
  diagonal_.resize(places_.size());
  lower_.resize(places_.entries());
  upper_.resize(places_.entries());
}

void BlockLu::cut_into_tiles(const BlockRows& rows) {
  tiles_.clear();
  first_tile_.assign(1, 0);
  for (const BlockRows::Stretch& stretch : rows.stretches()) {
    for (Index first = 0; first < stretch.size; first += kSize)
      tiles_.push_back({stretch.first + first, std::min<Index>(kSize, stretch.size - first)});
    first_tile_.push_back(static_cast<std::int32_t>(tiles_.size()));
  }
}

void BlockLu::clear() {
  for (Block& block : diagonal_) block.setIdentity();
  for (Block& block : lower_) block.setZero();
  for (Block& block : upper_) block.setZero();
}

BlockLu::Block& BlockLu::at(std::int32_t row, std::int32_t column) {
  if (row == column) return diagonal_[index_of(row)];
  return row > column ? lower_[places_.place(column, row)] : upper_[places_.place(row, column)];
}

void BlockLu::collect(const BlockRows& rows, Index first, int count, std::vector<Rows>& out) const {
  out.clear();
  for (const int part : {0, 1}) {
    const std::int32_t s = rows.stretch_of(first, part);
    if (s == BlockRows::kNone) continue;
    Index begin = 0;
    for (std::int32_t t = first_tile_[index_of(s)]; t < first_tile_[index_of(s) + 1]; ++t) {
      const Index size = tiles_[index_of(t)].size;
      Rows& on = out.emplace_back(Rows{.position = places_.position(t)});
      for (int i = 0; i < count; ++i)
        on.values.col(i).head(size) = rows.part(first + i, part).segment(begin, size);
      begin += size;
    }
  }
}

void BlockLu::add(const BlockRows& rows, Index first, const Mat3& D) {
  collect(rows, first, 3, left_);
  for (const Rows& column : left_) {
    const Thin weighted = column.values * D.transpose();
    for (const Rows& row : left_)
      at(row.position, column.position).noalias() += row.values.lazyProduct(weighted.transpose());
  }
}

void BlockLu::add(const BlockRows& rows, Index first, Index other, const Vec3& d) {
  collect(rows, first, 3, left_);
  collect(rows, other, 1, right_);
  for (const Rows& row : left_)
    for (const Rows& column : right_)
      at(row.position, column.position).noalias() +=
          (row.values * d) * column.values.col(0).transpose();
}

bool BlockLu::factor() {
  for (std::size_t k = 0; k < places_.size(); ++k) {
    Block& own = diagonal_[k];
    if (!factor_densely(own)) return false;
    for (std::size_t i = places_.first(k); i < places_.first(k + 1); ++i) {
      own.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(lower_[i]);
      own.triangularView<Eigen::UnitLower>().solveInPlace(upper_[i]);
    }
    subtract_column(k);
  }
  return true;
}

// From all after it: what stands below the diagonal times what stands beside it.
void BlockLu::subtract_column(std::size_t column) {
  const auto rows = places_.below(column);
  const Block* lower = lower_.data() + places_.first(column);
  const Block* upper = upper_.data() + places_.first(column);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::size_t target = index_of(rows[j]);
    diagonal_[target].noalias() -= lower[j].lazyProduct(upper[j]);
    const auto below = places_.below(target);
    std::size_t place = 0;
    for (std::size_t i = j + 1; i < rows.size(); ++i) {
      while (below[place] != rows[i]) ++place;
      lower_[places_.first(target) + place].noalias() -= lower[i].lazyProduct(upper[j]);
      upper_[places_.first(target) + place].noalias() -= lower[j].lazyProduct(upper[i]);
    }
  }
}

void BlockLu::solve_in_place(VecView b) {
  auto x = permuted_.resize(static_cast<Index>(places_.size()) * kSize);
  x.setZero();
  const auto part = [&](std::size_t k) { return x.segment<kSize>(static_cast<Index>(k) * kSize); };
  const auto tile = [&](std::size_t k) { return tiles_[index_of(places_.stretch(k))]; };
  for (std::size_t k = 0; k < places_.size(); ++k)
    part(k).head(tile(k).size) = b.segment(tile(k).first, tile(k).size);
  for (std::size_t k = 0; k < places_.size(); ++k) {
    auto own = part(k);
    diagonal_[k].triangularView<Eigen::UnitLower>().solveInPlace(own);
    const Block* lower = lower_.data() + places_.first(k);
    for (const std::int32_t row : places_.below(k))
      part(index_of(row)).noalias() -= (lower++)->lazyProduct(own);
  }
  for (std::size_t k = places_.size(); k-- > 0;) {
    auto own = part(k);
    const Block* upper = upper_.data() + places_.first(k);
    for (const std::int32_t row : places_.below(k))
      own.noalias() -= (upper++)->lazyProduct(part(index_of(row)));
    diagonal_[k].triangularView<Eigen::Upper>().solveInPlace(own);
  }
  for (std::size_t k = 0; k < places_.size(); ++k)
    b.segment(tile(k).first, tile(k).size) = part(k).head(tile(k).size);
}

}  // namespace carom::math
