// An orthonormal basis of what equality rows forbid, by Gram–Schmidt, and the multipliers of the
// rows that go with it. Rows may be redundant: which of them depend on the ones before is decided
// on a copy without masses, so that a light body between heavy ones does not look like a
// dependence; those get no multiplier.
#pragma once

#include <vector>

#include "carom/math/buffers.h"

namespace carom::contact {

class EqualityBasis {
 public:
  // Columns are rows of one group: in energy coordinates, and the same without masses.
  void set_up(const math::ConstMatView& rows, const math::ConstMatView& massless);

  math::Index rank() const { return static_cast<math::Index>(independent_.size()); }
  // Takes out of a vector what the equalities forbid.
  void project(math::VecView y) const;
  // Row velocities become the impulses, one per row, that bring the rows to rest.
  void answer(math::VecView rates);

 private:
  void choose_independent(const math::ConstMatView& massless);

  std::vector<math::Index> independent_;
  math::MatBuffer basis_;     // orthonormal columns
  math::MatBuffer triangle_;  // independent row i = Σ_k triangle(i, k) basis_k
  math::VecBuffer rest_, along_;
};

}  // namespace carom::contact
