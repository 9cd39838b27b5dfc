#include "carom/impact/laws/reflections.h"

#include <algorithm>

namespace carom::impact {

namespace {

using math::BlockRows;
using math::Index;

void find_reflected(const ImpactWorkspace& work, std::span<const std::int32_t> among,
                    double epsilon, std::vector<std::int32_t>& out) {
  out.clear();
  for (const std::int32_t row : among) {
    if (is_to_reflect(work, row, epsilon)) out.push_back(row);
  }
}

// The normals that pushes on `pushed` can have changed.
void find_touched(const BlockRows& rows, std::span<const std::int32_t> pushed,
                  std::vector<std::int32_t>& out) {
  out.clear();
  for (const std::int32_t row : pushed) {
    for (const int part : {0, 1}) {
      if (rows.stretch_of(row, part) == BlockRows::kNone) continue;
      for (const std::int32_t neighbour : rows.rows_on(rows.stretch_of(row, part))) {
        if (neighbour % 3 == 0) out.push_back(neighbour);
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void reflect(ImpactWorkspace& work) {
  auto velocity = work.velocity.resize(work.impulse.view().size());
  auto more = work.more.resize(velocity.size());
  for (const std::int32_t row : work.violated) {
    velocity[row] = row_velocity(work, row);
    more[row] = 0;
  }
  work.nonnegative.solve(work.island.rows(), work.violated, velocity, more);
  for (const std::int32_t row : work.violated) {
    if (more[row] > 0) push(work, row, 2 * more[row]);
  }
}

}  // namespace

ElasticResult reflect_together(const Reflections& law, ImpactWorkspace& work) {
  ElasticResult result;
  find_reflected(work, work.normals, law.options.epsilon, work.violated);
  while (!work.violated.empty()) {  // Algorithm 1, lines 4 to 8, with this R.
    work.watched.poll();
    if (result.iterations == law.options.max_iterations) {
      result.status = ImpactStatus::IterationCap;
      break;
    }
    ++result.iterations;
    reflect(work);
    find_touched(work.island.rows(), work.violated, work.touched);
    find_reflected(work, work.touched, law.options.epsilon, work.violated);
  }
  return result;
}

ImpactResult resolve(const Reflections& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out) {
  return resolve_gauss_seidel_like(
      law.options, [&](ImpactWorkspace& island) { return reflect_together(law, island); }, problem,
      work, out);
}

}  // namespace carom::impact
