// The impulses of one island over a step: which solver, and what it leaves. Keeps its memory.
//
//   few contacts, and a polygon asked for   Lemke's method on Anitescu and Potra's problem
//   sweeps converge at once                 their answer
//   otherwise                               Newton's method, and sweeps where it ends early
//   too many bodies to factor               sweeps up to a number, with what they leave
//   contacts contradict one another         the same with contacts that give way
//
// The answer depends on the island, the guess and the options alone.
#pragma once

#include <cmath>

#include "carom/contact/island_rows.h"
#include "carom/solvers/cone_newton.h"
#include "carom/solvers/polygon_problem.h"

namespace carom::resting {

struct ForceOptions {
  int sides = 0;             // of a polygon for friction in small islands; 0: the cone everywhere
  int most_bodies = 10'000;  // of an island that is solved to round-off
  int sweeps = 30;           // over a larger one
  int polishing = 20;        // sweeps where Newton's method did not settle
  double enough = 0;         // m/s; what may be left over: nothing better is searched for
  double late = 0;           // m/s; friction of what slides slower is against the slip of the end
};

struct IslandForces {
  solvers::SolveResult result;
  // Below 1 when something that slides at the start would slide back at the end, or turn back: it
  // stops after this part of the step, where its friction changes.
  double stop_after = 1;
  double fastest_late = 0;  // m/s; the fastest at the start of those that slide, but slower than
                            // ForceOptions::late, and do not at the end
  // A contact slides so that its friction drives it in faster than its normal force pushes it out
  // (Painlevé): no force holds it, only an impulse.
  bool jams = false;
};

class IslandSolver {
 public:
  void watch(base::Watched watched);  // what it does from now on

  // `rates` are those to respond to. Slip at the start below `resting` counts as none. The
  // island's part of `impulses` is where sweeps begin, and the answer.
  IslandForces solve(const contact::ContactProblem& problem, const contact::Island& island,
                     const contact::Rates& rates, double resting, const ForceOptions& options,
                     contact::Impulses& impulses);

  // An impact in Poisson's two phases: the inelastic response to `rates`, then `restitution` times
  // its normal impulses again, with friction up to the sum of both, and whatever keeps contacts
  // from closing. One coefficient per contact of the problem.
  IslandForces collide(const contact::ContactProblem& problem, const contact::Island& island,
                       const contact::Rates& rates, std::span<const double> restitution,
                       const ForceOptions& options, contact::Impulses& impulses);

  // Couples that resist turning within the bounds of normal impulses that a law has found, and
  // whatever keeps contacts from closing that they turn into each other.
  IslandForces resist_turning(const contact::ContactProblem& problem, const contact::Island& island,
                              const contact::Rates& rates, contact::Impulses& impulses);

 private:
  void set_up(const contact::ContactProblem& problem, const contact::Island& island,
              const contact::Rates& rates, double resting, const contact::Impulses& guess);
  void list_couples(const contact::ContactProblem& problem, const contact::Island& island,
                    double resting);
  bool any_known() const;
  solvers::SolveResult respond_again(const ForceOptions& options);
  void forget_directions();
  void examine(const contact::ContactProblem& problem, const contact::Island& island,
               double resting, IslandForces& forces) const;
  solvers::SolveResult respond(const ForceOptions& options);
  bool respond_in_polygon(int sides);
  solvers::SolveResult respond_in_cones(const ForceOptions& options);
  solvers::SolveResult respond_to_round_off(const ForceOptions& options);
  solvers::SolveResult give_way(const solvers::SolveResult& found);
  solvers::SolveResult sweep(int max_sweeps, double tolerance, double softness = 0);
  solvers::SolveResult converge(double proximity, double enough, double softness = 0);
  bool jams(math::Index contact) const;
  void share_friction(int sweeps);
  bool give_back(const contact::Island& island, std::span<const double> restitution);

  contact::IslandRows rows_;
  std::vector<double> friction_, given_, radii_;
  std::vector<solvers::SlipDirection> sliding_;
  std::vector<solvers::Couple> couples_;
  solvers::SweepScratch sweep_;
  solvers::ConeNewton newton_;
  solvers::PolygonProblem polygon_;
  math::VecBuffer w_;  // velocities to respond to
  math::VecBuffer impulse_, swept_, velocity_, compression_;
};

}  // namespace carom::resting
