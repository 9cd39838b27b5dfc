// Impulses that carry resting contacts and joints through a step. They are found at the velocity
// level, where they always exist, as the inelastic response to what the velocities would be at the
// end of the step, and are then spread over the step as constant forces:
//
//   0 <= p_n ⟂ n·v(t+h) + χ̈₀ h >= 0,   |p_t| <= μ p_n opposing v_t(t+h),   joint rows at rest,
//
// with v(t+h) = v + h M⁻¹(f + forces) and χ̈₀ the part of the gap's acceleration that velocities
// cause (Baraff, appendix A). Under constant forces every centre of mass moves on a parabola, so
// bodies at rest stay where they are to round-off, and free ones are not touched.
#pragma once

#include "carom/contact/island_system.h"
#include "carom/solvers/cone_complementarity.h"

namespace carom::resting {

struct CarryResult {
  solvers::SolveStatus status = solvers::SolveStatus::Converged;
  double residual = 0;  // m/s
};

class Carrier {
 public:
  explicit Carrier(const Scene& scene) : scene_(scene) {}

  // `problem` holds the resting contacts and the joints at `state`; `out` the impulses over
  // `duration`.
  CarryResult carry(const contact::ContactProblem& problem, const State& state, double duration,
                    contact::Impulses& out);

 private:
  void predict_rates(const contact::ContactProblem& problem, const State& state, double duration);
  void predict_joint_rates(const contact::ContactProblem& problem, const State& state,
                           double duration);

  const Scene& scene_;
  contact::IslandSystem system_;
  std::vector<Twist> gained_;  // per block: velocity gained from gravity and gyration
  std::vector<Vec3> contact_rates_;
  std::vector<double> equality_rates_;
  std::vector<double> friction_;
  State ahead_;  // where velocities alone would take the bodies
  std::vector<dynamics::JointRow> rows_ahead_;
  math::VecBuffer impulse_, velocity_;
};

}  // namespace carom::resting
