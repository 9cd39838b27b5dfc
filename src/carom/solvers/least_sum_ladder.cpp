#include "carom/solvers/least_sum_ladder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/solvers/linear_program.h"

namespace carom::solvers {

namespace {

using math::BlockRows;
using math::Index;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kVanishes = 1e-8;  // a row's excess, beside a greatest |b| of one

// The problem in unit rows, those with a sign first: A j >= right.
struct Scaled {
  std::vector<std::int32_t> rows;
  std::size_t signs = 0;  // how many rows have one
  std::vector<double> length, right, cost;
  double scale = 0;
  std::vector<LinearProgram::Entry> entries;
  std::vector<int> starts;

  explicit Scaled(const LadderProblem& problem)
      : rows(problem.chosen.begin(), problem.chosen.end()), signs(rows.size()) {
    rows.insert(rows.end(), problem.equalities.begin(), problem.equalities.end());
    for (const std::int32_t row : rows) {
      length.push_back(std::sqrt(problem.rows.squared_norm(row)));
      right.push_back(-problem.b[row] / length.back());
      scale = std::max(scale, std::abs(right.back()));
      const double in_sum =
          problem.in_sum.empty() ? 1 : problem.in_sum[static_cast<std::size_t>(row)];
      cost.push_back(length.size() <= signs ? in_sum / length.back() : 0);
    }
    for (double& each : right) each /= scale;
    const double dearest = cost.empty() ? 0 : *std::max_element(cost.begin(), cost.end());
    for (double& each : cost) each /= dearest > 0 ? dearest : 1;
    add_entries(problem.rows);
  }

  void add_entries(const BlockRows& of) {
    std::vector<int> place(static_cast<std::size_t>(of.size()), -1);
    for (std::size_t i = 0; i < rows.size(); ++i)
      place[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
    std::vector<int> coupled;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      coupled.clear();
      for (const int part : {0, 1}) {
        if (of.stretch_of(rows[k], part) == BlockRows::kNone) continue;
        for (const std::int32_t other : of.rows_on(of.stretch_of(rows[k], part)))
          if (const int i = place[static_cast<std::size_t>(other)]; i >= 0) coupled.push_back(i);
      }
      std::sort(coupled.begin(), coupled.end());
      coupled.erase(std::unique(coupled.begin(), coupled.end()), coupled.end());
      starts.push_back(static_cast<int>(entries.size()));
      for (const int i : coupled) {
        const auto other = static_cast<std::size_t>(i);
        const double entry =
            of.dot(Index{rows[other]}, Index{rows[k]}) / (length[other] * length[k]);
        if (entry != 0) entries.push_back({i, entry});
      }
    }
  }
};

LinearProgram make_program(const Scaled& problem, std::span<const char> vanishes, bool equations) {
  LinearProgram program;
  for (std::size_t k = 0; k < problem.right.size(); ++k) {
    const bool joint = k >= problem.signs;
    const bool free_to_exceed = !joint && (!equations || vanishes[k] != 0);
    program.add_row({problem.right[k], free_to_exceed ? kInfinity : problem.right[k]});
    program.cost.push_back(problem.cost[k]);
    program.column_bounds.push_back({joint ? -kInfinity : 0, vanishes[k] != 0 ? 0 : kInfinity});
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
  for (std::size_t k = 0; k < problem.signs; ++k) vanishes[k] = excess[k] > kVanishes ? 1 : 0;
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

Rung climb_least_sum_ladder(const LadderProblem& problem, math::VecView j) {
  for (const std::int32_t row : problem.chosen) j[row] = 0;
  for (const std::int32_t row : problem.equalities) j[row] = 0;
  const Scaled scaled(problem);
  if (scaled.scale == 0) return Rung::NothingVanishes;
  const Climbed climbed = climb(scaled);
  for (std::size_t k = 0; k < climbed.j.size(); ++k) {
    const double found = k < scaled.signs ? std::max(0.0, climbed.j[k]) : climbed.j[k];
    j[scaled.rows[k]] = found * scaled.scale / scaled.length[k];
  }
  return climbed.rung;
}

}  // namespace carom::solvers
