// Impulses that carry resting contacts and joints through a step. They are found at the velocity
// level, where they always exist, as the inelastic response to what the velocities would be at the
// end of the step, and are then spread over the step as constant forces:
//
//   0 <= p_n ⟂ u_n >= 0,   |p_t| <= μ p_n opposing u_t,   joint rows at rest,
//   |κ| <= μ_r p_n opposing u_κ,                            and about the normal as well μ_s p_n,
//
// where κ R is a couple and u_κ is R times the relative angular velocity. A contact that slides, or
// turns, at the start keeps the direction of its friction through the step.
//
// Here u = u_free + J M⁻¹ Jᵀ p, and u_free are the rates that contact/step_rates.h predicts for the
// end of the step, or for its average (contact/mid_step.h). Under constant forces every centre of
// mass moves on a parabola, so bodies at rest stay where they are to round-off, and free ones are
// not touched.
#pragma once

#include "carom/base/workers.h"
#include "carom/resting/island_forces.h"

namespace carom::resting {

struct CarryResult {
  int iterations = 0;       // the most of an island
  double residual = 0;      // m/s, the greatest that a solver left
  double stop_after = 1;    // IslandForces', the least of all
  double fastest_late = 0;  // m/s; the most of all
  bool jams = false;        // any of them
};

class Carrier {
 public:
  explicit Carrier(base::Workers& workers) : workers_(workers) {}

  // Every island by itself, in parallel; the answer does not depend on the number of threads.
  // `rates` are those of the end of the step (contact::StepRates), `resting` and `impulses` as in
  // island_forces.h.
  CarryResult carry(const contact::ContactProblem& problem, const contact::Rates& rates,
                    double resting, const ForceOptions& options, contact::Impulses& impulses);

  // The same for impacts (IslandSolver::collide), of the islands that are flagged.
  CarryResult collide(const contact::ContactProblem& problem, const contact::Rates& rates,
                      std::span<const char> islands, std::span<const double> restitution,
                      const ForceOptions& options, contact::Impulses& impulses);

  // Couples after an impact law (IslandSolver::resist_turning), where contacts resist turning.
  CarryResult resist_turning(const contact::ContactProblem& problem, const contact::Rates& rates,
                             contact::Impulses& impulses);

 private:
  template <typename Solve>
  CarryResult solve_islands(const contact::ContactProblem& problem, const Solve& solve);

  base::Workers& workers_;
  std::vector<IslandSolver> solvers_;  // one per island
  std::vector<IslandForces> forces_;
};

}  // namespace carom::resting
