#include "carom/solvers/cone_complementarity.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

namespace {

using math::BlockRows;
using math::Index;
using math::VecIn;
using math::VecView;

constexpr int kSweepsFromOneStart = 8;

// One problem in the middle of a sweep; y = Rᵀ x is kept up to date.
struct Sweep {
  const BlockRows& rows;
  VecIn w;
  VecView x, y;
  std::span<const OwnBlock> own;
  double softness;
  std::span<const Couple> couples;
  std::span<const double> couple_stiffness;

  double velocity(Index i) const { return w[i] + rows.dot(i, y.data()); }
  const OwnBlock& block(Index contact) const { return own[static_cast<std::size_t>(contact)]; }

  void move(Index i, double change) {
    if (change == 0) return;
    x[i] += change;
    rows.add_to(y, i, change);
  }

  double relax_normal(Index k) {
    const double stiffness = block(k).nn, soft = softness * stiffness;
    if (stiffness <= 0) return 0;
    const double change =
        std::max(-x[3 * k], -(velocity(3 * k) + soft * x[3 * k]) / (stiffness + soft));
    move(3 * k, change);
    return std::abs(change * stiffness);
  }

  // Along (1, -μ s): the normal with the friction that goes with it. Where friction would drive
  // the contact in faster than the normal pushes it out, the direction is of no use.
  double relax_sliding(Index k, double mu, const SlipDirection& slip) {
    const Index i = 3 * k;
    const double gain = block(k).nn - mu * (slip.first * block(k).n1 + slip.second * block(k).n2);
    if (gain <= 0) return std::max(relax_normal(k), relax_tangents(k, mu * x[i]));
    move(i + 1, -mu * slip.first * x[i] - x[i + 1]);  // what is there already, in its direction
    move(i + 2, -mu * slip.second * x[i] - x[i + 2]);
    const double soft = softness * block(k).nn;
    const double change = std::max(-x[i], -(velocity(i) + soft * x[i]) / (gain + soft));
    move(i + 1, -mu * slip.first * change);
    move(i + 2, -mu * slip.second * change);
    move(i, change);
    return std::abs(change * gain);
  }

  // Where a projected gradient step on the disc takes the tangents: changes of x.
  struct DiscStep {
    double first = 0, second = 0;
    double length() const { return std::sqrt(first * first + second * second); }
  };
  DiscStep step_on_disc(Index k, double radius) const {
    const Index i = 3 * k + 1;
    const double stiffness = block(k).tangents;
    if (stiffness <= 0) return {};
    double a = x[i] - velocity(i) / stiffness;
    double b = x[i + 1] - velocity(i + 1) / stiffness;
    const double length = std::sqrt(a * a + b * b);
    if (length > radius) {
      a *= radius / length;
      b *= radius / length;
    }
    return {a - x[i], b - x[i + 1]};
  }

  double relax_tangents(Index k, double radius) {
    const DiscStep step = step_on_disc(k, radius);
    move(3 * k + 1, step.first);
    move(3 * k + 2, step.second);
    return block(k).tangents * step.length();
  }

  // Of the k-th couple: the change that its law asks for.
  Vec3 couple_step(std::size_t k) const {
    const Couple& couple = couples[k];
    const double stiffness = couple_stiffness[k];
    if (stiffness <= 0) return Vec3::Zero();
    const Index i = first_row(k);
    const Vec3 own_part = x.segment<3>(i);
    const double radius = couple.coefficient * std::max(0.0, x[3 * couple.contact]);
    if (couple.is_turning()) return -radius * couple.turns - own_part;
    const Vec3 u(velocity(i), velocity(i + 1), velocity(i + 2));
    return onto_ball(own_part - u / stiffness, radius) - own_part;
  }
  Index first_row(std::size_t couple) const {
    return static_cast<Index>(3 * (own.size() + couple));
  }

  double relax_couple(std::size_t k) {
    const Vec3 step = couple_step(k);
    for (int axis = 0; axis < 3; ++axis) move(first_row(k) + axis, step[axis]);
    return couple_stiffness[k] * step.norm();
  }
  double couple_residual() const {
    double greatest = 0;
    for (std::size_t k = 0; k < couples.size(); ++k)
      greatest = std::max(greatest, couple_stiffness[k] * couple_step(k).norm());
    return greatest;
  }

  // Residuals of the natural map, in velocity: zero for a solution and for nothing else.
  double normal_residual(Index k) const {
    const double stiffness = block(k).nn;
    return stiffness > 0 ? std::abs(std::min(velocity(3 * k), x[3 * k] * stiffness)) : 0;
  }
  double tangent_residual(Index k, double radius) const {
    const DiscStep step = step_on_disc(k, radius);
    return block(k).tangents * step.length();
  }

