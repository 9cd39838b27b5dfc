// A rigid body as the scene describes it. Everything is in the body frame with its origin moved to
// the centre of mass, so that the state's position is the centre of mass.
#pragma once

#include <string>
#include <vector>

#include "carom/base/ids.h"
#include "carom/geometry/shapes/shape.h"
#include "carom/math/rotation.h"

namespace carom::model {

enum class Motion { Dynamic, Fixed, Driven };

struct PlacedShape {
  geometry::Shape shape;
  Pose X_BS;  // shape frame in the body frame, from the centre of mass
  MaterialId material{};
  bool collide = true;
};

struct Body {
  std::string name;
  Motion motion = Motion::Dynamic;
  double mass = 0;              // meaningful for dynamic bodies only
  Mat3 inertia = Mat3::Zero();  // about the centre of mass, body axes
  double inverse_mass = 0;      // 0 for fixed and driven bodies: nothing pushes them
  Mat3 inverse_inertia = Mat3::Zero();
  math::PrincipalInertia principal;
  Vec3 center_of_mass = Vec3::Zero();  // m; in the body frame of the scene
  std::vector<PlacedShape> shapes;
  double radius = 0;  // m; of a ball about the centre of mass that holds all shapes

  bool is_dynamic() const { return motion == Motion::Dynamic; }
};

}  // namespace carom::model
