// Where a rigid frame is: rotation and origin. X_AB maps coordinates in B to coordinates in A.
#pragma once

#include "carom/math/linear_algebra.h"

namespace carom::math {

struct Pose {
  Vec3 p = Vec3::Zero();
  Quat q = Quat::Identity();

  Vec3 operator*(const Vec3& point) const { return p + q * point; }
  Pose operator*(const Pose& other) const { return {p + q * other.p, q * other.q}; }
  Pose inverse() const {
    const Quat back = q.conjugate();
    return {back * -p, back};
  }
};

// Linear velocity of the frame's origin and angular velocity, both in world coordinates.
struct Twist {
  Vec3 v = Vec3::Zero();
  Vec3 w = Vec3::Zero();

  Vec3 at(const Vec3& lever) const { return v + w.cross(lever); }
};

}  // namespace carom::math

namespace carom {
using math::Pose;
using math::Twist;
}  // namespace carom
