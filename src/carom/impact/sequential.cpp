#include "carom/impact/sequential.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "carom/base/random.h"
#include "carom/solvers/cone_complementarity.h"

namespace carom::impact {

namespace {

using contact::ContactProblem;
using contact::Island;
using math::ConstMatView;
using math::Index;
using math::VecView;

constexpr double kRelativeTolerance = 1e-14;  // of the island's greatest contact speed

// One island while it is being resolved.
struct Resolving {
  const Sequential& law;
  const ContactProblem& problem;
  const Island& island;
  ImpactWorkspace& work;
  double tolerance;  // m/s

  Index contacts() const { return island.contacts; }
  const contact::ContactRow& row(Index i) const { return problem.contacts[island.contact(i)]; }
};

// A random order that is a function of the problem alone, so that a resumed run draws the same.
std::uint64_t seed_for(const Resolving& at) {
  std::uint64_t seed = at.law.seed;
  for (const double w : at.work.system.velocity())
    seed = base::Random(seed ^ std::bit_cast<std::uint64_t>(w)).next();
  return seed;
}

// Which approaching contact comes next; none when the velocity is feasible.
class Selection {
 public:
  explicit Selection(const Resolving& at) : at_(at), random_(seed_for(at)) {}

  std::optional<Index> next(const VecView& velocity) {
    switch (at_.law.order) {
      case Order::Lexicographic:
        return first(velocity);
      case Order::Deepest:
        return deepest(velocity);
      case Order::Random:
        return any(velocity);
    }
    return std::nullopt;
  }

 private:
  bool approaches(const VecView& velocity, Index i) const {
    return velocity[3 * i] < -at_.tolerance;
  }

  std::optional<Index> first(const VecView& velocity) const {
    for (Index i = 0; i < at_.contacts(); ++i) {
      if (approaches(velocity, i)) return i;
    }
    return std::nullopt;
  }

  // By speed in the energy metric, where gradients have unit length.
  std::optional<Index> deepest(const VecView& velocity) const {
    std::optional<Index> found;
    double worst = 0;
    for (Index i = 0; i < at_.contacts(); ++i) {
      const double speed = velocity[3 * i] / std::sqrt(at_.work.system.A()(3 * i, 3 * i));
      if (!approaches(velocity, i) || (found && speed >= worst)) continue;
      worst = speed;
      found = i;
    }
    return found;
  }

  std::optional<Index> any(const VecView& velocity) {
    std::uint64_t candidates = 0;
    for (Index i = 0; i < at_.contacts(); ++i) candidates += approaches(velocity, i) ? 1 : 0;
    if (candidates == 0) return std::nullopt;
    std::uint64_t skip = random_.next() % candidates;
    for (Index i = 0; i < at_.contacts(); ++i) {
      if (approaches(velocity, i) && skip-- == 0) return i;
    }
    return std::nullopt;
  }

