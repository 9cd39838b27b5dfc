// What draws a body by a point of it: a spring and a damper from the point to a place, as when one
// drags it with the pointer. Their strength suits the body, so that the point of a free body comes
// to the place as fast as it can without going past it.
#pragma once

#include "carom/dynamics/wrench.h"
#include "carom/model/body.h"

namespace carom::cli {

struct Pull {
  BodyId body{};
  Vec3 point = Vec3::Zero();  // m; in the body's axes, from its centre of mass
  Vec3 to = Vec3::Zero();     // m; in the world

  bool operator==(const Pull&) const = default;
};

// F = M (W² d − 2 W d′) at the point, with d from the place to it and M the least mass that a push
// there meets in any direction. Thus what hangs on it hangs g / W² lower than the place where M is
// all of its mass, and steps of up to 1 / W are stable.
dynamics::ForceLaw make_law(const Pull& pull, const model::Body& body);

inline constexpr double kPullRate = 40;  // 1/s; W

}  // namespace carom::cli
