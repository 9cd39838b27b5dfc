// Impulses that carry resting contacts and joints through a step. They are found at the velocity
// level, where they always exist, as the inelastic response to what the velocities would be at the
// end of the step, and are then spread over the step as constant forces:
//
//   0 <= p_n ⟂ n·v(t+h) + χ̈₀ h >= 0,   |p_t| <= μ p_n opposing v_t(t+h),   joint rows at rest,
//
// A contact that slides at the start keeps the direction of its friction through the step.
//
// Here v(t+h) = v + h M⁻¹(f + forces) and χ̈₀ is the part of the gap's acceleration that velocities
// cause (Baraff, appendix A). Under constant forces every centre of mass moves on a parabola, so
// bodies at rest stay where they are to round-off, and free ones are not touched.
#pragma once

#include "carom/contact/island_rows.h"
#include "carom/solvers/cone_interior_point.h"

namespace carom::resting {

struct CarryResult {
  solvers::SolveStatus status = solvers::SolveStatus::Converged;
  double residual = 0;  // m/s, where the sweeps ended
  // Below 1 when something that slides at the start would slide back at the end: it stops after
  // this part of the step, where its friction changes.
  double stop_after = 1;
};

class Carrier {
 public:
  // `rates` are those of the end of the step (contact::StepRates). Speeds below `resting` count as
  // none: slip at the start, and what the solution leaves at the end.
  CarryResult carry(const contact::ContactProblem& problem, const contact::Rates& rates,
                    double resting, contact::Impulses& out);

 private:
  solvers::SolveResult solve_island(std::span<const double> friction,
                                    std::span<const solvers::SlipDirection> sliding);
  solvers::SolveResult sweep(std::span<const double> friction,
                             std::span<const solvers::SlipDirection> sliding, int max_sweeps);

  contact::IslandRows island_rows_;
  std::vector<double> friction_;
  std::vector<solvers::SlipDirection> sliding_;
  solvers::SweepScratch sweep_;
  solvers::ConeInteriorPoint interior_;
  math::VecBuffer impulse_, swept_, velocity_;
};

}  // namespace carom::resting
