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

  // Along (1, -μ s): the normal with the friction that goes with it. Where friction would drive
  // the contact in faster than the normal pushes it out, the direction is of no use.
  double relax_sliding(Index i, double mu, const SlipDirection& slip) {
    const double gain = sliding_gain(i, mu, slip);
    if (gain <= 0) return std::max(relax_normal(i), relax_tangents(i + 1, mu * x[i]));
    const double change = std::max(-x[i], -velocity[i] / gain);
    move(i + 1, -mu * slip.first * (x[i] + change) - x[i + 1]);
    move(i + 2, -mu * slip.second * (x[i] + change) - x[i + 2]);
    move(i, change);
    return std::abs(change * gain);
  }
  double sliding_gain(Index i, double mu, const SlipDirection& slip) const {
    return A(i, i) - mu * (slip.first * A(i, i + 1) + slip.second * A(i, i + 2));
  }

  // Where a projected gradient step on the disc takes the tangents.
  struct DiscStep {
    double first = 0, second = 0;  // changes of x
    double stiffness = 0;          // the larger eigenvalue of the 2×2 block
  };
  DiscStep step_on_disc(Index i, double radius) const {
    const double stiffness = largest_eigenvalue(A(i, i), A(i, i + 1), A(i + 1, i + 1));
    if (stiffness <= 0) return {};
    double a = x[i] - velocity[i] / stiffness;
    double b = x[i + 1] - velocity[i + 1] / stiffness;
    const double length = std::hypot(a, b);
    if (length > radius) {
      a *= radius / length;
      b *= radius / length;
    }
    return {a - x[i], b - x[i + 1], stiffness};
  }

  double relax_tangents(Index i, double radius) {
    const DiscStep step = step_on_disc(i, radius);
    return std::max(move(i, step.first), move(i + 1, step.second));
  }

  static double largest_eigenvalue(double a, double b, double c) {
    return 0.5 * (a + c) + std::hypot(0.5 * (a - c), b);
  }

  // Residuals of the natural map, in velocity: zero for a solution and for nothing else.
  double normal_residual(Index i) const {
    return A(i, i) > 0 ? std::abs(std::min(velocity[i], x[i] * A(i, i))) : 0;
  }
  double tangent_residual(Index i, double radius) const {
    const DiscStep step = step_on_disc(i, radius);
    return step.stiffness * std::hypot(step.first, step.second);
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
  const auto slip_of = [&](Index k) {
    return options.sliding.empty() ? SlipDirection{} : options.sliding[static_cast<std::size_t>(k)];
  };
  SolveResult result = run_sweeps(sweep, w, options, [&](Index k) {
    const double mu = friction[static_cast<std::size_t>(k)];
    if (mu > 0 && slip_of(k).slides()) return sweep.relax_sliding(3 * k, mu, slip_of(k));
    const double normal = sweep.relax_normal(3 * k);
    return std::max(normal, mu > 0 ? sweep.relax_tangents(3 * k + 1, mu * x[3 * k]) : 0.0);
  });
  for (Index k = 0; k < w.size() / 3; ++k) {
    const double mu = friction[static_cast<std::size_t>(k)];
    const bool free = mu > 0 && !slip_of(k).slides();
    const double tangents = free ? sweep.tangent_residual(3 * k + 1, mu * x[3 * k]) : 0.0;
    result.residual = std::max({result.residual, sweep.normal_residual(3 * k), tangents});
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
    result.residual = std::max(result.residual, sweep.tangent_residual(3 * k + 1, radius));
  }
  return result;
}

}  // namespace carom::solvers
