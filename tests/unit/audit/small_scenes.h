// Scenes and motions made by hand, so that the audit is judged without the code it judges.
#pragma once

#include <utility>
#include <vector>

#include "carom/audit/audit.h"
#include "carom/dynamics/flight.h"
#include "carom/geometry/shapes/mass_properties.h"

namespace carom::audit {

inline Body make_body(const geometry::Shape& shape, model::Motion motion, double mass = 1) {
  Body body;
  body.motion = motion;
  body.shapes.push_back({shape, Pose{}, MaterialId{}, true});
  if (motion != model::Motion::Dynamic) return body;
  const auto properties = geometry::compute_mass_properties(shape, 1);
  body.mass = mass;
  body.inverse_mass = 1 / mass;
  body.inertia = mass / properties.mass * properties.inertia;
  body.inverse_inertia = body.inertia.inverse();
  body.principal = math::make_principal_inertia(body.inertia);
  return body;
}

inline Body make_dynamic(const geometry::Shape& shape, double mass = 1) {
  return make_body(shape, model::Motion::Dynamic, mass);
}
inline Body make_fixed(const geometry::Shape& shape) {
  return make_body(shape, model::Motion::Fixed);
}
inline Body make_driven(const geometry::Shape& shape) {
  return make_body(shape, model::Motion::Driven);
}
inline Body make_ground() { return make_fixed(geometry::Plane{Vec3::UnitZ(), 0}); }

inline void add(Scene& scene, const Body& body, const model::InitialMotion& initial) {
  scene.bodies.push_back(body);
  scene.initial.push_back(initial);
}

inline Scene make_scene(const Vec3& gravity = Vec3::Zero()) {
  Scene scene;
  scene.gravity = gravity;
  return scene;
}

inline RigidMotion make_motion(const Vec3& x0, const Vec3& v0 = Vec3::Zero(),
                               const Vec3& a = Vec3::Zero(), const Vec3& w = Vec3::Zero()) {
  return {x0, v0, a, math::SteadySpin{Quat::Identity(), w}};
}

// What the audit says of one segment.
inline record::AuditResult audit_stretch(const Scene& scene, double duration,
                                         std::vector<RigidMotion> motions,
                                         const std::vector<record::CarriedForce>& forces = {}) {
  Audit audit;
  audit.begin(scene);
  const Flight flight{0, duration, std::move(motions)};
  audit.segment({flight, forces});
  return audit.result();
}

}  // namespace carom::audit
