#include "carom/impact/laws/sequential.h"

#include <bit>
#include <cmath>

#include "carom/base/random.h"

namespace carom::impact {

namespace {

using math::BlockRows;
using math::Index;

// A random order that is a function of the problem alone, so that a resumed run draws the same.
std::uint64_t seed_for(const Sequential& law, const ImpactWorkspace& work) {
  std::uint64_t seed = law.seed;
  for (const double w : work.island.velocity())
    seed = base::Random(seed ^ std::bit_cast<std::uint64_t>(w)).next();
  return seed;
}

// Which approaching contact comes next. Only contacts of bodies that were just pushed are looked at
// again.
class Selection {
 public:
  Selection(const Sequential& law, ImpactWorkspace& work)
      : law_(law), work_(work), random_(law.order == Order::Random ? seed_for(law, work) : 0) {
    work.tournament.reset(work.normals.size());
    for (const std::int32_t row : work.normals) look_at(row);
  }

  bool done() const { return work_.tournament.empty(); }
  Index next() const { return static_cast<Index>(3 * work_.tournament.winner()); }

  void pushed(Index row) {
    const BlockRows& rows = work_.island.rows();
    for (const int part : {0, 1}) {
      if (rows.stretch_of(row, part) == BlockRows::kNone) continue;
      for (const std::int32_t neighbour : rows.rows_on(rows.stretch_of(row, part))) {
        if (neighbour % 3 == 0) look_at(neighbour);
      }
    }
  }

 private:
  void look_at(Index row) {
    work_.tournament.set(
        static_cast<std::size_t>(row / 3),
        is_to_reflect(work_, row, law_.options.epsilon) ? key(row) : IndexedMinimum::kOut);
  }

  double key(Index row) {
    switch (law_.order) {
      case Order::Lexicographic:
        return static_cast<double>(row);
      case Order::Deepest:  // by speed in the energy metric, where gradients have unit length
        return row_velocity(work_, row) / std::sqrt(work_.island.rows().squared_norm(row));
      case Order::Random:
        return static_cast<double>(random_.next());
    }
    return 0;
  }

  const Sequential& law_;
  ImpactWorkspace& work_;
  base::Random random_;
};

// Algorithm 3, line 9, done now and then: the velocity is rescaled so that round-off cannot make
// its energy drift. What driven bodies put in is no drift: a reflection by λ changes |y|² by -2
// λ·offset.
class EnergyKeeper {
 public:
  explicit EnergyKeeper(ImpactWorkspace& work)
      : work_(work), energy_(work.y.view().squaredNorm()), period_(64 + work.y.view().size()) {}

  void reflected(Index row, double impulse) {
    energy_ -= 2 * impulse * work_.island.offset()[row];
    if (++since_ < period_) return;
    since_ = 0;
    const double now = work_.y.view().squaredNorm();
    if (now > 0 && energy_ > 0) work_.y.view() *= std::sqrt(energy_ / now);
  }

 private:
  ImpactWorkspace& work_;
  double energy_;
  Index period_, since_ = 0;
};

}  // namespace

// ResolveImpacts of algorithm 1, as algorithm 3 does it in floating point.
ElasticResult reflect_one_by_one(const Sequential& law, ImpactWorkspace& work) {
  const BlockRows& rows = work.island.rows();
  Selection selection(law, work);
  EnergyKeeper energy(work);
  ElasticResult result;
  while (!selection.done()) {  // Lines 4 to 7: until Nᵀq̇ >= 0, or in algorithm 3 >= -ε|q̇|.
    work.watched.poll();
    if (result.iterations == law.options.max_iterations) {
      result.status = ImpactStatus::IterationCap;
      break;
    }
    ++result.iterations;
    const Index row = selection.next();  // Line 8: q̇ ← R(q̇), by eq. (1).
    const double reflection = -2 * row_velocity(work, row) / rows.squared_norm(row);
    push(work, row, reflection);
    energy.reflected(row, reflection);  // Line 9 of algorithm 3.
    selection.pushed(row);
  }
  return result;
}

ImpactResult resolve(const Sequential& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out) {
  return resolve_gauss_seidel_like(
      law.options, [&](ImpactWorkspace& island) { return reflect_one_by_one(law, island); },
      problem, work, out);
}

}  // namespace carom::impact
