// What a solver says of its answer.
#pragma once

namespace carom::solvers {

enum class SolveStatus { Converged, IterationCap };

struct SolveResult {
  SolveStatus status = SolveStatus::Converged;
  int iterations = 0;
  double residual = 0;  // velocity; recomputed from the problem and the answer after the last one
};

}  // namespace carom::solvers
