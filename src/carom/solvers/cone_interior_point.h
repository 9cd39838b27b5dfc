// The problem of cone_complementarity.h by an interior-point method on the true cone, for islands
// in which sweeps creep: towers, great mass ratios, contacts that share a load in many ways. With
// the unit cone L = {z₀ >= |(z₁, z₂)|}, x = (z₀/μ, z₁, z₂) and v = (u_n/μ + |u_t|, u_t), Coulomb's
// law is (De Saxcé's form)
//
//     z ∈ L,  v ∈ L,  z·v = 0,      v = ŵ + |u_t| e₀ + R̂ R̂ᵀ z,
//
// a convex problem but for the term |u_t|, and a half-line for a contact without friction or with a
// known slip. Each iteration is a predictor and a corrector step of Newton's method in the scaling
// of Nesterov and Todd; |u_t| and friction against a known slip are those of the iterate before.
// What is factored is I + R̂ᵀ W⁻² R̂: as large as there are bodies, never singular however redundant
// the contacts, and sparse by the contact graph (math/envelope_factor.h). Of impulses that do the
// same it finds some.
//
// 10 to 20 iterations a round, and a round for each time that |u_t| is set again: one where nothing
// slides, up to twelve where much does. Where the lagged terms do not settle (large μ that drives
// contacts in), or nothing strictly feasible exists (squeezed bodies), it ends at its cap with the
// best iterate.
#pragma once

#include "carom/math/envelope_factor.h"
#include "carom/solvers/cone_complementarity.h"

namespace carom::solvers {

class ConeInteriorPoint {
 public:
  void watch(base::Watched watched) { watched_ = watched; }

  // `sliding` holds one direction per contact, or is empty. x is the answer; the residual is that
  // of the scaled problem, relative to its greatest velocity.
  SolveResult solve(const math::BlockRows& rows, math::VecIn w, std::span<const double> friction,
                    std::span<const SlipDirection> sliding, math::VecView x);

 private:
  using Index = math::Index;
  struct Cone {
    Index row = 0;               // of its normal
    Index first = 0;             // of its variables
    int size = 1;                // 3 with friction
    Vec3 factor = Vec3::Ones();  // of the rows: R̂ = factor R
    double friction = 0;         // against a known slip
    SlipDirection slip{};
    double assumed = 0;  // |u_t|, or the normal impulse under a known slip
    double found = 0;    // the same of the last answer
    double eta = 1;      // W = η (w̄ as in Nesterov and Todd), for one variable √(v/z)
    Vec3 w = Vec3::UnitX();
  };

  void form_cones(const math::BlockRows& rows, std::span<const double> friction,
                  std::span<const SlipDirection> sliding);
  double place_velocities(math::VecIn w);
  bool start(const math::BlockRows& rows);
  SolveResult iterate(const math::BlockRows& rows);
  double settle(const math::BlockRows& rows);
  bool hold(const math::BlockRows& rows);
  double measure(const math::BlockRows& rows);  // sets y and the residual of v
  bool set_scaling(const math::BlockRows& rows);
  void find_direction(const math::BlockRows& rows, double part);
  void push_back(const math::BlockRows& rows, math::VecIn delta);
  void refine(const math::BlockRows& rows);
  void aim(double centre, bool second_order);
  double longest_step() const;
  void write(math::VecView x) const;

  base::Watched watched_;
  std::vector<Cone> cones_;
  math::EnvelopeFactor factor_;
  math::VecBuffer w_, z_, v_, lambda_, target_, dz_, dv_, residual_, y_, dy_, lacking_, best_;
  double speed_ = 1, gap_ = 0;
};

}  // namespace carom::solvers
