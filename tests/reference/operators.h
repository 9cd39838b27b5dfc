// Algorithm 1 of Vouga et al. in long double with any impact operator, for a handful of point
// masses, and the operators of their §5.3: each lacks one of the five properties and so never ends.
// A step is what an operator adds to a velocity; what it adds beyond M⁻¹Nλ is not (NORM).
#pragma once

#include <cmath>
#include <functional>
#include <optional>

#include "reference/active_sets.h"

namespace carom::reference {

struct Constraints {
  LongVec masses;  // one per coordinate
  LongMat N;       // a gradient in each column

  LongVec rates(const LongVec& velocity) const { return N.transpose() * velocity; }
  LongVec push(const LongVec& impulse) const {
    return (N * impulse).cwiseQuotient(masses);  // M⁻¹Nλ
  }
  long double energy(const LongVec& velocity) const { return velocity.cwiseAbs2().dot(masses) / 2; }
};

struct OperatorStep {
  LongVec impulse;  // λ
  LongVec beyond;   // velocity that is no normal impulse's doing
};
using ImpactOperator =
    std::function<OperatorStep(const Constraints&, const LongVec& velocity, int iteration)>;

// Which properties a run kept, each at every step. `slack` is what round-off may do.
struct Desiderata {
  bool norm = true, kin = true, one = true, vio = true, mod = true;
};
struct OperatorRun {
  bool ended = false;
  int iterations = 0;
  std::vector<LongVec> velocities;  // before, and after each step
  Desiderata kept;
};
struct OperatorOptions {
  int cap = 1000;
  long double slack = 1e-17L;
};

inline void judge_step(const Constraints& at, const LongVec& before, const OperatorStep& step,
                       long double slack, Desiderata& kept) {
  const LongVec change = at.push(step.impulse) + step.beyond;
  const LongVec rates = at.rates(before);
  kept.norm &= step.beyond.isZero(slack);
  kept.kin &= std::abs(at.energy(before + change) - at.energy(before)) <= slack;
  kept.one &= step.impulse.minCoeff() >= 0;
  kept.mod &= change.cwiseAbs().maxCoeff() > 0;
  for (Eigen::Index i = 0; i < rates.size(); ++i) kept.vio &= rates[i] < 0 || step.impulse[i] == 0;
}

inline OperatorRun apply_until_feasible(const Constraints& at, const LongVec& start,
                                        const ImpactOperator& apply,
                                        const OperatorOptions& options = {}) {
  OperatorRun run;
  run.velocities.push_back(start);
  for (; run.iterations < options.cap; ++run.iterations) {
    const LongVec velocity = run.velocities.back();
    if (at.rates(velocity).minCoeff() >= -options.slack) {
      run.ended = true;
      return run;
    }
    const OperatorStep step = apply(at, velocity, run.iterations);
    judge_step(at, velocity, step, options.slack, run.kept);
    run.velocities.push_back(velocity + at.push(step.impulse) + step.beyond);
  }
  return run;
}

inline OperatorStep no_step(const Constraints& at) {
  return {LongVec::Zero(at.N.cols()), LongVec::Zero(at.N.rows())};
}

// The contact's rate times -(1 + c): eq. (1) for c = 1, both bodies at their common velocity for
// c = 0.
inline OperatorStep bounce(const Constraints& at, const LongVec& velocity, Eigen::Index contact,
                           long double c) {
  OperatorStep step = no_step(at);
  const LongVec n = at.N.col(contact);
  step.impulse[contact] = -(1 + c) * n.dot(velocity) / n.dot(n.cwiseQuotient(at.masses));
  return step;
}

inline Eigen::Index first_violated(const Constraints& at, const LongVec& velocity) {
  const LongVec rates = at.rates(velocity);
  Eigen::Index i = 0;
  while (i + 1 < rates.size() && rates[i] >= 0) ++i;
  return i;
}

inline ImpactOperator make_pairwise(long double c = 1) {
  return [c](const Constraints& at, const LongVec& velocity, int) {
    return bounce(at, velocity, first_violated(at, velocity), c);
  };
}

// One contact after the other, whether or not it is the first that approaches; all approach in
// figure 8.
inline ImpactOperator make_cyclic(long double c) {
  return [c](const Constraints& at, const LongVec& velocity, int iteration) {
    return bounce(at, velocity, iteration % at.N.cols(), c);
  };
}

// Without (NORM): a wall that turns the velocity along itself round.
inline ImpactOperator make_tangential() {
  return [](const Constraints& at, const LongVec& velocity, int) {
    OperatorStep step = no_step(at);
    step.beyond[0] = -2 * velocity[0];
    return step;
  };
}

// Without (ONE), figure 7: the corner pushes with one side and pulls with the other.
inline ImpactOperator make_pulling() {
  return [](const Constraints& at, const LongVec&, int iteration) {
    OperatorStep step = no_step(at);
    step.impulse << (iteration % 2 == 0 ? -1 : 1), (iteration % 2 == 0 ? 1 : -1);
    return step;
  };
}

// Without (VIO): three balls, of which the left one is pushed to -d, d = 0.1 (1 - 2^-k), although
// it does not approach; momentum and energy give the other two.
inline LongVec eager_velocity(int k) {
  const long double d = 0.1L * (1 - std::pow(0.5L, static_cast<long double>(k)));
  const long double root = std::sqrt((1 + d) * (1 - 3 * d));
  LongVec velocity(3);
  velocity << -d, (1 + d + root) / 2, (1 + d - root) / 2;
  return velocity;
}
inline ImpactOperator make_eager() {
  return [](const Constraints& at, const LongVec& velocity, int iteration) {
    OperatorStep step = no_step(at);
    const LongVec change = eager_velocity(iteration + 1) - velocity;
    step.impulse << -change[0], change[2];
    return step;
  };
}

// Without (MOD).
inline ImpactOperator make_idle() {
  return [](const Constraints& at, const LongVec&, int) { return no_step(at); };
}

}  // namespace carom::reference
