// Jacobi's elliptic functions and Carlson's symmetric elliptic integrals for real arguments, to a
// few units of round-off and without allocation. Parameters are given by the complement m₁ = 1 − m,
// which callers can often form without cancellation: near the separatrix m → 1 every digit of m₁
// counts.
#pragma once

namespace carom::math {

struct Jacobi {
  double sn = 0, cn = 1, dn = 1;
  double quarter_period = 0;  // K(m); infinite for m₁ = 0
  double half_periods = 0;    // the integer nearest u / 2K
  double remainder_sign = 1;  // of u − 2K · half_periods
};

// sn, cn, dn(u | 1 − m₁) for 0 ≤ m₁ ≤ 1 and any finite u, by Gauss' transformation down the
// arithmetic-geometric mean (Bulirsch, Numer. Math. 7, 1965): about five square roots.
Jacobi jacobi(double u, double complement);

// Carlson, Numerical computation of real or complex elliptic integrals (1995), by duplication.
// Arguments are not negative, at most one of them is zero, and y of rc and p of rj are positive.
double carlson_rf(double x, double y, double z);
double carlson_rc(double x, double y);
double carlson_rj(double x, double y, double z, double p);

}  // namespace carom::math
