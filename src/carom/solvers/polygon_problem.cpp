#include "carom/solvers/polygon_problem.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace carom::solvers {

namespace {

using math::BlockRows;
using math::Index;

constexpr double kResidual = 1e-9;  // beside the fastest contact, in unit rows

// Of two rows given as combinations of the three rows of a contact each; `products` are those of
// all rows with one another.
double product(const math::MatView& products, Index a, const double (&along_a)[3], Index b,
               const double (&along_b)[3]) {
  double sum = 0;
  for (Index i = 0; i < 3; ++i) {
    if (along_a[i] == 0) continue;
    for (Index j = 0; j < 3; ++j) {
      if (along_b[j] != 0) sum += along_a[i] * along_b[j] * products(3 * a + i, 3 * b + j);
    }
  }
  return sum;
}

double scale_of(double square) { return square > 0 ? 1 / std::sqrt(square) : 1; }

}  // namespace

void PolygonProblem::set_up(const BlockRows& rows, std::span<const double> friction, int sides) {
  corners_.clear();
  for (int l = 0; l < sides; ++l) {
    const double angle = 2 * std::numbers::pi * l / sides;
    corners_.push_back({std::cos(angle), std::sin(angle)});
  }
  blocks_.clear();
  pushes_.clear();
  for (std::size_t k = 0; k < friction.size(); ++k)
    add_contact(rows, static_cast<Index>(k), friction[k]);
  fill_matrix(rows);
}

void PolygonProblem::add_contact(const BlockRows& rows, Index contact, double friction) {
  Block block;
  block.friction = friction;
  block.normal = static_cast<Index>(pushes_.size());
  const bool pushes = rows.squared_norm(3 * contact) > 0;  // not held, not between fixed bodies
  block.normal_scale = pushes ? scale_of(rows.squared_norm(3 * contact)) : 0;
  pushes_.push_back({contact, {block.normal_scale, 0, 0}});
  if (pushes && friction > 0) {
    block.first_side = static_cast<Index>(pushes_.size());
    const double square = rows.squared_norm(3 * contact + 1) + rows.squared_norm(3 * contact + 2);
    block.speed_scale = scale_of(square / 2);
    for (const Direction& corner : corners_) {
      pushes_.push_back(
          {contact, {0, block.speed_scale * corner.first, block.speed_scale * corner.second}});
    }
    block.speed = static_cast<Index>(pushes_.size());
    pushes_.push_back({contact, {0, 0, 0}});
  }
  blocks_.push_back(block);
}

void PolygonProblem::fill_matrix(const BlockRows& rows) {
  const auto size = static_cast<Index>(pushes_.size());
  auto M = matrix_.resize(size, size);
  auto products = products_.resize(rows.size(), rows.size());
  for (Index i = 0; i < rows.size(); ++i) {
    for (Index j = 0; j < rows.size(); ++j) products(i, j) = rows.dot(i, j);
  }
  for (Index i = 0; i < size; ++i) {
    const Push& a = pushes_[static_cast<std::size_t>(i)];
    for (Index j = 0; j <= i; ++j) {
      const Push& b = pushes_[static_cast<std::size_t>(j)];
      M(i, j) = M(j, i) = product(products, a.contact, a.along, b.contact, b.along);
    }
  }
  const auto sides = static_cast<Index>(corners_.size());
  for (const Block& block : blocks_) {
    if (block.first_side < 0) continue;
    M.block(block.first_side, block.speed, sides, 1).setOnes();
    M.block(block.speed, block.first_side, 1, sides).setConstant(-1);
    M(block.speed, block.normal) = block.friction * block.normal_scale / block.speed_scale;
  }
}

bool PolygonProblem::respond(math::VecIn velocity, std::span<const double> given,
                             math::VecView impulse) {
  auto q = right_.resize(static_cast<Index>(pushes_.size()));
  for (Index i = 0; i < q.size(); ++i) {
    const Push& push = pushes_[static_cast<std::size_t>(i)];
    q[i] = 0;
    for (Index axis = 0; axis < 3; ++axis)
      q[i] += push.along[axis] * velocity[3 * push.contact + axis];
  }
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Block& block = blocks_[k];
    if (block.speed >= 0) q[block.speed] = block.friction * given[k] / block.speed_scale;
  }
  auto z = solution_.resize(q.size());
  const LemkeResult result =
      solve_lemke(std::as_const(matrix_).view(), std::as_const(right_).view(), z, lemke_);
  if (result.status != LemkeStatus::Solved ||
      !(result.residual <= kResidual * q.cwiseAbs().maxCoeff()))
    return false;
  for (Index i = 0; i < q.size(); ++i) {
    const Push& push = pushes_[static_cast<std::size_t>(i)];
    for (Index axis = 0; axis < 3; ++axis)
      impulse[3 * push.contact + axis] += push.along[axis] * z[i];
  }
  return true;
}

}  // namespace carom::solvers
