#include "carom/solvers/lineality.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom::solvers {

namespace {

using math::at;
using math::BlockRows;
using math::Index;

math::ConstVecView part_on(const BlockRows& rows, std::int32_t row, std::int32_t stretch) {
  return rows.part(row, rows.stretch_of(row, 0) == stretch ? 0 : 1);
}

}  // namespace

// The directions of the stretch's rows on it, of unit length, as columns of points_.
void LinealityFinder::collect(const BlockRows& rows, std::int32_t stretch) {
  const auto on = rows.rows_on(stretch);
  auto points = points_.resize(rows.stretches()[at(stretch)].size, static_cast<Index>(on.size()));
  const Index first = rows.stretches()[at(stretch)].first;
  Index count = 0;
  for (const std::int32_t row : on) {
    if (alive_[at(row)] == 0) continue;
    auto point = points.col(count);
    point = part_on(rows, row, stretch).cwiseProduct(weights_.view().segment(first, point.size()));
    const double norm = point.norm();
    if (norm == 0) continue;
    point /= norm;
    ++count;
  }
  points_.resize(points.rows(), count);
}

// Can this stretch move so that all its rows open?
bool LinealityFinder::opens(const BlockRows& rows, std::int32_t stretch, bool exactly) {
  collect(rows, stretch);
  const auto points = std::as_const(points_).view();
  if (points.cols() == 0) return false;
  auto sum = sum_.resize(points.rows());
  sum = points.rowwise().sum();
  const double enough = epsilon_ * sum.norm();
  bool separated = sum.norm() > epsilon_;
  for (Index j = 0; separated && j < points.cols(); ++j)
    separated = points.col(j).dot(sum) >= enough;
  if (separated || !exactly) return separated;
  return shortest_.decide(points, epsilon_) == Gordan::Separated;
}

void LinealityFinder::take_away(const BlockRows& rows, std::int32_t stretch) {
  for (const std::int32_t row : rows.rows_on(stretch)) {
    if (alive_[at(row)] == 0 || part_on(rows, row, stretch).isZero(0)) continue;
    alive_[at(row)] = 0;
    for (const int part : {0, 1}) {
      const std::int32_t neighbour = rows.stretch_of(row, part);
      if (neighbour == BlockRows::kNone || neighbour == stretch) continue;
      if (std::exchange(queued_[at(neighbour)], 1) == 0) queue_.push_back(neighbour);
    }
  }
}

void LinealityFinder::peel(const BlockRows& rows, bool exactly) {
  while (!queue_.empty()) {
    const std::int32_t stretch = queue_.back();
    queue_.pop_back();
    queued_[at(stretch)] = 0;
    if (opens(rows, stretch, exactly)) take_away(rows, stretch);
  }
}

LinealityFinder::Found LinealityFinder::decide_whole(const BlockRows& rows) {
  first_of_.assign(rows.stretches().size(), -1);
  std::int32_t dimension = 0;
  for (const std::int32_t row : left_) {
    for (const int part : {0, 1}) {
      const std::int32_t stretch = rows.stretch_of(row, part);
      if (stretch == BlockRows::kNone || first_of_[at(stretch)] >= 0) continue;
      first_of_[at(stretch)] = std::exchange(
          dimension, dimension + static_cast<std::int32_t>(rows.stretches()[at(stretch)].size));
    }
  }
  auto points = points_.resize(dimension, static_cast<Index>(left_.size()));
  points.setZero();
  for (std::size_t j = 0; j < left_.size(); ++j) {
    auto point = points.col(static_cast<Index>(j));
    for (const int part : {0, 1}) {
      const std::int32_t stretch = rows.stretch_of(left_[j], part);
      if (stretch == BlockRows::kNone) continue;
      const auto values = rows.part(left_[j], part);
      point.segment(first_of_[at(stretch)], values.size()) = values.cwiseProduct(
          weights_.view().segment(rows.stretches()[at(stretch)].first, values.size()));
    }
    point /= point.norm();
  }
  members_.clear();
  const Gordan answer = shortest_.decide(std::as_const(points_).view(), epsilon_);
  if (answer == Gordan::Vanishing) {
    for (std::size_t i = 0; i < shortest_.corral().size(); ++i) {
      if (shortest_.weights()[i] < epsilon_) continue;  // it vanishes without this one as well
      members_.push_back(left_[static_cast<std::size_t>(shortest_.corral()[i])]);
    }
    std::sort(members_.begin(), members_.end());
  }
  return {members_, answer != Gordan::IterationCap};
}

LinealityFinder::Found LinealityFinder::find(const BlockRows& rows,
                                             std::span<const std::int32_t> chosen,
                                             math::VecIn weights, double epsilon) {
  epsilon_ = epsilon;
  weights_.resize(weights.size()) = weights;
  alive_.assign(static_cast<std::size_t>(rows.size()), 0);
  for (const std::int32_t row : chosen) alive_[at(row)] = rows.squared_norm(row) > 0 ? 1 : 0;
  const auto stretches = static_cast<std::int32_t>(rows.stretches().size());
  for (const bool exactly : {false, true}) {
    queue_.clear();
    queued_.assign(rows.stretches().size(), 1);
    for (std::int32_t s = 0; s < stretches; ++s) queue_.push_back(s);
    peel(rows, exactly);
    left_.clear();
    for (const std::int32_t row : chosen) {
      if (alive_[at(row)] != 0) left_.push_back(row);
    }
    if (left_.empty()) return {};
  }
  return decide_whole(rows);
}

}  // namespace carom::solvers
