// Is there a non-negative combination of rows that vanishes? Then the inequalities r_i·y >= 0 of
// its members hold as equalities only (Vouga et al., section 4, where linear programs find them, as
// support_and_shave.h does). Three ways, the cheap ones first:
//
//   peel    a stretch (a body) that can move by itself so that each of its rows opens cannot be
//   part
//           of any such combination, nor can those rows: take them away, and look at its neighbours
//           again. Stacks, chains and piles vanish from their free ends, at a cost of the rows
//           seen.
//   local   whether a stretch can move so is decided by its rows' sum, and where that fails by the
//           shortest point of their convex hull.
//   whole   what cannot be peeled is decided by the shortest point over all its rows: not zero, it
//           separates them all; zero, its weights are the combination.
//
// In floating point every decision is against ε beside rows of unit length: the ε-version of the
// paper's L_ε as it must read, "no w has r_i·w >= ε|w| for all i". Which combinations vanish does
// not depend on the scale of a coordinate, but how nearly they do does: rows are taken times
// `weights`, by which a caller can leave out masses.
#pragma once

#include "carom/math/block_rows.h"
#include "carom/solvers/shortest_point.h"

namespace carom::solvers {

class LinealityFinder {
 public:
  // The members of one vanishing combination among `rows` (those listed in `chosen`; rows of zeros
  // do not count), or none. `rows` must be indexed. After holding the members as equalities, ask
  // again. IterationCap only when the search itself did not end.
  struct Found {
    std::span<const std::int32_t> members;
    bool complete = true;
  };
  Found find(const math::BlockRows& rows, std::span<const std::int32_t> chosen, math::VecIn weights,
             double epsilon);

 private:
  bool opens(const math::BlockRows& rows, std::int32_t stretch, bool exactly);
  void collect(const math::BlockRows& rows, std::int32_t stretch);
  void take_away(const math::BlockRows& rows, std::int32_t stretch);
  void peel(const math::BlockRows& rows, bool exactly);
  Found decide_whole(const math::BlockRows& rows);

  double epsilon_ = 0;
  math::VecBuffer weights_;
  ShortestPoint shortest_;
  std::vector<char> alive_;   // rows still in question
  std::vector<char> queued_;  // stretches to be looked at
  std::vector<std::int32_t> queue_, left_, members_, first_of_;
  math::MatBuffer points_;
  math::VecBuffer sum_;
};

}  // namespace carom::solvers
