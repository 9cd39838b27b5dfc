// The point z of least length with R z >= -b, and multipliers x >= 0 with z = Rᵀx: the dual
// active-set method of Goldfarb and Idnani with the identity as its matrix. Constraints enter one
// at a time, the most violated first, and leave when their multiplier would turn negative; the dual
// objective rises with every step, so that no set comes twice. Works on the rows themselves, not on
// their products, so rows that nearly oppose each other cost half as many digits as they would in
// R Rᵀ. Dense: d k for every step with k rows active, d k² when one leaves.
#pragma once

#include "carom/math/block_rows.h"

namespace carom::solvers {

enum class ActiveSetStatus { Solved, Infeasible, IterationCap };

class DualActiveSet {
 public:
  struct Result {
    ActiveSetStatus status = ActiveSetStatus::Solved;
    int iterations = 0;
  };
  // Rows and b are scaled to unit length by `scale`, one entry per row of R (zero: left out). The
  // multipliers of unit rows are written to `x` for the rows in `chosen`.
  Result solve(const math::BlockRows& rows, std::span<const std::int32_t> chosen,
               std::span<const double> scale, math::VecIn b, std::span<double> x);

 private:
  struct Problem;
  std::int32_t find_most_violated(const Problem& problem, double& violation);
  ActiveSetStatus enforce(const Problem& problem, std::int32_t row, double violation);
  bool decompose(const Problem& problem, std::int32_t row);
  void append();
  void drop(const Problem& problem, std::size_t active);

  std::vector<std::int32_t> active_;
  std::vector<double> multipliers_;
  std::vector<char> is_active_;
  math::MatBuffer basis_, triangle_;  // active rows = basis · triangle, column by column
  math::VecBuffer z_, rest_, along_, dual_;
  double rest_norm2_ = 0;
  math::Index factored_ = 0;  // columns of the factors
};

}  // namespace carom::solvers
