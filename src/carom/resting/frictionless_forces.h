// Forces of one island without friction, exactly: with χ̈ = a + R Rᵀ f over contact normals and
// joint rows (Baraff, (1)–(3) and §7),
//
//     0 <= f ⟂ χ̈ >= 0 at contacts,     χ̈ = 0 at joint rows, whose f has any sign,
//
// and of all such f the one of least length in newtons: equal legs share a load equally, and forces
// are unique and continuous in time. Joint rows that contradict one another are met in the
// least-squares sense of unit rows in the energy metric (the paper's appendix B offers the 1-norm).
//
//   1. which contacts are kept: Newton's method in pieces on the accelerations (solvers/
//      piecewise_quadratic.h), a proximal step around the forces at hand, or around what the
//      central path estimates where many contacts change sides; then those rows brought to rest
//   2. which forces do that: least length subject to the same generalized force and f >= 0, the
//      same method on rows without masses, so that a heavy load on a light body is no obstacle
//   3. if round-off shows, the forces that push are found once more against the rows themselves;
//      if too much is left even then, all is repeated with a smaller step
//
// Everything works on rows that act on two bodies each: the cost is that of a few sparse factors of
// as many unknowns as bodies have, two when the forces at hand tell which contacts push. If the
// repetitions end at their cap, the dense route of contact::IslandRows and NonnegativeSolver
// answers. Allocates nothing once warm, but for that route in large islands.
#pragma once

#include "carom/resting/force_problem.h"
#include "carom/solvers/central_path.h"
#include "carom/solvers/least_norm_multipliers.h"
#include "carom/solvers/nonnegative.h"

namespace carom::resting {

enum class ForceStatus {
  Converged,
  ByActiveSet,   // the dense route answered
  IterationCap,  // neither did; the residual tells how far it is
};

struct FrictionlessResult {
  ForceStatus status = ForceStatus::Converged;
  int iterations = 0;   // factors made
  double residual = 0;  // m/s²
};

class FrictionlessForces {
 public:
  // `forces` is where to begin, and the answer.
  FrictionlessResult solve(const contact::ContactProblem& problem, const contact::Island& island,
                           const contact::Rates& accelerations, contact::Impulses& forces);

 private:
  using Index = math::Index;
  void set_up(const contact::Impulses& guess);
  void guess_kept();
  int find_kept(double step);
  void choose_candidates();
  int find_least_forces();
  double push_by(math::ConstVecView z);
  int find_last_digits(double step);
  bool factor_kept(double step);
  int make_consistent();
  FrictionlessResult solve_densely(const contact::ContactProblem& problem,
                                   const contact::Island& island,
                                   const contact::Rates& accelerations, contact::Impulses& forces);

  ForceProblem problem_;
  math::BlockFactor factor_, force_factor_;  // with masses and without
  solvers::PiecewiseQuadratic ramps_;
  solvers::CentralPath path_;
  solvers::LeastNormMultipliers rest_;
  std::vector<solvers::Ramp> candidates_;  // of rows that may push
  std::vector<char> kept_, pushing_;
  bool knows_pushing_ = false;  // what pushes is more than a guess from what is kept
  std::vector<double> x_, center_, t_, zero_;
  math::VecBuffer u_, y_, right_, wrench_, off_;

  contact::IslandRows dense_rows_;
  solvers::NonnegativeSolver dense_;
  std::vector<std::int32_t> normals_;
  math::VecBuffer dense_x_;
};

}  // namespace carom::resting
