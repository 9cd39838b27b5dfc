// Contact and joint forces from the accelerations that would be without them (Baraff, §5–§7):
//
//     χ̈ = a + A f,   0 <= f_n ⟂ χ̈_n >= 0,   |f_t| <= μ f_n against slip,   joint rows at rest.
//
//   Exact      without friction, the unique f of least length (frictionless_forces.h); with
//              friction, the island solver of time stepping, whose velocities are accelerations
//              here (island_forces.h)
//   Heuristic  the paper's ladder of linear programs (solvers/least_sum_ladder.h) for islands
//              without friction; where the library fails, and with friction, the exact forces
//
// Islands are solved by themselves, in parallel; the answer does not depend on the number of
// threads. Linear programs allocate, the rest does not once warm (frictionless_forces.h says when).
#pragma once

#include "carom/base/workers.h"
#include "carom/resting/frictionless_forces.h"
#include "carom/resting/island_forces.h"

namespace carom::resting {

enum class ForceSolver { Exact, Heuristic };

struct ContactForceOptions {
  ForceSolver solver = ForceSolver::Exact;
  int sides = 0;  // of a polygon for friction in small islands; 0: the true cone
};

// How the forces of islands were found.
struct ForceRungs {
  int computed = 0;            // islands
  int with_friction = 0;       // by the solver for friction
  int nothing_vanishes = 0;    // heuristic: V = ∅ was right (19)
  int predicted = 0;           // heuristic: contacts vanished, as predicted (18)
  int least_sum = 0;           // heuristic: wrongly predicted; the forces of least sum were used
  int failed = 0;              // heuristic: a linear program was not solved; exact forces instead
  double least_sum_power = 0;  // Σ f χ̈ of the forces of least sum (25), N m/s²

  void add(const ForceRungs& other);
};

struct ContactForceResult {
  ForceStatus status = ForceStatus::Converged;  // the worst of an island
  int iterations = 0;                           // the most of an island
  // m/s², the greatest violation: a negative normal acceleration, |a_n| under a push, a joint row
  // that is not at rest though it could be.
  double residual = 0;
  // Σ f |χ̈_n| over contacts, beside Σ f times the greatest acceleration given or left.
  double complementarity = 0;
  bool jams = false;  // island_forces.h: only an impulse holds it
  ForceRungs rungs;
};

class ContactForces {
 public:
  explicit ContactForces(base::Workers& workers) : workers_(workers) {}

  // `accelerations` are those of the rows without contact and joint forces. Slip (ContactRow::rate)
  // below `resting` counts as none. `forces`, one for every row, is a warm start and the answer.
  ContactForceResult solve(const contact::ContactProblem& problem,
                           const contact::Rates& accelerations, double resting,
                           const ContactForceOptions& options, contact::Impulses& forces);

 private:
  struct OneIsland {
    FrictionlessForces frictionless;
    IslandSolver with_friction;
    ForceProblem ladder;
    ContactForceResult result;
  };
  struct Call {
    const contact::ContactProblem& problem;
    const contact::Rates& accelerations;
    double resting;
    const ContactForceOptions& options;
  };

  static void solve_island(const Call& call, const contact::Island& island,
                           contact::Impulses& forces, OneIsland& out);
  static void solve_exactly(const Call& call, const contact::Island& island,
                            contact::Impulses& forces, OneIsland& out);
  static void solve_with_friction(const Call& call, const contact::Island& island,
                                  contact::Impulses& forces, OneIsland& out);
  static void climb_ladder(const Call& call, const contact::Island& island,
                           contact::Impulses& forces, OneIsland& out);
  void find_gained(const Call& call, const contact::Impulses& forces);
  double left_at(const Call& call, std::size_t contact) const;
  void measure(const Call& call, const contact::Impulses& forces, ContactForceResult& total);

  base::Workers& workers_;
  std::vector<OneIsland> islands_;
  std::vector<Wrench> wrenches_;  // by body
  std::vector<Twist> gained_;     // by block: accelerations by the forces
};

}  // namespace carom::resting
