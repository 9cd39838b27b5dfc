// The impulses of one island over a step: which solver, and what it leaves. Keeps its memory.
//
//   few contacts, and a polygon asked for   Lemke's method on Anitescu and Potra's problem
//   sweeps converge at once                 their answer
//   otherwise                               the interior point, and sweeps for the last digits
//   too many bodies to factor               sweeps up to a number, with what they leave
//   faster than what is to be exact         the same
//   contacts contradict one another         sweeps in which they give way
#pragma once

#include <cmath>

#include "carom/contact/island_rows.h"
#include "carom/solvers/cone_interior_point.h"
#include "carom/solvers/polygon_problem.h"

namespace carom::resting {

struct ForceOptions {
  int sides = 0;             // of a polygon for friction in small islands; 0: the cone everywhere
  int most_bodies = 10'000;  // of an island that is solved to round-off
  int sweeps = 30;           // over a larger one
  int polishing = 20;        // sweeps for the last digits, after the interior point
  double slow = HUGE_VAL;    // m/s; nor is one that moves faster, where there are many contacts
};

struct IslandForces {
  solvers::SolveResult result;
  // Below 1 when something that slides at the start would slide back at the end: it stops after
  // this part of the step, where its friction changes.
  double stop_after = 1;
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

 private:
  void set_up(const contact::ContactProblem& problem, const contact::Island& island,
              const contact::Rates& rates, double resting, const contact::Impulses& guess);
  solvers::SolveResult respond(const ForceOptions& options);
  bool respond_in_polygon(int sides);
  solvers::SolveResult respond_in_cones(const ForceOptions& options);
  solvers::SolveResult respond_to_round_off(const ForceOptions& options, double residual);
  solvers::SolveResult give_way(const solvers::SolveResult& found);
  solvers::SolveResult sweep(int max_sweeps, double tolerance, double softness = 0);
  bool jams(math::Index contact) const;
  bool give_back(const contact::Island& island, std::span<const double> restitution);

  contact::IslandRows rows_;
  std::vector<double> friction_, given_, radii_;
  std::vector<solvers::SlipDirection> sliding_;
  solvers::SweepScratch sweep_;
  solvers::ConeInteriorPoint interior_;
  solvers::PolygonProblem polygon_;
  double speed_ = 0;  // m/s, the greatest of a row
  bool crowded_ = false;
  math::VecBuffer w_;  // velocities to respond to
  math::VecBuffer impulse_, swept_, velocity_, compression_;
};

}  // namespace carom::resting
