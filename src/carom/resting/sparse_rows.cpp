#include "carom/resting/sparse_rows.h"

#include <cmath>

#include "carom/math/semidefinite_root.h"

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::ContactRow;
using contact::EqualityRow;
using math::BlockRows;
using math::Index;

const Vec3& direction(const ContactRow& row, int axis) {
  return axis == 0 ? row.normal : axis == 1 ? row.tangent1 : row.tangent2;
}

}  // namespace

void SparseRows::forget() {
  for (const Body& body : bodies_) {
    if (static_cast<std::size_t>(body.block) < body_of_block_.size())
      body_of_block_[static_cast<std::size_t>(body.block)] = -1;
  }
  bodies_.clear();
  pushes_.clear();
  length_.clear();
}

std::int32_t SparseRows::body_of(const ContactProblem& problem, std::int32_t block) {
  if (block < 0) return BlockRows::kNone;
  std::int32_t& body = body_of_block_[static_cast<std::size_t>(block)];
  if (body >= 0) return body;
  body = static_cast<std::int32_t>(bodies_.size());
  const contact::BodyBlock& at = problem.blocks[static_cast<std::size_t>(block)];
  bodies_.push_back({block, std::sqrt(at.inverse_mass), math::root_of(at.inverse_inertia)});
  return body;
}

void SparseRows::set_up(const ContactProblem& problem, const contact::Island& island,
                        std::span<const RowName> names) {
  forget();
  body_of_block_.resize(problem.blocks.size(), -1);
  for (const RowName& name : names) {
    if (name.axis < 0) {
      const EqualityRow& row = problem.equalities[island.equality(name.index)];
      pushes_.push_back({{{row.block_a, row.linear_a, row.angular_a},
                          {row.block_b, row.linear_b, row.angular_b}}});
    } else if (name.axis >= 3) {
      const ContactRow& row = problem.contacts[island.contact(name.index)];
      const Vec3 d = row.arm * direction(row, name.axis - 3);
      pushes_.push_back({{{row.a.block, Vec3::Zero(), d}, {row.b.block, Vec3::Zero(), -d}}});
    } else {
      const ContactRow& row = problem.contacts[island.contact(name.index)];
      const Vec3& d = direction(row, name.axis);
      pushes_.push_back(
          {{{row.a.block, d, row.a.lever.cross(d)}, {row.b.block, -d, -row.b.lever.cross(d)}}});
    }
    for (const Push& push : pushes_.back()) body_of(problem, push.block);
  }
  stretches_.clear();
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    stretches_.push_back({static_cast<Index>(6 * i), 6});
  unit_.reset(stretches_);
  bare_.reset(stretches_);
  for (const auto& [a, b] : pushes_) add(problem, a, b);
  unit_.index();
}

void SparseRows::add(const ContactProblem& problem, const Push& a, const Push& b) {
  const std::int32_t body_a = body_of(problem, a.block), body_b = body_of(problem, b.block);
  const std::int32_t other = body_b == body_a ? BlockRows::kNone : body_b;
  const Index row = unit_.add(body_a, other);
  bare_.add(body_a, other);
  fill(row, 0, body_a, a);
  fill(row, body_b == body_a ? 0 : 1, body_b, b);
  scale(row);
}

void SparseRows::fill(Index row, int part, std::int32_t body, const Push& push) {
  if (body == BlockRows::kNone) return;
  const Body& at = bodies_[static_cast<std::size_t>(body)];
  math::VecView values = unit_.part(row, part);
  values.head<3>() += at.mass_root * push.force;
  values.tail<3>() += at.inertia_root.transpose() * push.torque;
  bare_.part(row, part) = values;
  if (at.mass_root > 0) bare_.part(row, part) /= at.mass_root;
}

void SparseRows::scale(Index row) {
  const double length = std::sqrt(unit_.squared_norm(row));
  length_.push_back(length);
  if (length == 0) return;
  for (const int part : {0, 1}) unit_.part(row, part) /= length;
}

void SparseRows::strip_masses(math::VecView y) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].mass_root > 0) y.segment<6>(stretches_[i].first) /= bodies_[i].mass_root;
  }
}

}  // namespace carom::resting
