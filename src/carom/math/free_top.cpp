// The motion of a free top in closed form, arranged so that no quotient degenerates: not for equal
// moments, not near the separatrix, not for spin close to a principal axis. Instead of a phase,
// the addition theorems of sn, cn, dn and of the third elliptic integral carry the initial state.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/math/attitude.h"

namespace carom::math {
namespace {

constexpr int kB = 1;  // the intermediate axis

double square(double x) { return x * x; }

// Spin so close to a principal axis that the difference is rounding of the state.
bool is_principal_spin(const Vec3& w) {
  const Vec3 size = w.cwiseAbs();
  const double largest = size.maxCoeff();
  return size.sum() - largest <= 8 * std::numeric_limits<double>::epsilon() * largest;
}

// x along the angular momentum, y along axis × angular momentum; principal coordinates.
Quat momentum_frame(int axis, const Vec3& momentum) {
  Mat3 frame;
  frame.col(0) = momentum.normalized();
  frame.col(1) = Vec3::Unit(axis).cross(momentum).normalized();
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return Quat(frame);
}

// ∫₀ᵛ n sn² / (1 + n sn²) du, the part of the third integral beyond v (DLMF 19.25.14), continued
// over whole periods.
double third_integral_excess(double n, const Jacobi& v, double complement) {
  const double s = std::abs(v.sn);
  const double part = s * s * s * carlson_rj(square(v.cn), square(v.dn), 1, 1 + n * square(v.sn));
  const double whole =
      v.half_periods == 0 ? 0 : 2 * v.half_periods * carlson_rj(0, complement, 1, 1 + n);
  return n / 3 * (whole + v.remainder_sign * part);
}

}  // namespace

FreeTop::FreeTop(const PrincipalInertia& inertia, const Quat& q0, const Vec3& w0)
    : inertia_(inertia),
      w0_(w0),
      w_rate0_(angular_acceleration(inertia, q0, w0, Vec3::Zero())),
      q0_(q0) {
  const Vec3& I = inertia.moments;
  const Quat q_WP = q0 * inertia.q_BP;
  k_ = Vec3((I[2] - I[1]) / I[0], (I[2] - I[0]) / I[1], (I[1] - I[0]) / I[2]);
  w_P0_ = rotate(q_WP.conjugate(), w0);
  L_ = I.cwiseProduct(w_P0_).norm();
  law_ = SteadySpin{q0, w0};
  if (k_[kB] == 0 || is_principal_spin(w_P0_)) return;
  const Elliptic law = make_elliptic(q_WP);
  if (law.p > 0) law_ = law;
}

// p² = k_a k_b A_c², m p² = k_c k_b A_a², and m ≤ 1 decides which extreme axis is c.
FreeTop::Elliptic FreeTop::make_elliptic(const Quat& q_WP) const {
  const Vec3& I = inertia_.moments;
  const Vec3 w2 = w_P0_.cwiseAbs2();
  Elliptic law;
  law.c = k_[0] * w2[2] >= k_[2] * w2[0] ? 2 : 0;
  law.a = 2 - law.c;
  const double ka = k_[law.a], kb = k_[kB], kc = k_[law.c];
  law.Aa2 = w2[law.a] + ka / kb * w2[kB];
  law.Ac2 = w2[law.c] + kc / kb * w2[kB];
  law.p = std::sqrt(ka * kb * law.Ac2);
  if (law.p == 0) return law;
  law.Ab2 = kb / ka * law.Aa2;
  law.complement = std::min(1.0, (ka * w2[law.c] - kc * w2[law.a]) / (ka * law.Ac2));
  // L comes closest to axes a and c where ω_b = 0; the one farther away then is a safe reference
  // always, and its characteristic is at most 1.
  const double Ma2 = square(I[law.a]) * law.Aa2, Mc2 = square(I[law.c]) * law.Ac2;
  law.follow_a = Mc2 >= Ma2;
  law.characteristic = law.follow_a ? Ma2 / Mc2 : kc * square(I[law.c]) / (ka * square(I[law.a]));
  const int reference = law.follow_a ? law.a : law.c;
  law.q_WF0 = q_WP * momentum_frame(reference, I.cwiseProduct(w_P0_));
  return law;
}

// sn, cn, dn(u0 + v) by their addition theorems, with the amplitudes multiplied out. Short steps
// add an increment: equal steps would otherwise round cn and dn the same way every time, which let
// the flipping top's energy drift by 7e-11 in a million steps, against 5e-13 so.
Vec3 FreeTop::body_spin(const Elliptic& law, const Jacobi& v) const {
  const double sn = v.sn / law.p;
  const double wa = w_P0_[law.a], wb = w_P0_[kB], wc = w_P0_[law.c];
  const double ka = k_[law.a], kb = k_[kB], kc = k_[law.c];
  const double denominator = square(v.cn) + ka * kb * square(wc * sn);
  const Vec3 turn = sn * Vec3(-ka * wb * wc * v.dn, kb * wa * wc, -kc * wa * wb * v.cn);
  Vec3 abc;
  if (v.cn > 0.9) {
    const double missing = ka * kc * square(wb * sn);                         // 1 − denominator
    const double less_cn = square(v.sn) / (1 + v.cn);                         // 1 − cn
    const double less_dn = (1 - law.complement) * square(v.sn) / (1 + v.dn);  // 1 − dn
    const Vec3 less(less_cn, less_cn + less_dn - less_cn * less_dn, less_dn);
    abc = Vec3(wa, wb, wc) +
          (turn + Vec3(wa, wb, wc).cwiseProduct(Vec3::Constant(missing) - less)) / denominator;
  } else {
    abc = (turn + Vec3(wa * v.cn, wb * v.cn * v.dn, wc * v.dn)) / denominator;
  }
  return law.a == 0 ? abc : Vec3(abc.reverse());
}

// The reference axis r turns about L at the rate L (2T − I_r ω_r²) / (L² − I_r² ω_r²) (Landau &
// Lifshitz §37, eq. 37.17). Its integral, with o the other extreme axis, is
//   L s / I_o + L (1/I_r − 1/I_o) E(v) / p ± arctan(…),
// E the excess of the third integral over v; the arctangent is Legendre's addition theorem.
double FreeTop::precession(const Elliptic& law, double s, const Jacobi& v, const Vec3& w) const {
  const Vec3& I = inertia_.moments;
  const double Ia = I[law.a], Ib = I[kB], Ic = I[law.c];
  const double ka = k_[law.a], kb = k_[kB], kc = k_[law.c];
  const double Mc = Ic * std::sqrt(law.Ac2);
  const double wa2 = w_P0_[law.a] * w[law.a], wb2 = w_P0_[kB] * w[kB];
  const double root = Ib * L_ / Mc * v.sn * wb2;
  const double Ir = law.follow_a ? Ia : Ic, Io = law.follow_a ? Ic : Ia;
  const double addition =
      law.follow_a
          ? std::atan(root * Ia * std::sqrt(ka / kb) / (square(L_) - v.cn * square(Ia) * wa2))
          : std::atan(root * square(Ic) / Ia * kc / std::sqrt(ka * kb) /
                      (square(Ib) * law.Ab2 - v.cn * kc / ka * square(Ic) * wa2));
  const double excess = third_integral_excess(law.characteristic, v, law.complement);
  return L_ * (s / Io + (Io - Ir) / (Ir * Io) * excess / law.p) +
         std::copysign(1.0, Io - Ir) * addition;
}

RotationState FreeTop::at(double s) const {
  if (const auto* steady = std::get_if<SteadySpin>(&law_)) return steady->at(s);
  if (s == 0) return {q0_, w0_, w_rate0_};
  const Elliptic& law = std::get<Elliptic>(law_);
  const Jacobi v = jacobi(law.p * s, law.complement);
  const Vec3 w = body_spin(law, v);
  const int reference = law.follow_a ? law.a : law.c;
  const Quat q_PF = momentum_frame(reference, inertia_.moments.cwiseProduct(w));
  const Quat turn = quat_exp(precession(law, s, v, w) * Vec3::UnitX());
  const Quat q_WP = (law.q_WF0 * turn * q_PF.conjugate()).normalized();
  Quat q = q_WP * inertia_.q_BP.conjugate();
  if (q.dot(q0_) < 0) q.coeffs() *= -1;
  const Vec3 w_W = rotate(q_WP, w);
  return {q, w_W, angular_acceleration(inertia_, q, w_W, Vec3::Zero())};
}

// |ω|² is linear in ω_b² along the motion, so its largest value is at an end of ω_b's range.
SpinBounds FreeTop::bounds() const {
  if (const auto* steady = std::get_if<SteadySpin>(&law_)) return {.speed = steady->w.norm()};
  const Elliptic& law = std::get<Elliptic>(law_);
  const double ka = k_[law.a], kb = k_[kB], kc = k_[law.c];
  const double at_edge = law.Ac2 + law.Ab2 * (1 - kc / kb);
  const double acceleration2 = square(ka) * law.Ab2 * law.Ac2 + square(kb) * law.Aa2 * law.Ac2 +
                               square(kc) * law.Aa2 * law.Ab2;
  const double speed = std::sqrt(std::max(law.Aa2 + law.Ac2, at_edge));
  const double acceleration = std::sqrt(acceleration2);
  return {speed, acceleration, jerk_bound(inertia_, speed, acceleration, 0)};
}

}  // namespace carom::math
