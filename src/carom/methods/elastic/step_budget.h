// How many steps of solvers bodies may take part in: what bounds the cost of a simulated second.
//
// A body has credit for kMostCredit steps, and gains kCreditRate a unit of time, that in which the
// typical speed passes the smallest body. While one body of a cluster has spent its credit, until
// it has half of the most again, the cluster takes implicit steps, kImplicit of them a unit of
// time. So in T units of time a body takes part in at most kMostCredit + kCreditRate T solver
// steps, whatever its contacts do. Bodies on which forces are applied have credit for ever:
// implicit steps know of no such forces. Telling those apart is the caller's part.
#pragma once

#include <span>
#include <vector>

#include "carom/model/scene.h"

namespace carom::methods {

class StepBudget {
 public:
  // Solver steps that a body may still take part in, as of a time; spent: none, until half of the
  // most are there again.
  struct Credit {
    double left = 0, since = 0;
    double spent = 0;  // 1 or 0
  };

  explicit StepBudget(const Scene& scene) : scene_(scene) {}

  void begin(double t);
  // Whether a cluster of these bodies may take a solver step at t.
  bool has_credit(std::span<const BodyId> bodies, double t);
  void charge(std::span<const BodyId> bodies);   // one step each
  void exhaust(std::span<const BodyId> bodies);  // the solver has found no step
  double implicit_step(bool with_joints) const;  // s

  const std::vector<Credit>& credits() const { return credits_; }  // one per body
  void restore(const std::vector<Credit>& credits) { credits_ = credits; }

 private:
  const Scene& scene_;
  std::vector<Credit> credits_;
};

}  // namespace carom::methods
