// Contacts of bodies: points, normals, gaps. Geometry, no forces.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/base/ids.h"
#include "carom/geometry/distance/contact_point.h"

namespace carom::contact {

struct Contact {
  BodyId a{}, b{};
  geometry::ContactPoint at;  // normal from b to a
  double approach_rate = 0;   // d gap/dt before anything is done about it
  double bias = 0;            // d²gap/dt² from velocities alone
  double restitution = 0, friction = 0;
  std::int64_t feature = 0;  // number of the feature pair of these two bodies; stable over time
  Vec3 slip_bias = Vec3::Zero();  // d slip/dt from velocities alone, world; where it is followed
  double rolling_friction = 0, spinning_friction = 0;
};

using ContactSet = std::vector<Contact>;

}  // namespace carom::contact
