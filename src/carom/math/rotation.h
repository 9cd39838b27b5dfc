// Orientation of a rigid body as a function of time, in closed form where one exists. Each law is a
// value that can be evaluated anywhere on its interval, s seconds after its start:
//
//   SteadySpin   constant angular velocity: spheres, driven bodies, spin about a principal axis
//   FreeTop      torque-free rotation of any body, exact: symmetric tops by two rotations,
//                asymmetric ones by Jacobi elliptic functions (Landau & Lifshitz, Mechanics, §37)
//   TorquedTop   constant world torque for a short time: the angular momentum L0 + τ s is exact,
//                the attitude is one step of a fourth-order Lie-group Runge–Kutta method of size s,
//                hence exact for steady spin and with an error of order s⁵ otherwise
#pragma once

#include <variant>

#include "carom/math/pose.h"

namespace carom::math {

// Rotation vector to unit quaternion, accurate also for small angles.
Quat quat_exp(const Vec3& rotation_vector);

// Principal moments of inertia (ascending) about the centre of mass and the attitude of the
// principal frame P in the body frame B.
struct PrincipalInertia {
  Vec3 moments = Vec3::Ones();
  Quat q_BP = Quat::Identity();
};
PrincipalInertia make_principal_inertia(const Mat3& inertia);

struct SteadySpin {
  Quat q0 = Quat::Identity();
  Vec3 w = Vec3::Zero();
};

class FreeTop {
 public:
  FreeTop(const PrincipalInertia& inertia, const Quat& q0, const Vec3& w0);
  Quat attitude(double s) const;
  Vec3 angular_velocity(double s) const;  // world frame

 private:
  struct Elliptic {  // asymmetric: ω along the sorted axes is (A cn, B sn, C dn)(p s + phase0 | m)
    Vec3 amplitude;
    double p, phase0, m;
    double quarter_period;
    double angle0;          // of L's azimuth at s = 0
    double rate, full_turn; // secular rate of the azimuth integral and its gain per period
  };
  struct Symmetric {  // two steady rotations: about L in space, about the figure axis in the body
    double space_rate, body_rate;
  };
  PrincipalInertia inertia_;
  Quat q_WP0_ = Quat::Identity();
  Vec3 L_W_ = Vec3::Zero();
  Vec3 w_P0_ = Vec3::Zero();
  std::variant<SteadySpin, Symmetric, Elliptic> law_;
};

class TorquedTop {
 public:
  TorquedTop(const Mat3& inertia, const Mat3& inverse_inertia, const Quat& q0, const Vec3& w0,
             const Vec3& torque);
  Quat attitude(double s) const;
  Vec3 angular_velocity(double s) const;

 private:
  Vec3 spin_at(const Quat& q, double s) const;  // I_W(q)⁻¹ (L0 + τ s)
  Mat3 inertia_, inverse_inertia_;
  Quat q0_;
  Vec3 L0_, torque_;
};

using Rotation = std::variant<SteadySpin, FreeTop, TorquedTop>;

Quat attitude_at(const Rotation& rotation, double s);
Vec3 angular_velocity_at(const Rotation& rotation, double s);

// Upper bounds on |ω| and |dω/dt| over [0, s_max], from energy and angular momentum.
struct SpinBounds {
  double speed = 0, acceleration = 0;
};
SpinBounds spin_bounds(const Rotation& rotation, double s_max);

}  // namespace carom::math
