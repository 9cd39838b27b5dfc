#include "carom/impact/least_sum_heuristic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/solvers/linear_program.h"

namespace carom::impact {

namespace {

using math::BlockRows;
using math::Index;
using solvers::LinearProgram;
using solvers::LinearProgramResult;
using solvers::LinearProgramStatus;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kVanishes = 1e-8;  // a row's excess, beside a greatest |b| of one

// The problem in unit rows: A j >= right.
struct Scaled {
  std::vector<double> length, right;
  double scale = 0, shortest = kInfinity;
  std::vector<LinearProgram::Entry> entries;
  std::vector<int> starts;

  Scaled(const BlockRows& rows, std::span<const std::int32_t> chosen, math::ConstVecView b) {
    for (const std::int32_t row : chosen) {
      length.push_back(std::sqrt(rows.squared_norm(row)));
      right.push_back(-b[row] / length.back());
      scale = std::max(scale, std::abs(right.back()));
      shortest = std::min(shortest, length.back());
    }
    for (double& each : right) each /= scale;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      starts.push_back(static_cast<int>(entries.size()));
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        const double entry = rows.dot(Index{chosen[i]}, Index{chosen[k]}) / (length[i] * length[k]);
        if (entry != 0) entries.push_back({static_cast<int>(i), entry});
      }
    }
  }
};

LinearProgram make_program(const Scaled& problem, std::span<const char> vanishes, bool equations) {
  LinearProgram program;
  for (std::size_t k = 0; k < problem.right.size(); ++k) {
    const bool free_to_exceed = !equations || vanishes[k] != 0;
    program.add_row({problem.right[k], free_to_exceed ? kInfinity : problem.right[k]});
    program.cost.push_back(problem.shortest / problem.length[k]);
    program.column_bounds.push_back({0, vanishes[k] != 0 ? 0 : kInfinity});
  }
  program.entries = problem.entries;
  program.starts = problem.starts;
  return program;
}

void predict(const Scaled& problem, const std::vector<double>& j, std::vector<char>& vanishes) {
  std::vector<double> excess(problem.right.size());
  for (std::size_t k = 0; k < excess.size(); ++k) excess[k] = -problem.right[k];
  for (std::size_t k = 0; k < excess.size(); ++k) {
    const std::size_t end = k + 1 < excess.size() ? static_cast<std::size_t>(problem.starts[k + 1])
                                                  : problem.entries.size();
    for (auto e = static_cast<std::size_t>(problem.starts[k]); e < end; ++e) {
      const auto& [row, value] = problem.entries[e];
      excess[static_cast<std::size_t>(row)] += value * j[k];
    }
  }
  for (std::size_t k = 0; k < excess.size(); ++k) vanishes[k] = excess[k] > kVanishes ? 1 : 0;
}

struct Climbed {
  Rung rung = Rung::Failed;
  std::vector<double> j;
};

Climbed climb(const Scaled& problem) {
  std::vector<char> vanishes(problem.right.size(), 0);
  LinearProgramResult solved = solve_linear_program(make_program(problem, vanishes, true));
  if (solved.status == LinearProgramStatus::Optimal)
    return {Rung::NothingVanishes, std::move(solved.x)};
  const LinearProgramResult least = solve_linear_program(make_program(problem, vanishes, false));
  if (least.status != LinearProgramStatus::Optimal) return {};
  predict(problem, least.x, vanishes);
  solved = solve_linear_program(make_program(problem, vanishes, true));
  if (solved.status == LinearProgramStatus::Optimal) return {Rung::Predicted, std::move(solved.x)};
  return {Rung::LeastSum, least.x};
}

}  // namespace

Rung climb_least_sum_ladder(const BlockRows& rows, std::span<const std::int32_t> chosen,
                            math::ConstVecView b, math::VecView j) {
  for (const std::int32_t row : chosen) j[row] = 0;
  const Scaled problem(rows, chosen, b);
  if (problem.scale == 0) return Rung::NothingVanishes;
  const Climbed climbed = climb(problem);
  for (std::size_t k = 0; k < climbed.j.size(); ++k)
    j[chosen[k]] = std::max(0.0, climbed.j[k]) * problem.scale / problem.length[k];
  return climbed.rung;
}

}  // namespace carom::impact
