// The scenes that BallClock plays: every dynamic body is one ball about its centre of mass, with
// the same inertia about every axis, and everything else is planes that stand still.
#pragma once

#include <vector>

#include "carom/dynamics/state.h"

namespace carom::methods {

// What many balls have in common.
struct BallKind {
  double radius = 0;
  double inverse_mass = 0, inverse_inertia = 0;
  MaterialId material{};
};

struct FixedPlane {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;  // solid where normal·x < offset
  BodyId body{};
  MaterialId material{};
};

struct BallScene {
  std::vector<BallKind> kinds;
  std::vector<BodyId> bodies;         // those that are balls
  std::vector<std::int32_t> kind_of;  // one for each of them
  std::vector<FixedPlane> planes;
  double greatest_diameter = 0;
};

bool is_ball_scene(const Scene& scene);
BallScene make_ball_scene(const Scene& scene);  // of such a scene

}  // namespace carom::methods
