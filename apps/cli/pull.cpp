#include "pull.h"

#include "carom/math/rotation.h"

namespace carom::cli {

namespace {

// A force F at r gives the point the acceleration F / m + (I⁻¹ (r × F)) × r, whose matrix is
// symmetric; the greatest of its principal values is one over the least mass.
double least_mass(const Pull& pull, const model::Body& body) {
  Mat3 inverse = body.inverse_mass * Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    const Vec3 turn = body.inverse_inertia * pull.point.cross(Vec3::Unit(i));
    inverse.col(i) += turn.cross(pull.point);
  }
  return 1 / math::make_principal_inertia(inverse).moments.maxCoeff();
}

}  // namespace

dynamics::ForceLaw make_law(const Pull& pull, const model::Body& body) {
  const double mass = least_mass(pull, body);
  return [pull, mass](BodyId id, const State& state) {
    const BodyState& at = state[id];
    const Vec3 arm = at.q * pull.point;
    const Vec3 away = at.x + arm - pull.to, rate = at.v + at.w.cross(arm);
    const Vec3 force = -mass * kPullRate * (kPullRate * away + 2 * rate);
    const Vec3 torque = arm.cross(force);
    return Wrench{force, torque, torque.norm()};
  };
}

}  // namespace carom::cli
