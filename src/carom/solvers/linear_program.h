// Linear programs: minimise cᵀx over lower <= x <= upper with lower <= A x <= upper row by row, A
// sparse by columns. A thin face of CLP's dual and primal simplex (without its presolve,
// perturbation and quadratic side): the answer is a vertex, with its duals, or a ray that proves
// that there is none. What the library says is checked by solvers/residual.h and the figures are
// carried in the result.
//
//   duals   y with c - Aᵀy >= 0 where x is at its lower bound, <= 0 at its upper, 0 between;
//           y_i >= 0 where row i is at its lower bound, <= 0 at its upper
//   ray     Infeasible: the y of a Farkas certificate; Unbounded: a direction x
//
// The library allocates its model at every call; nothing that must not allocate may solve one.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "carom/solvers/residual.h"

namespace carom::solvers {

struct LinearProgram {
  struct Bounds {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
  };
  struct Entry {
    int row;
    double value;
  };

  std::vector<double> cost;
  std::vector<Bounds> column_bounds, row_bounds;
  std::vector<Entry> entries;  // column by column
  std::vector<int> starts;     // of each column in `entries`

  std::size_t columns() const { return cost.size(); }
  std::size_t rows() const { return row_bounds.size(); }
  std::span<const Entry> column(std::size_t j) const;

  void add_row(const Bounds& bounds) { row_bounds.push_back(bounds); }
  // Opens a column; the entries that follow are its own.
  void add_column(double its_cost, const Bounds& bounds);
  void add_entry(int row, double value) { entries.push_back({row, value}); }
};

enum class LinearProgramStatus {
  Optimal,
  Infeasible,
  Unbounded,
  IterationCap,
  Failed,  // the library gave up
};

struct LinearProgramResult {
  LinearProgramStatus status = LinearProgramStatus::Failed;
  int iterations = 0;
  double objective = 0;
  std::vector<double> x, duals, ray;
  LinearProgramResidual residual;  // of x and the duals, if Optimal
  Certificate certificate;         // of the ray, if Infeasible or Unbounded
};

struct LinearProgramOptions {
  double tolerance = 1e-9;  // of bounds and of reduced costs, absolute
  int max_iterations = 100'000;
};

[[nodiscard]] LinearProgramResult solve_linear_program(const LinearProgram& problem,
                                                       const LinearProgramOptions& options = {});

}  // namespace carom::solvers
