// The problem of one island without friction, in unit rows: contact normals, then joint rows, their
// accelerations without forces, and what given multipliers leave of the conditions
//
//     0 <= x ⟂ b + R Rᵀ x >= 0 at contacts,     b + R Rᵀ x = 0 at joint rows.
#pragma once

#include "carom/contact/island_rows.h"
#include "carom/resting/sparse_rows.h"
#include "carom/solvers/piecewise_quadratic.h"

namespace carom::resting {

// What multipliers leave. It is small beside the accelerations given, or at least accepted: no more
// in any row than the round-off of the forces that act on the row's bodies.
struct Leftover {
  double worst = 0;  // m/s²
  bool small = true, accepted = true;
};

class ForceProblem {
 public:
  void set_up(const contact::ContactProblem& problem, const contact::Island& island,
              const contact::Rates& accelerations);

  std::size_t size() const { return names_.size(); }
  const SparseRows& rows() const { return rows_; }
  // One-sided for contacts, two-sided for joint rows; left out is what moves nothing.
  std::span<const solvers::Ramp> sides() const { return sides_; }
  std::span<double> b() { return b_; }
  std::span<const double> b() const { return b_; }
  double scale() const { return scale_; }  // the greatest acceleration given, m/s²
  bool has_joints() const { return island_.equalities > 0; }

  // m/s², at y = Rᵀx.
  double acceleration(std::size_t row, math::VecIn y) const;
  // Sets y to Rᵀx.
  Leftover measure(std::span<const double> x, math::VecView y);

  void read(const contact::Impulses& forces, std::span<double> x) const;
  void write(std::span<const double> x, contact::Impulses& forces) const;

 private:
  double violation_of(std::size_t row, double x, math::VecIn y) const;
  double gross_of(std::size_t row) const;

  contact::Island island_{};
  std::vector<RowName> names_;
  SparseRows rows_;
  std::vector<solvers::Ramp> sides_;
  std::vector<double> b_;
  std::vector<double> gross_;  // by body: what the multipliers add up to, signs apart
  double scale_ = 0;
};

}  // namespace carom::resting
