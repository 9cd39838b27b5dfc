// Volume, centre of mass and inertia of solid shapes of unit density, in closed form where one
// exists and by exact integration over tetrahedra for polyhedra. Compounds add up; overlapping
// pieces count twice, as in every engine of the field.
#pragma once

#include "carom/geometry/shapes/shape.h"

namespace carom::geometry {

struct MassProperties {
  double mass = 0;
  Vec3 center = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  // about the centre of mass, in the frame of `center`
};

// Nothing for a plane, and for a mesh that is not closed or faces inwards.
MassProperties compute_mass_properties(const Shape& shape, double density);
MassProperties transformed(const MassProperties& properties, const Pose& X_AB);
MassProperties combined(const MassProperties& a, const MassProperties& b);

// A real body's principal moments are positive and no one exceeds the sum of the other two.
bool is_physical_inertia(const Mat3& inertia);

}  // namespace carom::geometry
