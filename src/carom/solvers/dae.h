// Differential-algebraic equations 0 = F(t, y, y') of index 1 by backward differentiation of
// variable step and order, with root finding and quadratures: a thin face of IDAS with the sparse
// direct solver KLU (SUNDIALS). One step at a time, so that the caller may look at each, end it
// where it wants (`stop`) and change what F does where the solution stays smooth.
//
// Memory is taken when the size or the pattern of the Jacobian changes, not by steps.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "carom/math/buffers.h"

namespace carom::solvers {

// A square matrix by columns: the rows of column j are rows[starts[j]] … rows[starts[j + 1] - 1],
// ascending.
struct SparsePattern {
  std::vector<std::int64_t> starts, rows;
};

struct DaeSystem {
  using In = math::ConstVecView;
  // False where F cannot be evaluated: the step is then tried shorter.
  std::function<bool(double t, const In& y, const In& rate, math::VecView& residual)> residual;
  // ∂F/∂y + c ∂F/∂y', the values in the order of the pattern.
  std::function<void(double t, double c, const In& y, const In& rate, math::VecView& values)>
      jacobian;
  std::function<void(double t, const In& y, math::VecView& roots)> roots;
  // One for each component: an error of 1/weight is what a step may have.
  std::function<void(const In& y, math::VecView& weights)> weights;
  // The rates of what is integrated along, by the same formulas.
  std::function<void(double t, const In& y, const In& rate, math::VecView& out)> quadrature;
  int root_count = 0;
};

enum class DaeStatus {
  Stepped,
  Stopped,  // where it was told to
  Rooted,   // a root was found in the step; what lies behind it is the next one's
  Failed,   // no step was short enough, or the corrector did not converge
};

struct DaeCounts {
  std::int64_t steps = 0, residuals = 0, jacobians = 0, error_failures = 0, corrector_failures = 0;
};

class DaeSolver {
 public:
  explicit DaeSolver(DaeSystem system);
  ~DaeSolver();

  // From here on, with nothing known of the past, quadratures from zero: one for each of the errors
  // allowed in them. `first_step` > 0.
  void restart(double t, math::VecIn y, math::VecIn rate, double first_step,
               math::VecIn quadrature_errors);

  // Of the Jacobian, from the next factorisation on.
  void set_pattern(const SparsePattern& pattern);

  // One step, or less: not beyond `stop`.
  [[nodiscard]] DaeStatus step(double stop);
  double time() const;  // reached
  math::ConstVecView y() const;
  math::ConstVecView rate() const;
  double last_step() const;
  double next_step() const;
  int order() const;

  // y or y', and quadratures, anywhere in the last step.
  void interpolate(double t, int derivative, math::VecView out);
  math::ConstVecView quadratures(double t);

  DaeCounts counts() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace carom::solvers
