#include "carom/impact/held.h"

#include <algorithm>

namespace carom::impact {

using contact::ContactProblem;
using contact::Island;
using math::Index;

int hold_squeezed(const ContactProblem& problem, const Island& island, double epsilon,
                  ImpactWorkspace& work) {
  work.held.clear();
  const int joints = work.island.equality_rank();
  for (std::int32_t round = 0; round < island.contacts; ++round) {
    const auto found = work.lineality.find(work.island.rows(), work.normals,
                                           work.island.without_masses(), epsilon);
    if (found.members.empty()) break;
    for (const std::int32_t row : found.members) work.held.push_back(row / 3);
    set_up(problem, island, work.held, work);
  }
  return work.island.equality_rank() - joints;
}

void release_squeezed(const ContactProblem& problem, const Island& island, ImpactWorkspace& work) {
  auto all = work.more.resize(work.impulse.view().size());
  all = work.impulse.view();
  work.island.add_held(all);
  set_up(problem, island, {}, work);
  const auto& rows = work.island.rows();
  auto effect = work.y.view();
  effect.setZero();
  work.touched.clear();
  for (const std::int32_t k : work.held) {
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
