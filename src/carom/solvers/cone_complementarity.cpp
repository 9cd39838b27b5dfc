#include "carom/solvers/cone_complementarity.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

namespace {

using math::ConstMatView;
using math::ConstVecView;
using math::Index;
using math::VecView;

// One problem in the middle of a sweep; velocity = w + A x is kept up to date.
struct Sweep {
  ConstMatView A;
  VecView x, velocity;

  // Moves x_i by `change` and returns by how much its own velocity changed.
  double move(Index i, double change) {
    if (change == 0) return 0;
    x[i] += change;
    velocity += change * A.col(i);
    return std::abs(change * A(i, i));
  }

  double relax_normal(Index i) {
    if (A(i, i) <= 0) return 0;
    return move(i, std::max(-x[i], -velocity[i] / A(i, i)));
  }

  // A projected gradient step on the disc; the trace bounds the larger eigenvalue of the 2×2 block.
  double relax_tangents(Index i, double radius) {
    const double stiffness = A(i, i) + A(i + 1, i + 1);
    if (stiffness <= 0) return 0;
    const double bound = largest_eigenvalue(A(i, i), A(i, i + 1), A(i + 1, i + 1));
    double a = x[i] - velocity[i] / bound;
    double b = x[i + 1] - velocity[i + 1] / bound;
    const double length = std::hypot(a, b);
    if (length > radius) {
      a *= radius / length;
      b *= radius / length;
    }
    return std::max(move(i, a - x[i]), move(i + 1, b - x[i + 1]));
  }

  static double largest_eigenvalue(double a, double b, double c) {
    return 0.5 * (a + c) + std::hypot(0.5 * (a - c), b);
  }

  // The natural map's residual, in velocity.
  double normal_residual(Index i) const {
    return A(i, i) > 0 ? std::abs(std::min(velocity[i], x[i] * A(i, i))) : 0;
  }
};

template <typename Relax>
SolveResult run_sweeps(Sweep& sweep, ConstVecView w, const SweepOptions& options,
                       const Relax& relax) {
  const Index blocks = w.size() / 3;
  SolveResult result{.status = SolveStatus::IterationCap};
  while (result.iterations < options.max_sweeps) {
    // Start every sweep from the true velocity: round-off of the updates must not add up.
    sweep.velocity = w;
    sweep.velocity.noalias() += sweep.A * sweep.x;
    ++result.iterations;
    double change = 0;
    for (Index k = 0; k < blocks; ++k) change = std::max(change, relax(k));
    if (!(change > options.tolerance)) {
      result.status = SolveStatus::Converged;
      break;
    }
  }
  sweep.velocity = w;
  sweep.velocity.noalias() += sweep.A * sweep.x;
  return result;
}

}  // namespace

SolveResult solve_cone_complementarity(ConstMatView A, ConstVecView w,
                                       std::span<const double> friction, VecView x,
                                       VecView velocity, const SweepOptions& options) {
  Sweep sweep{A, x, velocity};
  SolveResult result = run_sweeps(sweep, w, options, [&](Index k) {
    const double normal = sweep.relax_normal(3 * k);
    const double mu = friction[static_cast<std::size_t>(k)];
    return std::max(normal, mu > 0 ? sweep.relax_tangents(3 * k + 1, mu * x[3 * k]) : 0.0);
  });
  for (Index k = 0; k < w.size() / 3; ++k) {
    result.residual = std::max(result.residual, sweep.normal_residual(3 * k));
  }
  return result;
}

SolveResult solve_friction(ConstMatView A, ConstVecView w, std::span<const double> radii, VecView x,
                           VecView velocity, const SweepOptions& options) {
  Sweep sweep{A, x, velocity};
  SolveResult result = run_sweeps(sweep, w, options, [&](Index k) {
    const double radius = radii[static_cast<std::size_t>(k)];
    return radius > 0 ? sweep.relax_tangents(3 * k + 1, radius) : 0.0;
  });
  for (Index k = 0; k < w.size() / 3; ++k) {
    const double radius = radii[static_cast<std::size_t>(k)];
    if (radius <= 0) continue;
    const double slip = std::hypot(velocity[3 * k + 1], velocity[3 * k + 2]);
    const double used = std::hypot(x[3 * k + 1], x[3 * k + 2]);
    if (used < radius * (1 - 1e-9)) result.residual = std::max(result.residual, slip);
  }
  return result;
}

}  // namespace carom::solvers
