// Small scenes built by hand, without shapes: dynamics needs masses and inertias only.
#pragma once

#include "carom/dynamics/state.h"

namespace carom::dynamics {

inline Body make_body(double mass, const Mat3& inertia) {
  Body body;
  body.mass = mass;
  body.inertia = inertia;
  body.inverse_mass = 1 / mass;
  body.inverse_inertia = inertia.inverse();
  body.principal = math::make_principal_inertia(inertia);
  return body;
}

inline Body make_unmoved(model::Motion motion) {
  Body body;
  body.motion = motion;
  return body;
}

inline Scene make_scene(const Body& body, const model::InitialMotion& start) {
  Scene scene;
  scene.bodies = {body};
  scene.initial = {start};
  return scene;
}

// Moments 1, 2, 3 and mass 2 in free space, starting as the reference tumbling top.
inline Scene make_tumbling_top() {
  Scene scene = make_scene(make_body(2, Vec3(1, 2, 3).asDiagonal()), {.w = Vec3(1, 0, 1)});
  scene.gravity = Vec3::Zero();
  return scene;
}

inline double angle_between(const Quat& a, const Quat& b) {
  return 2 * std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

}  // namespace carom::dynamics
