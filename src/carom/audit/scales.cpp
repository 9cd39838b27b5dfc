#include "carom/audit/scales.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::audit {

namespace {

double fastest_driven(const Scene& scene) {
  double fastest = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const model::InitialMotion& at = scene.initial[i];
    if (scene.bodies[i].motion != model::Motion::Driven) continue;
    const double r = scene.bodies[i].radius;
    fastest = std::max(fastest, at.v.norm() + (std::isfinite(r) ? r * at.w.norm() : 0));
  }
  return fastest;
}

}  // namespace

void ScaleWatch::begin(const Scene& scene, std::span<const double> radius) {
  scene_ = &scene;
  const double g = scene.gravity.norm(), driven = fastest_driven(scene);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (!body.is_dynamic()) continue;
    const double r = radius[i] > 0 ? radius[i] : body.radius;
    const double u = std::sqrt(g * r + driven * driven);
    bodies_.push_back(
        {i, body.mass, body.principal.moments.maxCoeff(), r, u, body.mass * scene.gravity});
    if (r > 0) least = std::min(least, r);
    at_rest_.energy += body.mass * u * u;
    at_rest_.momentum += body.mass * u;
  }
  if (!bodies_.empty() && std::isfinite(least)) scales.length = least;
}

void ScaleWatch::see(const State& state) {
  Scales now = at_rest_;
  for (const BodyScale& body : bodies_) {
    const BodyState& s = state.bodies[body.body];
    const double v = s.v.norm(), w = s.w.norm(), x = s.x.norm();
    now.energy += 0.5 * (body.mass * v * v + body.moment * w * w) +
                  std::abs(body.weight.dot(s.x - scene_->initial[body.body].x));
    now.potential += std::abs(body.weight.dot(s.x));
    now.momentum += body.mass * v;
    now.angular_momentum +=
        body.mass * (x + body.radius) * (v + body.usual_speed) + body.moment * w;
    now.turning = std::max(now.turning, w * w * body.radius);
    now.extent = std::max(now.extent, x + body.radius);
  }
  for (double Scales::* part : {&Scales::extent, &Scales::energy, &Scales::potential,
                                &Scales::momentum, &Scales::angular_momentum, &Scales::turning})
    scales.*part = std::max(scales.*part, now.*part);
}

}  // namespace carom::audit
