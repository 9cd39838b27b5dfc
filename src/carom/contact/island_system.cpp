#include "carom/contact/island_system.h"

namespace carom::contact {

void IslandSystem::collect_rows(const ContactProblem& problem, const Island& island) {
  rows_.clear();
  for (std::int32_t i = 0; i < island.contacts; ++i) {
    const ContactRow& row = problem.contacts[island.contact(i)];
    for (const Vec3& d : {row.normal, row.tangent1, row.tangent2}) {
      rows_.push_back(
          {{row.a.block, d, row.a.lever.cross(d)}, {row.b.block, -d, -row.b.lever.cross(d)}});
    }
  }
  for (std::int32_t i = 0; i < island.equalities; ++i) {
    const EqualityRow& row = problem.equalities[island.equality(i)];
    rows_.push_back(
        {{row.block_a, row.linear_a, row.angular_a}, {row.block_b, row.linear_b, row.angular_b}});
  }
}

double IslandSystem::coupling(const ContactProblem& problem, const Push& x, const Push& y) {
  if (x.block < 0 || x.block != y.block) return 0;
  const BodyBlock& block = problem.blocks[static_cast<std::size_t>(x.block)];
  return block.inverse_mass * x.force.dot(y.force) + x.torque.dot(block.inverse_inertia * y.torque);
}

void IslandSystem::set_up(const ContactProblem& problem, const Island& island, const Rates& rates) {
  const math::Index contact_rows = math::Index{3} * island.contacts;
  const math::Index rows = contact_rows + island.equalities;
  auto full = full_.resize(rows, rows);
  auto rate = rate_.resize(rows);
  collect_rows(problem, island);
  for (math::Index i = 0; i < rows; ++i) {
    const RowPushes& x = rows_[static_cast<std::size_t>(i)];
    for (math::Index j = 0; j <= i; ++j) {
      const RowPushes& y = rows_[static_cast<std::size_t>(j)];
      full(i, j) = full(j, i) = coupling(problem, x.a, y.a) + coupling(problem, x.a, y.b) +
                                coupling(problem, x.b, y.a) + coupling(problem, x.b, y.b);
    }
  }
  for (math::Index i = 0; i < island.contacts; ++i) {
    rate.segment<3>(3 * i) = rates.contacts[island.contact(i)];
  }
  for (math::Index i = 0; i < island.equalities; ++i) {
    rate[contact_rows + i] = rates.equalities[island.equality(i)];
  }
  eliminate_equalities(contact_rows, island.equalities);
}

// [A_cc A_ce; A_ec A_ee] (x; y) + (w_c; w_e) with the joint rows at zero gives
// y = -A_ee⁺ (w_e + A_ec x), A = A_cc - A_ce A_ee⁺ A_ec, w = w_c - A_ce A_ee⁺ w_e.
// Joints may be redundant (a closed loop): A_ee⁺ gives one of the solutions, and all give the same
// velocities.
void IslandSystem::eliminate_equalities(math::Index contact_rows, math::Index equality_rows) {
  auto A = A_.resize(contact_rows, contact_rows);
  auto w = w_.resize(contact_rows);
  const auto full = full_.view();
  const auto rate = rate_.view();
  A = full.topLeftCorner(contact_rows, contact_rows);
  w = rate.head(contact_rows);
  auto gain = gain_.resize(equality_rows, contact_rows);
  auto joint = joint_.resize(equality_rows);
  if (equality_rows == 0) return;
  joints_.factor(full.bottomRightCorner(equality_rows, equality_rows));
  const auto coupling_ec = full.bottomLeftCorner(equality_rows, contact_rows);
  gain = coupling_ec;
  joint = rate.tail(equality_rows);
  joints_.solve_in_place(gain);
  joints_.solve_in_place(joint);
  A.noalias() -= coupling_ec.transpose().lazyProduct(gain);
  w.noalias() -= coupling_ec.transpose().lazyProduct(joint);
}

void IslandSystem::store(const Island& island, math::ConstVecView x, Impulses& out) const {
  for (math::Index i = 0; i < island.contacts; ++i) {
    out.contacts[island.contact(i)] = x.segment<3>(3 * i);
  }
  if (island.equalities == 0) return;
  const auto gain = gain_.view();
  const auto joint = joint_.view();
  for (math::Index i = 0; i < island.equalities; ++i) {
    out.equalities[island.equality(i)] = -(joint[i] + gain.row(i).dot(x));
  }
}

}  // namespace carom::contact
