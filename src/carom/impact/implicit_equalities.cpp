#include "carom/impact/implicit_equalities.h"

#include <algorithm>

namespace carom::impact {

using contact::ContactProblem;
using contact::Island;
using math::Index;

bool find_implicit_equalities(Lineality by, ImpactWorkspace& work) {
  if (by == Lineality::Off) return false;
  const auto found = work.lineality.find(work.island.rows(), work.normals,
                                         work.island.without_masses(), kLinealityEpsilon);
  for (const std::int32_t row : found.members) work.implicit_equalities.push_back(row / 3);
  return !found.members.empty();
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
  work.island.add_held(all);
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
