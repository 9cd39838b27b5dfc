#include "carom/model/reach.h"

#include <cmath>

namespace carom::model {

namespace {

void check_distance(const Scene& scene, std::size_t i, const Body* smallest, Problems& problems) {
  const Body& body = scene.bodies[i];
  if (smallest == nullptr || !std::isfinite(body.radius)) return;
  const double distance = scene.initial[i].x.norm();
  if (distance + body.radius <= kFarthest * smallest->radius) return;
  const bool far = distance > body.radius;
  problems.add(far ? "position" : "",
               far ? describe(distance) + " m from the origin"
                   : "a body that reaches " + describe(body.radius) + " m",
               "all within 1e11 radii of the smallest body that moves, " + quoted(smallest->name) +
                   " of radius " + describe(smallest->radius) +
                   " m: beyond, touching could not be told from apart");
}

void check_speed(const Scene& scene, std::size_t i, Problems& problems) {
  const Body& body = scene.bodies[i];
  const double shortest = kShortest * scene.duration;
  const double speed = scene.initial[i].v.norm(), spin = scene.initial[i].w.norm();
  const std::string reason =
      " (1e-13 of the duration): shorter times cannot be told apart at its end";
  if (body.radius > 0 && speed * shortest > body.radius) {
    problems.add("velocity", describe(speed) + " m/s",
                 "a speed at which it crosses its radius of " + describe(body.radius) +
                     " m in no less than " + describe(shortest) + " s" + reason);
  }
  if (spin * shortest > 1) {
    problems.add("angular_velocity", describe(spin) + " rad/s",
                 "a turn of one radian in no less than " + describe(shortest) + " s" + reason);
  }
}

}  // namespace

bool Range::holds(double x) const {
  return x == 0 || (std::abs(x) >= least && std::abs(x) <= most);
}

void check_reach(std::string_view field, double value, const NumberRule& rule, const Range& range,
                 Problems& problems) {
  if (!rule.holds(value) || range.holds(value)) return problems.check(field, value, rule);
  problems.add(field, describe(value),
               "a number from " + describe(range.least) + " to " + describe(range.most) +
                   ": products of others are too large or too small for a number");
}

void check_reach(std::string_view field, const Vec3& value, const NumberRule& rule,
                 const Range& range, Problems& problems) {
  for (int i = 0; i < 3; ++i) {
    check_reach(std::string(field) + '/' + std::to_string(i), value[i], rule, range, problems);
  }
}

const Body* find_smallest_moving(const Scene& scene) {
  const Body* smallest = nullptr;
  for (const Body& body : scene.bodies) {
    if (!body.is_dynamic() || !(body.radius > 0)) continue;
    if (smallest == nullptr || body.radius < smallest->radius) smallest = &body;
  }
  return smallest;
}

void check_body_reach(const Scene& scene, std::size_t i, const Body* smallest, Problems& problems) {
  check_distance(scene, i, smallest, problems);
  check_speed(scene, i, problems);
}

}  // namespace carom::model
