// What exists and does not change: bodies, shapes, materials, joints, gravity, forces, and how the
// scene wants to be run. A Scene is made by SceneBuilder alone, which checks it; nothing checks it
// again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/tolerances.h"
#include "carom/model/body.h"
#include "carom/model/force.h"
#include "carom/model/joint.h"
#include "carom/model/material.h"
#include "carom/model/method_settings.h"

namespace carom::model {

// Position and velocity of a body at t = 0: centre of mass, world frame.
struct InitialMotion {
  Vec3 x = Vec3::Zero();
  Quat q = Quat::Identity();
  Vec3 v = Vec3::Zero();
  Vec3 w = Vec3::Zero();
};

struct Scene {
  std::string name;
  std::string source;
  Vec3 gravity{0, 0, -9.81};
  std::vector<Material> materials;  // the first is the default one
  PairTable pairs;
  std::vector<Body> bodies;
  std::vector<InitialMotion> initial;  // one per body
  std::vector<Joint> joints;
  std::vector<Force> forces;
  MethodSettings method;
  double duration = 1;
  double output_every = 0.01;
  base::Tolerances tolerances;

  const Body& body(BodyId id) const { return bodies[index(id)]; }
  // Nothing, where none has that name. A body of a grid is bead[i,j,k].
  std::optional<BodyId> find_body(std::string_view named) const;
  std::optional<JointId> find_joint(std::string_view named) const;
  std::optional<MaterialId> find_material(std::string_view named) const;
};

}  // namespace carom::model

namespace carom {
using model::Body;
using model::Scene;
}  // namespace carom