  const Resolving& at_;
  base::Random random_;
};

// Algorithm 1 of Vouga et al. with the pairwise operator, eq. (1).
ImpactResult reflect_until_feasible(const Resolving& at, VecView impulse) {
  const ConstMatView A = at.work.system.A();
  auto velocity = at.work.velocity.resize(A.rows());
  velocity = at.work.system.velocity();
  impulse.setZero();
  Selection selection(at);
  ImpactResult result;
  while (const std::optional<Index> i = selection.next(velocity)) {
    if (result.iterations == at.law.max_iterations) {
      result.status = ImpactStatus::IterationCap;
      break;
    }
    ++result.iterations;
    const Index n = 3 * *i;
    const double reflection = -2 * velocity[n] / A(n, n);
    impulse[n] += reflection;
    velocity += reflection * A.col(n);
  }
  return result;
}

solvers::SolveResult solve_inelastic(const Resolving& at, std::span<const double> friction,
                                     VecView impulse) {
  return solvers::solve_cone_complementarity(
      at.work.system.A(), at.work.system.velocity(), friction, impulse,
      at.work.velocity.resize(impulse.size()), {.tolerance = at.tolerance});
}

double blended_restitution(const Resolving& at, const VecView& inelastic) {
  double weighted = 0;
  double total = 0;
  for (Index i = 0; i < at.contacts(); ++i) {
    weighted += inelastic[3 * i] * at.row(i).restitution;
    total += inelastic[3 * i];
  }
  return total > 0 ? weighted / total : 0;
}

// §6.2: q̇ = (1 - c) q̇_inelastic + c q̇_elastic, here for the impulses.
ImpactResult respond_normally(const Resolving& at, VecView impulse) {
  auto inelastic = at.work.inelastic.resize(impulse.size());
  inelastic.setZero();
  const auto solved = solve_inelastic(at, at.work.zero_friction, inelastic);
  ImpactResult result{.iterations = solved.iterations};
  if (solved.status == solvers::SolveStatus::IterationCap)
    result.status = ImpactStatus::IterationCap;
  const double c = blended_restitution(at, inelastic);
  impulse = inelastic;
  if (c == 0) return result;
  auto elastic = at.work.elastic.resize(impulse.size());
  const ImpactResult reflected = reflect_until_feasible(at, elastic);
  impulse = (1 - c) * inelastic + c * elastic;
  if (result.status == ImpactStatus::Resolved) result.status = reflected.status;
  result.iterations = reflected.iterations;
  return result;
}

// §6.3: friction within the cones of the normal impulses just found.
void add_friction(const Resolving& at, VecView impulse) {
  at.work.radii.clear();
  bool rough = false;
  for (Index i = 0; i < at.contacts(); ++i) {
    at.work.radii.push_back(at.row(i).friction * impulse[3 * i]);
    rough |= at.work.radii.back() > 0;
  }
  if (!rough) return;
  solvers::solve_friction(at.work.system.A(), at.work.system.velocity(), at.work.radii, impulse,
                          at.work.velocity.resize(impulse.size()), {.tolerance = at.tolerance});
}

double greatest_approach(const Resolving& at, const VecView& impulse) {
  auto velocity = at.work.velocity.resize(impulse.size());
  velocity = at.work.system.velocity();
  velocity.noalias() += at.work.system.A() * impulse;
  double approach = 0;
  for (Index i = 0; i < at.contacts(); ++i) approach = std::max(approach, -velocity[3 * i]);
  return approach;
}

// Friction can make a contact approach again: respond to what the velocity has become,
// inelastically.
void make_feasible(const Resolving& at, VecView impulse) {
  if (greatest_approach(at, impulse) <= 10 * at.tolerance) return;
  auto more = at.work.elastic.resize(impulse.size());
  auto start = at.work.inelastic.resize(impulse.size());
  start = at.work.system.velocity();
  start.noalias() += at.work.system.A() * impulse;
  more.setZero();
  solvers::solve_cone_complementarity(
      at.work.system.A(), std::as_const(at.work.inelastic).view(), at.work.friction, more,
      at.work.velocity.resize(impulse.size()), {.tolerance = at.tolerance});
  impulse += more;
}

ImpactResult resolve_island(Resolving at, contact::Impulses& out) {
  const auto approach = at.work.system.velocity();
  at.tolerance = kRelativeTolerance * (approach.size() > 0 ? approach.cwiseAbs().maxCoeff() : 0.0);
  at.work.friction.clear();
  for (Index i = 0; i < at.contacts(); ++i) at.work.friction.push_back(at.row(i).friction);
  at.work.zero_friction.assign(at.work.friction.size(), 0.0);
  auto impulse = at.work.impulse.resize(approach.size());
  ImpactResult result = respond_normally(at, impulse);
  add_friction(at, impulse);
  make_feasible(at, impulse);
  result.residual = greatest_approach(at, impulse);
  at.work.system.store(at.island, std::as_const(at.work.impulse).view(), out);
  return result;
}

}  // namespace

ImpactResult resolve(const Sequential& law, const ContactProblem& problem, ImpactWorkspace& work,
                     contact::Impulses& out) {
  out.contacts.assign(problem.contacts.size(), Vec3::Zero());
  out.equalities.assign(problem.equalities.size(), 0);
  work.contact_rates.clear();
  work.equality_rates.clear();
  for (const contact::ContactRow& row : problem.contacts) work.contact_rates.push_back(row.rate);
  for (const contact::EqualityRow& row : problem.equalities)
    work.equality_rates.push_back(row.rate);
  ImpactResult total;
  for (const Island& island : problem.islands) {
    work.system.set_up(problem, island, {work.contact_rates, work.equality_rates});
    const ImpactResult one = resolve_island({law, problem, island, work, 0}, out);
    if (one.status != ImpactStatus::Resolved) total.status = one.status;
    total.iterations = std::max(total.iterations, one.iterations);
    total.residual = std::max(total.residual, one.residual);
  }
  return total;
}

}  // namespace carom::impact
