// The problem of cone_complementarity.h by Newton's method, for islands in which sweeps creep:
// towers, great mass ratios, contacts that share a load in many ways. What is solved is Alart and
// Curnier's form of Coulomb's law, with u = w + R Rᵀ p and lengths ν, τ of a contact's own rows,
//
//     p_n = max(0, p_n - u_n/ν),      p_t = the point of the disc of radius μ p_n
//                                           nearest to p_t - u_t/τ,
//
// piecewise smooth and exact: no cone is approximated and no slip assumed. It is solved proximally,
// with u + d ν (p - c) in place of u (τ for tangents), c a centre: contacts that share a load in
// many ways keep their part of it, and where p = c the answer is one whatever d is. Once Newton's
// steps have solved that well beside what is left of the law itself, the iterate is the next
// centre, and d falls tenfold if it took few; where they do not, d rises. Iterates may leave the
// cones; what counts and what is returned are their projections onto them. What is factored is
// I + Rᵀ W R, with W the response of contacts to velocities: as large as there are bodies however
// many contacts they have, sparse by the contact graph, and not symmetric where something slides
// (math/block_lu.h).
//
// Couples are like tangents in three directions, within the ball of radius c p_n.
//
// 2 to 10 steps where sweeps were near the answer. Nothing proves that it converges: it stops when
// it gains nothing, with the best it saw, from where sweeps and another d lead on.
#pragma once

#include "carom/math/block_lu.h"
#include "carom/solvers/cone_complementarity.h"

namespace carom::solvers {

struct NewtonOptions {
  double tolerance = 0;  // velocity: a residual that is enough
  int max_steps = 60;
  int patience = 30;        // steps without a much better iterate, fewer once it is good
  double proximity = 1e-4;  // d at first
  std::span<const SlipDirection> sliding{};  // one per contact, or none
  double softness = 0;                       // as in SweepOptions
  std::span<const Couple> couples{};
};

class ConeNewton {
 public:
  void watch(base::Watched watched) { watched_ = watched; }

  // x is the start and the answer, never worse than the start's projection. The residual is the
  // natural map's in velocity, as that of sweeps, softness counted in; the status says whether it
  // is within tolerance or the round-off of what adds up to a velocity.
  SolveResult solve(const math::BlockRows& rows, math::VecIn w, std::span<const double> friction,
                    math::VecView x, const NewtonOptions& options);

 private:
  using Index = math::Index;
  struct Contact {
    double normal = 0, tangents = 0;  // own stiffness: of the normal, the greater of the tangents
    double friction = 0, softness = 0;
    SlipDirection slip{};
    Mat3 response = Mat3::Zero();  // W: of the impulse to velocities, changed in sign
  };
  struct Turning {
    Couple law;
    double stiffness = 0;
    Mat3 response = Mat3::Zero();
    Vec3 by_normal = Vec3::Zero();  // the response to the contact's normal velocity
  };
  // How far an iterate is from an answer, and how far from one of the proximal problem.
  struct Miss {
    double worst = 0;     // velocity, the greatest
    double energy = 0;    // of all, in energy
    double proximal = 0;  // the same of the proximal problem
    double gross = 0;     // velocity: the greatest that a contact's own impulse makes
  };

  void set_up(const math::BlockRows& rows, std::span<const double> friction,
              const NewtonOptions& options);
  void project();  // the iterate, onto the cones
  Miss measure(const math::BlockRows& rows, math::VecIn w);
  Vec3 proximal_velocity(std::size_t contact, const math::VecBuffer& p) const;
  void find_velocities(const math::BlockRows& rows, math::VecIn w, const math::VecBuffer& p);
  bool step(const math::BlockRows& rows, math::VecIn w);
  Vec3 linearise(Contact& contact, const Vec3& p, const Vec3& u) const;
  void add_couples(const math::BlockRows& rows);
  void move_couples(const math::BlockRows& rows);
  void measure_couples(Miss& miss) const;
  Vec3 linearise(Turning& couple, std::size_t number) const;
  std::size_t triple(std::size_t couple) const { return contacts_.size() + couple; }
  Vec3 proximal_turning(std::size_t couple, const math::VecBuffer& p) const;
  Vec3 slide(Contact& contact, const Vec3& p, const Vec3& a, const math::Vec2& aim) const;
  void move_centre(const Miss& miss);

  base::Watched watched_;
  std::vector<Contact> contacts_;
  std::vector<Turning> couples_;
  math::BlockLu factor_;
  math::VecBuffer iterate_, projected_, centre_, velocity_, y_, aim_;
  double d_ = 1;
  int steps_ = 0;  // with the same centre
};

}  // namespace carom::solvers
