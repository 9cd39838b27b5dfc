// One island as plain matrices: the Delassus matrix A = J M⁻¹ Jᵀ over its contact rows (normal, two
// tangents each) and their velocities. Joints are eliminated first, by a Schur complement, so that
// whoever works on A pushes against articulated bodies without knowing what a joint is.
#pragma once

#include "carom/contact/contact_problem.h"
#include "carom/math/semidefinite.h"

namespace carom::contact {

class IslandSystem {
 public:
  // `contact_rate` and `equality_rate` are the velocities to respond to, row by row of the problem:
  // the problem's own v⁻ for an impact, others for a step.
  struct Rates {
    std::span<const Vec3> contacts;
    std::span<const double> equalities;
  };
  void set_up(const ContactProblem& problem, const Island& island, const Rates& rates);

  math::ConstMatView A() const { return A_.view(); }         // 3m × 3m, symmetric, semidefinite
  math::ConstVecView velocity() const { return w_.view(); }  // 3m, after the joints have acted

  // Writes contact impulses x (3m) and the joint impulses that go with them to the island's places.
  void store(const Island& island, math::ConstVecView x, Impulses& out) const;

 private:
  // A row of J as it acts on at most two blocks: force and torque of a unit impulse.
  struct Push {
    std::int32_t block = -1;
    Vec3 force, torque;
  };
  struct RowPushes {
    Push a, b;
  };
  static double coupling(const ContactProblem& problem, const Push& x, const Push& y);
  void collect_rows(const ContactProblem& problem, const Island& island);
  void eliminate_equalities(math::Index contact_rows, math::Index equality_rows);

  std::vector<RowPushes> rows_;
  math::SemidefiniteSolver joints_;
  math::MatBuffer full_, A_, gain_;
  math::VecBuffer rate_, w_, joint_;
};

}  // namespace carom::contact
