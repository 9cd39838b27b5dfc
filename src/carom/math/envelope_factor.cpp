#include "carom/math/envelope_factor.h"

#include <algorithm>
#include <cmath>

namespace carom::math {

namespace {

double dot(const double* x, const double* y, Index from, Index to) {
  return ConstVecView(x + from, to - from).dot(ConstVecView(y + from, to - from));
}

}  // namespace

void EnvelopeFactor::set_pattern(const BlockRows& rows) {
  stretches_.assign(rows.stretches().begin(), rows.stretches().end());
  collect_neighbours(rows);
  order_stretches();
  place_rows(rows);
}

void EnvelopeFactor::collect_neighbours(const BlockRows& rows) {
  couples_.clear();
  for (Index i = 0; i < rows.size(); ++i) {
    const std::int32_t a = rows.stretch_of(i, 0), b = rows.stretch_of(i, 1);
    if (a == BlockRows::kNone || b == BlockRows::kNone) continue;
    couples_.emplace_back(a, b);
    couples_.emplace_back(b, a);
  }
  std::sort(couples_.begin(), couples_.end());
  couples_.erase(std::unique(couples_.begin(), couples_.end()), couples_.end());
  first_neighbour_.assign(stretches_.size() + 1, 0);
  neighbours_.clear();
  for (const auto& [a, b] : couples_) {
    ++first_neighbour_[static_cast<std::size_t>(a) + 1];
    neighbours_.push_back(b);
  }
  for (std::size_t s = 0; s < stretches_.size(); ++s)
    first_neighbour_[s + 1] += first_neighbour_[s];
}

std::span<const std::int32_t> EnvelopeFactor::neighbours_of(std::int32_t stretch) const {
  const auto s = static_cast<std::size_t>(stretch);
  return std::span(neighbours_)
      .subspan(static_cast<std::size_t>(first_neighbour_[s]),
               static_cast<std::size_t>(first_neighbour_[s + 1] - first_neighbour_[s]));
}

std::int32_t EnvelopeFactor::degree(std::int32_t stretch) const {
  return static_cast<std::int32_t>(neighbours_of(stretch).size());
}

// Breadth first, few neighbours before many. Returns the last one reached.
std::int32_t EnvelopeFactor::visit_from(std::int32_t start) {
  std::size_t next = order_.size();
  order_.push_back(start);
  visited_[static_cast<std::size_t>(start)] = true;
  for (; next < order_.size(); ++next) {
    const std::size_t reached = order_.size();
    for (const std::int32_t other : neighbours_of(order_[next])) {
      if (visited_[static_cast<std::size_t>(other)]) continue;
      visited_[static_cast<std::size_t>(other)] = true;
      order_.push_back(other);
    }
    std::sort(order_.begin() + static_cast<std::ptrdiff_t>(reached), order_.end(),
              [&](std::int32_t x, std::int32_t y) {
                return std::pair(degree(x), x) < std::pair(degree(y), y);
              });
  }
  return order_.back();
}

// Every connected part is visited from an end of it: what is reached last from anywhere.
void EnvelopeFactor::order_stretches() {
  visited_.assign(stretches_.size(), false);
  order_.clear();
  for (std::int32_t s = 0; s < static_cast<std::int32_t>(stretches_.size()); ++s) {
    if (visited_[static_cast<std::size_t>(s)]) continue;
    const std::size_t begin = order_.size();
    const std::int32_t end = visit_from(s);
    for (std::size_t i = begin; i < order_.size(); ++i)
      visited_[static_cast<std::size_t>(order_[i])] = false;
    order_.resize(begin);
    visit_from(end);
  }
  std::reverse(order_.begin(), order_.end());
}

void EnvelopeFactor::place_rows(const BlockRows& rows) {
  position_.resize(stretches_.size());
  Index next = 0;
  for (const std::int32_t s : order_) {
    position_[static_cast<std::size_t>(s)] = next;
    next += stretches_[static_cast<std::size_t>(s)].size;
  }
  first_.resize(static_cast<std::size_t>(rows.dimension()));
  start_.resize(first_.size());
  std::ptrdiff_t size = 0;
  for (const std::int32_t s : order_) {
    const Index own = position_[static_cast<std::size_t>(s)];
    Index least = own;
    for (const std::int32_t other : neighbours_of(s))
      least = std::min(least, position_[static_cast<std::size_t>(other)]);
    for (Index i = own; i < own + stretches_[static_cast<std::size_t>(s)].size; ++i) {
      first_[static_cast<std::size_t>(i)] = least;
      start_[static_cast<std::size_t>(i)] = size - least;
      size += i + 1 - least;
    }
  }
  lower_.resize(static_cast<std::size_t>(size));
  upper_.resize(lower_.size());
}

void EnvelopeFactor::clear() {
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
  for (Index i = 0; i < static_cast<Index>(first_.size()); ++i) row(i)[i] = 1;
}

void EnvelopeFactor::add(const BlockRows& rows, Index first_row, const Eigen::Ref<const MatX>& D) {
  for (const int p : {0, 1}) {
    for (const int q : {0, 1}) {
      if (rows.stretch_of(first_row, p) == BlockRows::kNone) continue;
      if (rows.stretch_of(first_row, q) == BlockRows::kNone) continue;
      add_between(rows, first_row, D, p, q);
    }
  }
}

void EnvelopeFactor::add(const BlockRows& rows, Index first_row, Index other_row,
                         const Eigen::Ref<const MatX>& D) {
  for (Index k = 0; k < D.rows(); ++k) {
    for (Index l = 0; l < D.cols(); ++l) {
      if (D(k, l) == 0) continue;
      for (const int p : {0, 1}) {
        for (const int q : {0, 1})
          add_product(rows, {first_row + k, p}, {other_row + l, q}, D(k, l));
      }
    }
  }
}

void EnvelopeFactor::add_product(const BlockRows& rows, const Part& left, const Part& right,
                                 double scale) {
  const std::int32_t down = rows.stretch_of(left.row, left.part);
  const std::int32_t along = rows.stretch_of(right.row, right.part);
  if (down == BlockRows::kNone || along == BlockRows::kNone) return;
  const Index top = position_[static_cast<std::size_t>(down)];
  const Index side = position_[static_cast<std::size_t>(along)];
  const ConstVecView x = rows.part(left.row, left.part), y = rows.part(right.row, right.part);
  for (Index i = 0; i < x.size(); ++i) {
    for (Index j = 0; j < y.size(); ++j) entry(top + i, side + j) += scale * x[i] * y[j];
  }
}

// The part of it between the p-th and the q-th stretch of the rows, if that is below the diagonal,
// and its mirror image above.
void EnvelopeFactor::add_between(const BlockRows& rows, Index first_row,
                                 const Eigen::Ref<const MatX>& D, int p, int q) {
  const Index top = position_[static_cast<std::size_t>(rows.stretch_of(first_row, p))];
  const Index left = position_[static_cast<std::size_t>(rows.stretch_of(first_row, q))];
  if (left > top) return;
  for (Index k = 0; k < D.rows(); ++k) {
    const ConstVecView down = rows.part(first_row + k, p);
    for (Index l = 0; l < D.cols(); ++l) {
      if (D(k, l) == 0 && D(l, k) == 0) continue;
      const ConstVecView right = rows.part(first_row + l, q);
      for (Index i = 0; i < down.size(); ++i) {
        const Index columns = left == top ? i + 1 : right.size();
        const double below = D(k, l) * down[i], above = D(l, k) * down[i];
        double* lower = row(top + i) + left;
        double* upper = column(top + i) + left;
        for (Index j = 0; j < columns; ++j) {
          lower[j] += below * right[j];
          upper[j] += above * right[j];
        }
      }
    }
  }
}

bool EnvelopeFactor::factor() {
  for (Index i = 0; i < static_cast<Index>(first_.size()); ++i) {
    double* own = row(i);
    double* over = column(i);
    for (Index j = first(i); j < i; ++j) {
      const Index from = std::max(first(i), first(j));
      own[j] = (own[j] - dot(own, column(j), from, j)) * row(j)[j];
      over[j] -= dot(row(j), over, from, j);
    }
    const double pivot = own[i] - dot(own, over, first(i), i);
    if (pivot == 0 || !std::isfinite(pivot)) return false;
    own[i] = 1 / pivot;
  }
  return true;
}

void EnvelopeFactor::solve_in_place(VecView b) {
  auto x = permuted_.resize(b.size());
  for (std::size_t s = 0; s < stretches_.size(); ++s) {
    x.segment(position_[s], stretches_[s].size) =
        b.segment(stretches_[s].first, stretches_[s].size);
  }
  for (Index i = 0; i < x.size(); ++i) x[i] -= dot(row(i), x.data(), first(i), i);
  for (Index i = x.size() - 1; i >= 0; --i) {
    x[i] *= row(i)[i];
    const Index length = i - first(i);
    x.segment(first(i), length) -= x[i] * ConstVecView(column(i) + first(i), length);
  }
  for (std::size_t s = 0; s < stretches_.size(); ++s) {
    b.segment(stretches_[s].first, stretches_[s].size) =
        x.segment(position_[s], stretches_[s].size);
  }
}

}  // namespace carom::math
