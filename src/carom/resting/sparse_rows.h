// Chosen rows of an island as they are, each acting on its two bodies, in coordinates in which
// energy is plain (contact/island_rows.h): joints are rows like others here, so that a chain of
// many links stays sparse. Every row is scaled to unit length; the same rows without masses, at
// their own length, say which forces balance a body whatever it weighs.
#pragma once

#include <span>
#include <vector>

#include "carom/contact/contact_problem.h"
#include "carom/math/block_rows.h"

namespace carom::resting {

// A direction of a contact (0: normal, 1 and 2: tangents; 3 to 5: turning about these), or an
// equality (-1); counted from the first of the island.
struct RowName {
  std::int32_t index = 0;
  int axis = 0;
  static RowName equality(std::int32_t index) { return {index, -1}; }
  static RowName turning(std::int32_t index, int axis) { return {index, 3 + axis}; }
};

class SparseRows {
 public:
  void set_up(const contact::ContactProblem& problem, const contact::Island& island,
              std::span<const RowName> names);

  math::Index size() const { return unit_.size(); }
  const math::BlockRows& unit() const { return unit_; }  // indexed
  const math::BlockRows& bare() const { return bare_; }
  // Of a row before it was scaled: a force f is a multiplier f·length of the unit row. Zero where
  // a row moves nothing.
  double length(math::Index row) const { return length_[static_cast<std::size_t>(row)]; }
  // Multiplies a vector of energy coordinates so that it stands beside bare rows.
  void strip_masses(math::VecView y) const;

 private:
  struct Body {
    std::int32_t block = -1;
    double mass_root = 0;  // of the inverses
    Mat3 inertia_root = Mat3::Zero();
  };
  // Force and torque of a unit multiplier on one side.
  struct Push {
    std::int32_t block = -1;
    Vec3 force, torque;
  };

  void forget();
  std::int32_t body_of(const contact::ContactProblem& problem, std::int32_t block);
  void add(const contact::ContactProblem& problem, const Push& a, const Push& b);
  void fill(math::Index row, int part, std::int32_t body, const Push& push);
  void scale(math::Index row);

  std::vector<Body> bodies_;
  std::vector<std::int32_t> body_of_block_;  // -1 outside the island
  std::vector<std::array<Push, 2>> pushes_;
  std::vector<math::BlockRows::Stretch> stretches_;
  math::BlockRows unit_, bare_;
  std::vector<double> length_;
};

}  // namespace carom::resting
