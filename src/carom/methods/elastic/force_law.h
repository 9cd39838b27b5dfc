// The force between two bodies that deform each other a little: a spring with damping along the
// normal, friction across it, a torque against turning (Neumayr & Otter, section 3, eq. 3–10).
//
// Indices and signs. With e_n from 1 to 2 and forces on body 2, the penetration velocity is
// δ' = -(v₂ - v₁)·e_n; (5b) as printed has the other sign, which would make damping drive. (7) is
// kept above cor_min, which as printed it is not.
//
// Beyond the paper:
//   damping    (10) is Flores' approximation: what bounces off with it keeps 0.470 of its speed
//              where cor = 0.5. m δ'' = -k δⁿ (1 + d δ') has the first integral
//              D - ln(1 + D) = -e D - ln(1 - e D), D = d δ'⁻, whatever m, k and n: there is one D
//              for every e. `Exact` takes it, for the greatest δ' so far instead of δ'⁻: what is
//              struck while it touches begins at no speed, and (7) and (10) would stop it dead.
//   friction   (3c) slides under any load. With `stick` each contact has a bristle
//              (contact_loads.h).
#pragma once

#include "carom/math/linear_algebra.h"

namespace carom::methods {

enum class Damping { Exact, Flores };

struct Regularisation {
  double least_speed = 0.01;         // v_min, m/s
  double least_spin = 0.01;          // ω_min, rad/s
  double least_restitution = 0.001;  // cor_min
  double most_damping = 1000;        // d_max, s/m
  Damping damping = Damping::Exact;
};

// (4): |v|, but for small v a cubic that stays above v_min/3.
double regularise(double v, double v_min);
double regularised_slope(double v, double v_min);  // d reg/d|v|

// (7), never below cor_min. `speed` is that at the start of the contact.
double regularise_restitution(double restitution, double speed, const Regularisation& how);

// D = d δ'⁻ for which the law gives back a part e of the speed, 0 < e <= 1.
double damping_for(double e);

// (10) or its exact counterpart: d, s/m.
double damping_coefficient(double restitution, double speed, const Regularisation& how);

// (8), (9): of two materials, N/m².
double resultant_stiffness(double youngs_1, double poisson_1, double youngs_2, double poisson_2);

// Table 1: f_n = k c_res c_geo δ^n_geo, and the length that makes a torque of μ_r f_n.
struct GeometryFactors {
  double arm = 1;       // μ_geo, m
  double factor = 1;    // c_geo, m^(2 - n_geo)
  double exponent = 1;  // n_geo
};
GeometryFactors hertz_factors(double radius);  // m; one over the relative curvature
// Shapes of which no curvature is known: a flat punch as wide as the smaller of them. The paper's
// ones are those of a length of 1 m.
GeometryFactors plain_factors(double length);

// All that (3) needs of two shapes in contact.
struct PairLaw {
  double stiffness = 0;  // k_red c_res c_geo
  double exponent = 1.5;
  double friction = 0;
  double damping = 0;  // d
};

// 1 + d δ' and its derivative.
struct Damped {
  double value = 1;
  double slope = 0;  // s/m
};

// (3a) with its derivatives.
struct NormalForce {
  double value = 0;
  double by_depth = 0;  // ∂f/∂δ
  double by_rate = 0;   // ∂f/∂δ'
  double spring = 0;    // N; without damping
};
NormalForce normal_force(const PairLaw& law, double depth, const Damped& damped);

// v / reg(|v|), (5d) and (5f), and ∂/∂v.
Vec3 regularised_direction(const Vec3& v, double v_min);
Mat3 regularised_direction_slope(const Vec3& v, double v_min);

}  // namespace carom::methods
