// Contacts that approach although no impulse can keep them from it: between bodies that nothing
// stops, such as a press and the floor. Velocities at which joints hold and no contact approaches,
//
//     n·v >= 0 at contacts,     J·v = 0 at joints,
//
// either exist or not; where they do not, those that come nearest in the least-squares sense of
// unit rows leave an approach, which is what is told (by Farkas' lemma these rows prove it:
// multiplied by what is left of them they push no body and yet ask for work).
#pragma once

#include "carom/contact/island_rows.h"
#include "carom/resting/sparse_rows.h"
#include "carom/solvers/piecewise_quadratic.h"

namespace carom::resting {

class Squeeze {
 public:
  // The approach speeds that nothing takes away, m/s, one per contact of the problem: zero where
  // the velocities at hand, or others, let nothing approach. Live until the next call.
  std::span<const double> find(const contact::ContactProblem& problem);

 private:
  void find_in(const contact::ContactProblem& problem, const contact::Island& island);

  std::vector<RowName> names_;
  SparseRows rows_;
  math::BlockFactor factor_;
  solvers::PiecewiseQuadratic squares_;
  std::vector<solvers::Ramp> ramps_;
  std::vector<double> t_, left_;
  std::vector<char> counts_;
  math::VecBuffer u_, w_;
};

}  // namespace carom::resting
