// The point of least length in the convex hull of unit vectors, by Wolfe's algorithm, as far as it
// takes to decide Gordan's alternative: either some w has p_j·w >= ε|w| for every point (the
// shortest point itself, when it is longer than ε), or the weights of a point shorter than ε are a
// convex combination that vanishes to ε. Either answer is its own certificate.
#pragma once

#include <vector>

#include "carom/math/buffers.h"

namespace carom::solvers {

enum class Gordan { Separated, Vanishing, IterationCap };

class ShortestPoint {
 public:
  // Columns of `points` have unit length.
  Gordan decide(const math::ConstMatView& points, double epsilon);

  math::ConstVecView point() const { return point_.view(); }  // w, when Separated
  // Columns and their weights, all positive, when Vanishing.
  const std::vector<math::Index>& corral() const { return corral_; }
  const std::vector<double>& weights() const { return weights_; }

 private:
  void solve_affine(const math::ConstMatView& points);
  bool step_to_affine();
  void update_point(const math::ConstMatView& points);

  std::vector<math::Index> corral_;
  std::vector<double> weights_, affine_;
  math::VecBuffer point_;
  math::MatBuffer gram_;
};

}  // namespace carom::solvers