  void recompute() {
    y.setZero();
    for (Index i = 0; i < x.size(); ++i) {
      if (x[i] != 0) rows.add_to(y, i, x[i]);
    }
  }
};

// `rough` holds a number per contact that is positive where there is friction.
Sweep make_sweep(const BlockRows& rows, VecIn w, std::span<const double> rough, VecView x,
                 SweepScratch& scratch, const SweepOptions& options) {
  scratch.own.clear();
  for (Index i = 0; i < static_cast<Index>(3 * rough.size()); i += 3) {
    if (!(rough[static_cast<std::size_t>(i / 3)] > 0)) {
      scratch.own.push_back({.nn = rows.dot(i, i)});
      continue;
    }
    const double t11 = rows.dot(i + 1, i + 1), t12 = rows.dot(i + 1, i + 2);
    const double t22 = rows.dot(i + 2, i + 2);
    scratch.own.push_back({rows.dot(i, i), rows.dot(i, i + 1), rows.dot(i, i + 2),
                           0.5 * (t11 + t22) + std::hypot(0.5 * (t11 - t22), t12)});
  }
  scratch.couples.clear();
  for (std::size_t k = 0; k < options.couples.size(); ++k)
    scratch.couples.push_back(stiffness_of_three(rows, static_cast<Index>(3 * (rough.size() + k))));
  return {rows,
          w,
          x,
          scratch.y.resize(rows.dimension()),
          scratch.own,
          options.softness,
          options.couples,
          scratch.couples};
}

template <typename Relax>
SolveResult run_sweeps(Sweep& sweep, const SweepOptions& options, const base::Watched& watched,
                       const Relax& relax) {
  const auto contacts = static_cast<Index>(sweep.own.size());
  SolveResult result{.status = SolveStatus::IterationCap};
  while (result.iterations < options.max_sweeps) {
    watched.poll();
    // Start from the true velocity now and then: round-off of the updates must not add up.
    if (result.iterations % kSweepsFromOneStart == 0) sweep.recompute();
    ++result.iterations;
    double change = 0;
    for (Index k = 0; k < contacts; ++k) change = std::max(change, relax(k));
    for (std::size_t k = 0; k < sweep.couples.size(); ++k)
      change = std::max(change, sweep.relax_couple(k));
    if (!(change > options.tolerance)) {
      result.status = SolveStatus::Converged;
      break;
    }
  }
  sweep.recompute();
  return result;
}

void write_velocity(const Sweep& sweep, VecView velocity) {
  for (Index i = 0; i < velocity.size(); ++i) velocity[i] = sweep.velocity(i);
}

}  // namespace

double stiffness_of_three(const BlockRows& rows, Index first) {
  double greatest = 0;
  for (Index i = first; i < first + 3; ++i) {
    double sum = 0;
    for (Index j = first; j < first + 3; ++j) sum += std::abs(rows.dot(i, j));
    greatest = std::max(greatest, sum);
  }
  return greatest;
}

SolveResult solve_cone_complementarity(const BlockRows& rows, VecIn w,
                                       std::span<const double> friction, VecView x,
                                       VecView velocity, SweepScratch& scratch,
                                       const SweepOptions& options) {
  Sweep sweep = make_sweep(rows, w, friction, x, scratch, options);
  const auto slip_of = [&](Index k) {
    return options.sliding.empty() ? SlipDirection{} : options.sliding[static_cast<std::size_t>(k)];
  };
  SolveResult result = run_sweeps(sweep, options, scratch.watched, [&](Index k) {
    const double mu = friction[static_cast<std::size_t>(k)];
    if (mu > 0 && slip_of(k).slides()) return sweep.relax_sliding(k, mu, slip_of(k));
    const double normal = sweep.relax_normal(k);
    return std::max(normal, mu > 0 ? sweep.relax_tangents(k, mu * x[3 * k]) : 0.0);
  });
  result.residual = sweep.couple_residual();
  for (Index k = 0; k < static_cast<Index>(friction.size()); ++k) {
    const double mu = friction[static_cast<std::size_t>(k)];
    const bool free = mu > 0 && !slip_of(k).slides();
    const double tangents = free ? sweep.tangent_residual(k, mu * x[3 * k]) : 0.0;
    result.residual = std::max({result.residual, sweep.normal_residual(k), tangents});
  }
  write_velocity(sweep, velocity);
  if (!velocity.allFinite()) return {SolveStatus::IterationCap, result.iterations, HUGE_VAL};
  return result;
}

SolveResult solve_friction(const BlockRows& rows, VecIn w, std::span<const double> radii, VecView x,
                           VecView velocity, SweepScratch& scratch, const SweepOptions& options) {
  Sweep sweep = make_sweep(rows, w, radii, x, scratch, options);
  SolveResult result = run_sweeps(sweep, options, scratch.watched, [&](Index k) {
    const double radius = radii[static_cast<std::size_t>(k)];
    return radius > 0 ? sweep.relax_tangents(k, radius) : 0.0;
  });
  result.residual = sweep.couple_residual();
  for (Index k = 0; k < static_cast<Index>(radii.size()); ++k) {
    const double radius = radii[static_cast<std::size_t>(k)];
    if (radius <= 0) continue;
    result.residual = std::max(result.residual, sweep.tangent_residual(k, radius));
  }
  write_velocity(sweep, velocity);
  return result;
}

}  // namespace carom::solvers
