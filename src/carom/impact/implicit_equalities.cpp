#include "carom/impact/implicit_equalities.h"

#include <algorithm>

#include "carom/solvers/support_and_shave.h"

namespace carom::impact {

using contact::ContactProblem;
using contact::Island;
using math::BlockRows;
using math::Index;

namespace {

// The rows as solvers::LinealityFinder sees them: masses left out.
MatX dense_gradients(const contact::IslandRows& island, std::span<const std::int32_t> chosen) {
  const BlockRows& rows = island.rows();
  MatX gradients = MatX::Zero(static_cast<Index>(chosen.size()), rows.dimension());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    auto gradient = gradients.row(static_cast<Index>(i));
    for (const int part : {0, 1}) {
      const std::int32_t stretch = rows.stretch_of(chosen[i], part);
      if (stretch == BlockRows::kNone) continue;
      const auto values = rows.part(chosen[i], part);
      const Index first = rows.stretches()[static_cast<std::size_t>(stretch)].first;
      gradient.segment(first, values.size()) =
          values.cwiseProduct(island.without_masses().segment(first, values.size())).transpose();
    }
  }
  return gradients;
}

bool find_by_shaving(ImpactWorkspace& work) {
  auto& left = work.touched;  // a row of zeros is held, or nothing can be done about it
  left.clear();
  for (const std::int32_t row : work.normals) {
    if (work.island.rows().squared_norm(row) > 0) left.push_back(row);
  }
  const auto found = solvers::find_implicit_equalities(dense_gradients(work.island, left));
  for (const int i : found.members)
    work.implicit_equalities.push_back(left[static_cast<std::size_t>(i)] / 3);
  return !found.members.empty();
}

bool find_by_shortest_points(ImpactWorkspace& work) {
  const auto found = work.lineality.find(work.island.rows(), work.normals,
                                         work.island.without_masses(), kLinealityEpsilon);
  for (const std::int32_t row : found.members) work.implicit_equalities.push_back(row / 3);
  return !found.members.empty();
}

}  // namespace

bool find_implicit_equalities(Lineality by, ImpactWorkspace& work) {
  switch (by) {
    case Lineality::Off:
      return false;
    case Lineality::Fast:
      return find_by_shortest_points(work);
    case Lineality::Shave:
      return find_by_shaving(work);
  }
  return false;
}

int hold_implicit_equalities(const ContactProblem& problem, const Island& island, Lineality by,
                             ImpactWorkspace& work) {
  work.implicit_equalities.clear();
  const int joints = work.island.equality_rank();
  for (std::int32_t round = 0; round < island.contacts; ++round) {
    if (!find_implicit_equalities(by, work)) break;
    set_up(problem, island, work.implicit_equalities, work);
  }
  return work.island.equality_rank() - joints;
}

void release_implicit_equalities(const ContactProblem& problem, const Island& island,
                                 ImpactWorkspace& work) {
  if (work.implicit_equalities.empty()) return;
  auto all = work.more.resize(work.impulse.view().size());
  all = work.impulse.view();
  work.island.add_implicit_impulses(all);
  set_up(problem, island, {}, work);
  const auto& rows = work.island.rows();
  auto effect = work.y.view();
  effect.setZero();
  work.touched.clear();
  for (const std::int32_t k : work.implicit_equalities) {
    work.touched.push_back(3 * k);
    rows.add_to(effect, Index{3} * k, all[Index{3} * k]);
  }
  auto wanted = work.velocity.resize(all.size());
  for (const std::int32_t row : work.touched) {
    wanted[row] = -rows.dot(row, effect);
    all[row] = std::max(all[row], 0.0);
  }
  work.nonnegative.solve(rows, work.touched, wanted, all);
  work.impulse.view() = all;
  recompute_y(work);
}

}  // namespace carom::impact
