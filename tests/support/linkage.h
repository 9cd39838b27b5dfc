// Two uniform rods of mass 1 and length 1 in line along x, hinged at x = 1; the first may be pinned
// at the origin. Planar, in x and z (Baraff, §7 and §8).
#pragma once

#include "carom/contact/contact_problem.h"
#include "support/scenes.h"

namespace carom::support {

inline model::BodySpec make_rod(const std::string& name, double x) {
  model::BodySpec rod = make_box(name, Vec3(1, 0.01, 0.01), Vec3(x, 0, 0));
  rod.inertia = Mat3(Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal());
  return rod;
}

inline SceneParts make_linkage(bool pinned) {
  SceneParts parts;
  model::BodySpec peg = make_ball("peg", 0.01, Vec3(2, 0, -5));
  peg.motion = model::Motion::Fixed;
  parts.bodies = {peg, make_rod("rod 1", 0.5), make_rod("rod 2", 1.5)};
  const auto hinge = [](const std::string& name, const std::array<std::string, 2>& between,
                        double x) {
    return model::JointSpec{.name = name,
                            .type = model::JointType::Hinge,
                            .between = between,
                            .anchor = Vec3(x, 0, 0),
                            .axis = Vec3::UnitY()};
  };
  parts.joints = {hinge("knee", {"rod 1", "rod 2"}, 1)};
  if (pinned) parts.joints.push_back(hinge("hip", {"peg", "rod 1"}, 0));
  return parts;
}

// The free end of the second rod touches from above.
inline contact::ContactSet make_end_contact(double restitution) {
  contact::Contact contact;
  contact.a = BodyId{2};
  contact.b = BodyId{0};
  contact.at = {Vec3(2, 0, 0), Vec3::UnitZ(), 0};
  contact.restitution = restitution;
  return {contact};
}

// Counter-clockwise in the plane of x and z is about -y.
inline double planar_spin(const BodyState& body) { return -body.w.y(); }

}  // namespace carom::support
