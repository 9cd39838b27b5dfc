// A contact problem once more, in long double and dense: gradients, inverse masses and velocities
// read from the problem's numbers, with none of the library's algebra. A velocity is one vector,
// (v, w) body by body.
#pragma once

#include <array>

#include "carom/contact/contact_problem.h"
#include "reference/active_sets.h"

namespace carom::reference {

using LongVec3 = Eigen::Matrix<long double, 3, 1>;
using LongMat3 = Eigen::Matrix<long double, 3, 3>;

inline LongVec3 lengthen(const Vec3& v) { return v.cast<long double>(); }

inline LongVec velocity_of(const State& state) {
  LongVec velocity(static_cast<Eigen::Index>(6 * state.bodies.size()));
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    velocity.segment<3>(at) = lengthen(state.bodies[i].v);
    velocity.segment<3>(at + 3) = lengthen(state.bodies[i].w);
  }
  return velocity;
}

// Only the blocks a row touches: at most two, six numbers each.
struct LongRow {
  std::array<std::int32_t, 2> blocks{-1, -1};
  std::array<Eigen::Matrix<long double, 6, 1>, 2> parts;

  long double dot(const LongVec& velocity) const {
    long double sum = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      if (blocks[side] >= 0) sum += parts[side].dot(velocity.segment<6>(6 * blocks[side]));
    }
    return sum;
  }
};

class LongContacts {
 public:
  explicit LongContacts(const contact::ContactProblem& problem) {
    for (const contact::BodyBlock& block : problem.blocks) {
      inverse_mass_.push_back(block.inverse_mass);
      inverse_inertia_.push_back(block.inverse_inertia.cast<long double>());
      mass_.push_back(1 / inverse_mass_.back());
      inertia_.push_back(inverse_inertia_.back().inverse());
    }
    for (const contact::ContactRow& row : problem.contacts) {
      for (const Vec3& direction : {row.normal, row.tangent1, row.tangent2})
        contacts.push_back(row_along(row, lengthen(direction)));
    }
    for (const contact::EqualityRow& row : problem.equalities) joints.push_back(row_of(row));
  }

  std::vector<LongRow> contacts;  // three for each: normal and tangents
  std::vector<LongRow> joints;

  Eigen::Index dimension() const { return static_cast<Eigen::Index>(6 * mass_.size()); }
  const LongRow& normal(std::size_t k) const { return contacts[3 * k]; }

  // velocity += p M⁻¹ row
  void push(const LongRow& row, long double p, LongVec& velocity) const {
    for (std::size_t side = 0; side < 2; ++side) {
      if (row.blocks[side] < 0) continue;
      const auto block = static_cast<std::size_t>(row.blocks[side]);
      auto part = velocity.segment<6>(6 * row.blocks[side]);
      part.head<3>() += p * inverse_mass_[block] * row.parts[side].head<3>();
      part.tail<3>() += p * (inverse_inertia_[block] * row.parts[side].tail<3>());
    }
  }
  LongVec pushed(const LongRow& row) const {
    LongVec velocity = LongVec::Zero(dimension());
    push(row, 1, velocity);
    return velocity;
  }
  long double length(const LongRow& row) const {  // in the M⁻¹-metric
    return std::sqrt(row.dot(pushed(row)));
  }
  long double energy(const LongVec& velocity) const {
    long double twice = 0;
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(6 * i);
      const LongVec3 v = velocity.segment<3>(at), w = velocity.segment<3>(at + 3);
      twice += mass_[i] * v.squaredNorm() + w.dot(inertia_[i] * w);
    }
    return twice / 2;
  }

  // What is left of a velocity that all the rows hold at zero: least squares in the M-metric.
  LongVec hold(const std::vector<LongRow>& rows, const LongVec& velocity) const {
    const auto count = static_cast<Eigen::Index>(rows.size());
    LongVec held = velocity;
    if (count == 0) return held;
    const LongVec impulse = solve_gram(rows, velocity);
    for (Eigen::Index i = 0; i < count; ++i)
      push(rows[static_cast<std::size_t>(i)], -impulse[i], held);
    return held;
  }

 private:
  static LongRow row_along(const contact::ContactRow& row, const LongVec3& direction) {
    LongRow made{{row.a.block, row.b.block}, {}};
    made.parts[0] << direction, lengthen(row.a.lever).cross(direction);
    made.parts[1] << -direction, -lengthen(row.b.lever).cross(direction);
    return made;
  }
  static LongRow row_of(const contact::EqualityRow& row) {
    LongRow made{{row.block_a, row.block_b}, {}};
    made.parts[0] << lengthen(row.linear_a), lengthen(row.angular_a);
    made.parts[1] << lengthen(row.linear_b), lengthen(row.angular_b);
    return made;
  }
  LongVec solve_gram(const std::vector<LongRow>& rows, const LongVec& velocity) const {
    const auto count = static_cast<Eigen::Index>(rows.size());
    LongMat gram(count, count);
    LongVec rates(count), lengths(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const LongVec column = pushed(rows[static_cast<std::size_t>(i)]);
      for (Eigen::Index j = 0; j < count; ++j)
        gram(j, i) = rows[static_cast<std::size_t>(j)].dot(column);
      rates[i] = rows[static_cast<std::size_t>(i)].dot(velocity);
      lengths[i] = std::sqrt(gram(i, i));
    }
    const LongVec scale = lengths.cwiseInverse();
    gram = (scale.asDiagonal() * gram * scale.asDiagonal()).eval();
    Eigen::CompleteOrthogonalDecomposition<LongMat> solver;
    solver.setThreshold(1e-13L);
    solver.compute(gram);
    const LongVec unit = solver.solve(scale.cwiseProduct(rates));
    return scale.cwiseProduct(unit);
  }

  std::vector<long double> inverse_mass_, mass_;
  std::vector<LongMat3> inverse_inertia_, inertia_;
};

}  // namespace carom::reference
