#include "carom/impact/law.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {

using math::BlockRows;
using math::Index;

namespace {

void note_peak(ImpactWorkspace& work, std::int32_t group) {
  const BlockRows::Stretch& at = work.island.rows().stretches()[static_cast<std::size_t>(group)];
  double& peak = work.peak[static_cast<std::size_t>(group)];
  peak = std::max(peak, work.y.view().segment(at.first, at.size).squaredNorm());
}

void note_peaks(ImpactWorkspace& work) {
  for (std::int32_t group = 0; group < static_cast<std::int32_t>(work.peak.size()); ++group)
    note_peak(work, group);
}

}  // namespace

void begin(const contact::ContactProblem& problem, ImpactWorkspace& work, contact::Impulses& out) {
  work.contact_rates.clear();
  work.equality_rates.clear();
  for (const contact::ContactRow& row : problem.contacts) work.contact_rates.push_back(row.rate);
  for (const contact::EqualityRow& row : problem.equalities)
    work.equality_rates.push_back(row.rate);
  out.contacts.assign(problem.contacts.size(), Vec3::Zero());
  out.equalities.assign(problem.equalities.size(), 0);
  out.couples.clear();
}

void set_up(const contact::ContactProblem& problem, const contact::Island& island,
            std::span<const std::int32_t> implicit, ImpactWorkspace& work) {
  work.island.set_up(problem, island, {work.contact_rates, work.equality_rates}, implicit);
  work.normals.clear();
  work.friction.clear();
  work.restitution.clear();
  work.elastic_from = 0;
  for (std::int32_t k = 0; k < island.contacts; ++k) {
    work.normals.push_back(3 * k);
    work.friction.push_back(problem.contacts[island.contact(k)].friction);
    work.restitution.push_back(problem.contacts[island.contact(k)].restitution);
  }
  work.impulse.resize(Index{3} * island.contacts).setZero();
  work.y.resize(work.island.rows().dimension()) = work.island.start();
  work.peak.assign(work.island.rows().stretches().size(), 0.0);
  note_peaks(work);
}

void recompute_y(ImpactWorkspace& work) {
  auto y = work.y.view();
  y = work.island.start();
  const auto impulse = work.impulse.view();
  for (Index i = 0; i < impulse.size(); ++i) {
    if (impulse[i] != 0) work.island.rows().add_to(y, i, impulse[i]);
  }
  note_peaks(work);
}

void push(ImpactWorkspace& work, Index row, double impulse) {
  const BlockRows& rows = work.island.rows();
  work.impulse.view()[row] += impulse;
  rows.add_to(work.y.view(), row, impulse);
  for (const int part : {0, 1}) {
    if (rows.stretch_of(row, part) != BlockRows::kNone) note_peak(work, rows.stretch_of(row, part));
  }
}

double unit_velocity(const ImpactWorkspace& work, Index row) {
  const double square = work.island.rows().squared_norm(row);
  return square > 0 ? row_velocity(work, row) / std::sqrt(square) : 0;
}

double fastest_contact(const ImpactWorkspace& work) {
  double fastest = 0;
  for (const std::int32_t row : work.normals)
    fastest = std::max(fastest, std::abs(unit_velocity(work, row)));
  return fastest;
}

bool approaches(const ImpactWorkspace& work, Index row, double epsilon) {
  const double velocity = row_velocity(work, row);
  if (!(velocity < 0)) return false;
  const BlockRows& rows = work.island.rows();
  const double square = rows.squared_norm(row);
  if (square == 0) return false;  // held, or nothing can be done about it
  double speed = 0;
  for (const int part : {0, 1}) {
    const std::int32_t group = rows.stretch_of(row, part);
    if (group != BlockRows::kNone) speed += work.peak[static_cast<std::size_t>(group)];
  }
  return velocity < -epsilon * (std::sqrt(square * speed) + std::abs(work.island.offset()[row]));
}

bool anything_approaches(const ImpactWorkspace& work, double epsilon) {
  return std::any_of(work.normals.begin(), work.normals.end(),
                     [&](std::int32_t row) { return approaches(work, row, epsilon); });
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
