// Frictional contact over an island as one linear complementarity problem, friction in a polygon.
// With n_k the normal row of contact k and d_kl its tangents in the directions of the polygon's
// corners, in the energy coordinates y of the island:
//
//     0 <= c_k   ⟂  n_k·y⁺ >= 0
//     0 <= t_kl  ⟂  d_kl·y⁺ + s_k >= 0
//     0 <= s_k   ⟂  μ_k (g_k + c_k) - Σ_l t_kl >= 0        y⁺ = y + Σ n_k c_k + Σ d_kl t_kl
//
// c: normal impulses, t: friction, s: the sliding speed, g: normal impulses already given, on which
// friction may count as well. Rows and columns are scaled to unit rows inside, which keeps the
// structure and makes masses of any ratio alike. Contacts without friction have c_k alone.
#pragma once

#include <span>

#include "carom/math/block_rows.h"
#include "carom/solvers/lemke.h"

namespace carom::solvers {

class PolygonProblem {
 public:
  // The rows in threes (normal, two tangents) and their matrix; friction by contact.
  void set_up(const math::BlockRows& rows, std::span<const double> friction, int sides);

  // Impulses that bring the row velocities `velocity` to what the problem asks for; they are added
  // to `impulse`, three per contact. `given` are the g_k. False, and nothing added, if the problem
  // was not solved.
  bool respond(math::VecIn velocity, std::span<const double> given, math::VecView impulse);

 private:
  struct Block {
    math::Index normal = 0;       // its variable
    math::Index first_side = -1;  // or -1: no friction
    math::Index speed = -1;
    double normal_scale = 0, speed_scale = 0, friction = 0;
  };
  struct Direction {
    double first = 0, second = 0;  // of the polygon's corner, along the tangents
  };
  // A variable that is an impulse: a combination of the three rows of a contact.
  struct Push {
    math::Index contact = 0;
    double along[3] = {0, 0, 0};
  };
  void add_contact(const math::BlockRows& rows, math::Index contact, double friction);
  void fill_matrix(const math::BlockRows& rows);

  std::vector<Direction> corners_;
  std::vector<Block> blocks_;
  std::vector<Push> pushes_;  // by variable; speeds push nothing
  math::MatBuffer matrix_, products_;
  math::VecBuffer right_, solution_;
  LemkeScratch lemke_;
};

}  // namespace carom::solvers
