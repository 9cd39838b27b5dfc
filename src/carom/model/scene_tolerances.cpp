#include "carom/model/scene_tolerances.h"

#include <algorithm>
#include <cmath>

namespace carom::model {

base::Tolerances compute_tolerances(const Scene& scene) {
  double length = HUGE_VAL;
  double speed = 0;
  double extent = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    const InitialMotion& initial = scene.initial[i];
    const double lever = std::isfinite(body.radius) ? body.radius : 0;
    speed = std::max(speed, initial.v.norm() + lever * initial.w.norm());
    if (!body.is_dynamic()) continue;
    extent = std::max(extent, initial.x.norm());
    if (body.radius > 0) length = std::min(length, body.radius);
  }
  if (!std::isfinite(length)) length = 1;
  speed = std::max(speed, std::sqrt(scene.gravity.norm() * length));
  return base::make_tolerances(length, speed > 0 ? speed : length, extent);
}

}  // namespace carom::model
