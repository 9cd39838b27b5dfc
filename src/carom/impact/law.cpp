#include "carom/impact/law.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {

using math::BlockRows;
using math::Index;

void begin(const contact::ContactProblem& problem, ImpactWorkspace& work, contact::Impulses& out) {
  work.contact_rates.clear();
  work.equality_rates.clear();
  for (const contact::ContactRow& row : problem.contacts) work.contact_rates.push_back(row.rate);
  for (const contact::EqualityRow& row : problem.equalities)
    work.equality_rates.push_back(row.rate);
  out.contacts.assign(problem.contacts.size(), Vec3::Zero());
  out.equalities.assign(problem.equalities.size(), 0);
}

void set_up(const contact::ContactProblem& problem, const contact::Island& island,
            std::span<const std::int32_t> held, ImpactWorkspace& work) {
  work.island.set_up(problem, island, {work.contact_rates, work.equality_rates}, held);
  work.normals.clear();
  work.friction.clear();
  work.restitution.clear();
  for (std::int32_t k = 0; k < island.contacts; ++k) {
    work.normals.push_back(3 * k);
    work.friction.push_back(problem.contacts[island.contact(k)].friction);
    work.restitution.push_back(problem.contacts[island.contact(k)].restitution);
  }
  work.impulse.resize(Index{3} * island.contacts).setZero();
  work.y.resize(work.island.rows().dimension()) = work.island.start();
}

void recompute_y(ImpactWorkspace& work) {
  auto y = work.y.view();
  y = work.island.start();
  const auto impulse = work.impulse.view();
  for (Index i = 0; i < impulse.size(); ++i) {
    if (impulse[i] != 0) work.island.rows().add_to(y, i, impulse[i]);
  }
}

bool approaches(const ImpactWorkspace& work, Index row, double epsilon) {
  const double velocity = row_velocity(work, row);
  if (!(velocity < 0)) return false;
  const BlockRows& rows = work.island.rows();
  const double square = rows.squared_norm(row);
  if (square == 0) return false;  // held, or nothing can be done about it
  double now = 0;
  double before = 0;
  for (const int part : {0, 1}) {
    const std::int32_t stretch = rows.stretch_of(row, part);
    if (stretch == BlockRows::kNone) continue;
    const BlockRows::Stretch& at = rows.stretches()[static_cast<std::size_t>(stretch)];
    now += work.y.view().segment(at.first, at.size).squaredNorm();
    before += work.island.start().segment(at.first, at.size).squaredNorm();
  }
  const double speed = std::sqrt(square * std::max(now, before));
  return velocity < -epsilon * (speed + std::abs(work.island.offset()[row]));
}

double greatest_approach(const ImpactWorkspace& work) {
  double approach = 0;
  for (const std::int32_t row : work.normals) {
    if (work.island.rows().squared_norm(row) > 0)
      approach = std::max(approach, -row_velocity(work, row));
  }
  return approach;
}

}  // namespace carom::impact
