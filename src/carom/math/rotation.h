// Rotations as vectors, and the principal axes about which a body turns.
#pragma once

#include "carom/math/pose.h"

namespace carom::math {

// Rotation vector to unit quaternion, accurate also for small angles.
Quat quat_exp(const Vec3& rotation_vector);

// Unit quaternion to the rotation vector of at most half a turn.
Vec3 quat_log(const Quat& q);

// The shortest turn that takes one direction to another, or nearly so where they are opposite to
// 1e-6. Eigen's own brings a singular value decomposition into every source that asks for it.
Quat turn_between(const Vec3& from, const Vec3& to);

// v turned by q/|q|, with its length restored. |q| is only rounded to 1, with a bias: plain
// products stretched spins by 2e-10 over a million steps that each turned them to the body and
// back.
Vec3 rotate(const Quat& q, const Vec3& v);

// Principal moments of inertia (ascending) about the centre of mass and the attitude of the
// principal frame P in the body frame B.
struct PrincipalInertia {
  Vec3 moments = Vec3::Ones();
  Quat q_BP = Quat::Identity();

  bool is_spherical() const;  // cubes too, whose moments may differ by their rounding
};
PrincipalInertia make_principal_inertia(const Mat3& inertia);

}  // namespace carom::math
