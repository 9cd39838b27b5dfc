// Orientation of a rigid body as a function of time, in closed form where one exists. Each law is a
// value that can be evaluated anywhere on its interval, s seconds after its start:
//
//   SteadySpin   constant angular velocity: spheres, driven bodies, spin about a principal axis
//   FreeTop      torque-free rotation of any body, exact: Jacobi elliptic functions for the angular
//                velocity, an elliptic integral of the third kind for the precession about the
//                angular momentum (Landau & Lifshitz, Mechanics, §37); symmetric tops are m = 0
//   TorquedTop   constant world torque for a short time: the angular momentum L0 + τ s is exact,
//                the attitude is one step of a fourth-order Lie-group Runge–Kutta method of size s,
//                hence exact for steady spin and with an error of order s⁵ otherwise; where all
//                moments are equal ω is linear in time and two terms of Magnus' series do as well
//   HermiteTurn  between two states with their ω': exp(φ(s)) q0 with φ a polynomial of degree five,
//                for a step of an integrator
#pragma once

#include <variant>

#include "carom/math/elliptic.h"
#include "carom/math/quintic.h"
#include "carom/math/rotation.h"

namespace carom::math {

// ω' of a body with angular velocity w (world frame) under a torque: I_W⁻¹ (τ − ω × I_W ω).
Vec3 angular_acceleration(const PrincipalInertia& inertia, const Quat& q, const Vec3& w,
                          const Vec3& torque);

struct SpinBounds {
  double speed = 0, acceleration = 0, jerk = 0;  // of |ω|, |ω'|, |ω''|
};

// A bound on |ω''| where |ω|, |ω'| and |τ| are bounded so.
double jerk_bound(const PrincipalInertia& inertia, double speed, double acceleration,
                  double torque);

// Attitude, angular velocity and its rate (world frame) at one time. Every law gives back what it
// was made from at s = 0, to the last bit and for next to nothing.
struct RotationState {
  Quat q = Quat::Identity();
  Vec3 w = Vec3::Zero();
  Vec3 w_rate = Vec3::Zero();
};

struct SteadySpin {
  Quat q0 = Quat::Identity();
  Vec3 w = Vec3::Zero();

  RotationState at(double s) const {
    return s == 0 || w.isZero(0) ? RotationState{q0, w} : RotationState{quat_exp(s * w) * q0, w};
  }
};

// Every attitude maps the body's angular momentum onto the same world vector, so energy and angular
// momentum stay to round-off however far s lies, and within 3e-11 over a million restarts. A
// construction with one evaluation takes about 0.4 µs.
class FreeTop {
 public:
  FreeTop(const PrincipalInertia& inertia, const Quat& q0, const Vec3& w0);
  RotationState at(double s) const;
  Quat attitude(double s) const { return at(s).q; }
  Vec3 angular_velocity(double s) const { return at(s).w; }  // world frame
  SpinBounds bounds() const;                                 // for all s

 private:
  // Principal axes by their part in the motion: ω is (A_a cn, A_b sn, A_c dn)(p s + phase | m). The
  // angular momentum circles axis c in the body; b is the intermediate axis.
  struct Elliptic {
    int a, c;
    double p, complement;   // 1 − m
    double Aa2, Ab2, Ac2;   // squared amplitudes
    bool follow_a;          // whose precession about L is followed: axis a's, else axis c's
    double characteristic;  // n in ∫ du / (1 + n sn² u)
    Quat q_WF0;             // frame F at s = 0: x along L, y along reference axis × L
  };
  Elliptic make_elliptic(const Quat& q_WP) const;
  Vec3 body_spin(const Elliptic& law, const Jacobi& v) const;
  double precession(const Elliptic& law, double s, const Jacobi& v, const Vec3& w) const;

  PrincipalInertia inertia_;
  Vec3 w0_, w_rate0_;
  Vec3 k_;     // |differences of moments| / moments: Euler's equations are ω1' = −k1 ω2 ω3, …
  Vec3 w_P0_;  // principal axes
  double L_;   // |I ω|
  Quat q0_;
  std::variant<SteadySpin, Elliptic> law_;
};

class TorquedTop {
 public:
  TorquedTop(const PrincipalInertia& inertia, const Quat& q0, const Vec3& w0, const Vec3& torque);
  RotationState at(double s) const;
  Quat attitude(double s) const { return at(s).q; }
  Vec3 angular_velocity(double s) const { return at(s).w; }
  SpinBounds bounds(double s_max) const;

 private:
  Vec3 spin_at(const Quat& q, double s) const;  // I_W(q)⁻¹ (L0 + τ s)
  RotationState spherical_at(double s) const;

  PrincipalInertia inertia_;
  Quat q0_;
  Vec3 w0_, w_rate0_, L0_, torque_;
};

// Gives back its start at 0 and its end at `duration` to the last bit. The turn between them is
// the shortest one, less than half a turn.
class HermiteTurn {
 public:
  HermiteTurn(const RotationState& start, const RotationState& end, double duration);
  RotationState at(double s) const;
  SpinBounds bounds(double s_max) const;

 private:
  Quat q0_;
  Quintic phi_;
  RotationState end_;
  double duration_;
};

using Rotation = std::variant<SteadySpin, FreeTop, TorquedTop, HermiteTurn>;

RotationState rotation_at(const Rotation& rotation, double s);
Quat attitude_at(const Rotation& rotation, double s);
Vec3 angular_velocity_at(const Rotation& rotation, double s);

// Upper bounds over [0, s_max]: from energy and angular momentum, or from the polynomial.
SpinBounds spin_bounds(const Rotation& rotation, double s_max);

}  // namespace carom::math
