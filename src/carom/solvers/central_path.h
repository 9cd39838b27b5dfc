// Which rows of 0 <= x ⟂ b + R Rᵀ x >= 0 push, estimated along the central path: Mehrotra's
// predictor and corrector on x, s = b + R y and y = Rᵀx, two-sided rows held by a stiff spring. A
// dozen or two factors of I + Rᵀ D R whatever the number of rows, where exchanges of sets would
// take as many as rows change sides. An estimate: what it is right about is for others to check.
#pragma once

#include <span>

#include "carom/math/block_factor.h"
#include "carom/solvers/piecewise_quadratic.h"

namespace carom::solvers {

class CentralPath {
 public:
  // Rows are of unit length, b and x have one entry each. `pushes` becomes 1 where x > s, and for
  // two-sided rows. Returns the number of factors made.
  int estimate(const math::BlockRows& rows, std::span<const Ramp> sides, std::span<const double> b,
               math::BlockFactor& factor, std::span<char> pushes, std::span<double> x);

 private:
  struct Problem {
    const math::BlockRows& rows;
    std::span<const Ramp> sides;
    std::span<const double> b;
  };
  void start(const Problem& problem, std::span<double> x);
  double measure(const Problem& problem, std::span<const double> x);
  bool factor_scaled(const Problem& problem, math::BlockFactor& factor, std::span<const double> x);
  void find_step(const Problem& problem, math::BlockFactor& factor, std::span<const double> x,
                 double center, bool corrects);
  double longest(const Problem& problem, std::span<const double> x) const;
  double gap_after(const Problem& problem, std::span<const double> x, double length) const;
  void advance(double length, std::span<double> x);

  std::vector<double> s_, lacking_, dx_, ds_;
  math::VecBuffer y_, dy_, unbalanced_;
  double scale_ = 0;
  int one_sided_ = 0;
};

}  // namespace carom::solvers
