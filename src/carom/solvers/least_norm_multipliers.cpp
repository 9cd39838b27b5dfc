#include "carom/solvers/least_norm_multipliers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::solvers {

namespace {

using math::at;
using math::Index;
using math::VecView;

constexpr int kMaxRounds = 30;
constexpr double kRoundOff = 1e-15;  // of the numbers that a row's rate is the sum of

}  // namespace

SolveResult LeastNormMultipliers::settle(const math::BlockRows& rows, std::span<const char> chosen,
                                         std::span<const double> b, math::BlockFactor& factor,
                                         std::span<double> x, VecView y) {
  auto lacking = lacking_.resize(rows.dimension());
  auto change = change_.resize(rows.dimension());
  SolveResult result{.status = SolveStatus::IterationCap};
  double before = std::numeric_limits<double>::infinity();
  for (; result.iterations < kMaxRounds; ++result.iterations) {
    lacking.setZero();
    double terms = 0;
    for (Index i = 0; i < rows.size(); ++i) {
      if (chosen[at(i)] == 0) continue;
      const double rate = rows.dot(i, y);
      terms = std::max({terms, std::abs(b[at(i)]), std::abs(rate)});
      rows.add_to(lacking, i, -b[at(i)] - rate);
    }
    factor.solve_in_place(lacking);
    result.residual = 0;
    for (Index i = 0; i < rows.size(); ++i) {
      if (chosen[at(i)] != 0)
        result.residual = std::max(result.residual, std::abs(rows.dot(i, lacking)));
    }
    const bool stalls = result.residual > 0.9 * before;
    if (result.residual <= kRoundOff * terms || stalls) {
      result.status = SolveStatus::Converged;
      break;
    }
    before = result.residual;
    change = lacking;
    factor.solve_in_place(change);
    for (Index i = 0; i < rows.size(); ++i) {
      if (chosen[at(i)] == 0) continue;
      const double more = rows.dot(i, change);
      x[at(i)] += more;
      rows.add_to(y, i, more);
    }
  }
  return result;
}

}  // namespace carom::solvers
