#include "carom/solvers/shortest_point.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

namespace {

using math::ConstMatView;
using math::Index;

constexpr double kOptimal = 1e-15;  // of a unit vector's square: no column improves the point
constexpr double kWeightless = 1e-14;

}  // namespace

// Weights of the least point of the corral's affine hull: (G + 1 1ᵀ) u = 1, scaled to sum 1.
void ShortestPoint::solve_affine(const ConstMatView& points) {
  const auto n = static_cast<Index>(corral_.size());
  auto L = gram_.resize(n, n + 1);
  for (Index i = 0; i < n; ++i) {
    const auto p = points.col(corral_[static_cast<std::size_t>(i)]);
    for (Index j = 0; j <= i; ++j)
      L(i, j) = 1 + p.dot(points.col(corral_[static_cast<std::size_t>(j)]));
  }
  for (Index k = 0; k < n; ++k) {
    for (Index j = 0; j < k; ++j)
      L.col(k).segment(k, n - k) -= L(k, j) * L.col(j).segment(k, n - k);
    L.col(k).segment(k, n - k) /= std::sqrt(std::max(L(k, k), 1e-30));
  }
  auto u = L.col(n);
  u.setOnes();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) u[i] -= L(i, j) * u[j];
    u[i] /= L(i, i);
  }
  for (Index i = n - 1; i >= 0; --i) {
    for (Index j = i + 1; j < n; ++j) u[i] -= L(j, i) * u[j];
    u[i] /= L(i, i);
  }
  const double sum = u.sum();
  affine_.resize(corral_.size());
  for (Index i = 0; i < n; ++i) affine_[static_cast<std::size_t>(i)] = u[i] / sum;
}

// Moves the weights towards the affine ones as far as none turns negative; false when one vanished
// on the way and left the corral.
bool ShortestPoint::step_to_affine() {
  double step = 1;
  for (std::size_t i = 0; i < corral_.size(); ++i) {
    if (affine_[i] > kWeightless) continue;
    const double drop = weights_[i] - affine_[i];
    if (drop > 0) step = std::min(step, weights_[i] / drop);
  }
  const bool whole = step >= 1 && *std::min_element(affine_.begin(), affine_.end()) > kWeightless;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < corral_.size(); ++i) {
    const double weight = weights_[i] + step * (affine_[i] - weights_[i]);
    if (!(weight > kWeightless)) continue;
    corral_[kept] = corral_[i];
    weights_[kept++] = weight;
  }
  corral_.resize(kept);
  weights_.resize(kept);
  return whole;
}

void ShortestPoint::update_point(const ConstMatView& points) {
  auto x = point_.resize(points.rows());
  x.setZero();
  for (std::size_t i = 0; i < corral_.size(); ++i) x += weights_[i] * points.col(corral_[i]);
}

Gordan ShortestPoint::decide(const ConstMatView& points, double epsilon) {
  corral_.assign(1, 0);
  weights_.assign(1, 1.0);
  update_point(points);
  const Index cap = 100 + 10 * points.cols();
  for (Index iteration = 0; iteration < cap; ++iteration) {
    const auto x = point_.view();
    const double length = x.norm();
    if (length < epsilon) return Gordan::Vanishing;
    Index worst = 0;
    double least = points.col(0).dot(x);
    for (Index j = 1; j < points.cols(); ++j) {
      const double along = points.col(j).dot(x);
      if (along >= least) continue;
      least = along;
      worst = j;
    }
    if (least >= epsilon * length) return Gordan::Separated;
    const bool known = std::find(corral_.begin(), corral_.end(), worst) != corral_.end();
    if (known || least >= length * length - kOptimal) {  // as short as arithmetic can tell
      return length < 2 * epsilon ? Gordan::Vanishing : Gordan::IterationCap;
    }
    corral_.push_back(worst);
    weights_.push_back(0.0);
    do {
      solve_affine(points);
    } while (!step_to_affine() && corral_.size() > 1);
    update_point(points);
  }
  return Gordan::IterationCap;
}

}  // namespace carom::solvers
