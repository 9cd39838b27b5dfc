#include "carom/dynamics/free_spin.h"

#include <cmath>
#include <limits>

namespace carom::dynamics {
namespace {

constexpr int kMaxIterations = 60;

// Cayley's transform of the rotation vector as a quaternion.
Quat cayley(const Vec3& turn) {
  return Quat(1, 0.5 * turn.x(), 0.5 * turn.y(), 0.5 * turn.z()).normalized();
}

struct Midpoint {
  bool converged = false;
  Quat turn;  // of the body over the step, in body axes
  int iterations = 0;
};

// Ω = I⁻¹ (M + M')/2 with M' = cay(h Ω)ᵀ M, which is M' − M = h (M + M')/2 × Ω.
Midpoint solve_midpoint(const Vec3& moments, const Vec3& M, double h) {
  constexpr double kSettled = 4 * std::numeric_limits<double>::epsilon();
  Midpoint result;
  Vec3 w = M.cwiseQuotient(moments);
  for (; result.iterations < kMaxIterations && !result.converged; ++result.iterations) {
    result.turn = cayley(h * w);
    const Vec3 M_next = math::rotate(result.turn.conjugate(), M);
    const Vec3 next = (0.5 * (M + M_next)).cwiseQuotient(moments);
    result.converged = (next - w).norm() <= kSettled * next.norm();
    w = next;
  }
  return result;
}

}  // namespace

FreeSpin integrate_free_spin(const math::PrincipalInertia& inertia,
                             const math::RotationState& start, double duration, int steps) {
  FreeSpin result;
  const double h = duration / steps;
  Quat q_WP = start.q * inertia.q_BP;
  Vec3 M = inertia.moments.cwiseProduct(math::rotate(q_WP.conjugate(), start.w));
  while (result.steps < steps && result.status == IntegrationStatus::Converged) {
    const Midpoint midpoint = solve_midpoint(inertia.moments, M, h);
    result.iterations += midpoint.iterations;
    if (!midpoint.converged) {
      result.status = M.allFinite() ? IntegrationStatus::StepLimit : IntegrationStatus::NotFinite;
      break;
    }
    M = math::rotate(midpoint.turn.conjugate(), M);
    q_WP = (q_WP * midpoint.turn).normalized();
    ++result.steps;
  }
  result.end.q = q_WP * inertia.q_BP.conjugate();
  result.end.w = math::rotate(q_WP, M.cwiseQuotient(inertia.moments));
  return result;
}

}  // namespace carom::dynamics
