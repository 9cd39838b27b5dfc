// A gas of equal balls in a box of six planes: on the points of a cubic lattice, with random
// velocities of mean square 3 (m/s)², no drift and so, at a mass of 1 kg, a temperature of 1 J.
#pragma once

#include <cmath>
#include <numbers>

#include "carom/base/random.h"
#include "carom/dynamics/state.h"
#include "support/scenes.h"

namespace carom::support {

struct GasSpec {
  int per_side = 10;     // balls along each edge of the box
  double packing = 0.1;  // share of the box that is ball; below 0.52
  double restitution = 1;
  double radius = 0.5;
  std::uint64_t seed = 1;

  double spacing() const {
    return 2 * radius * std::cbrt(std::numbers::pi / 6 / packing);  // of lattice points
  }
  double edge() const { return per_side * spacing(); }
  int balls() const { return per_side * per_side * per_side; }
};

inline SceneParts make_gas_parts(const GasSpec& gas) {
  const double edge = gas.edge();
  SceneParts parts{.gravity = Vec3::Zero(), .between = {.restitution = gas.restitution}};
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name(1, static_cast<char>('x' + axis));
    parts.bodies.push_back(make_plane("low " + name, Vec3::Unit(axis)));
    parts.bodies.push_back(make_plane("high " + name, -Vec3::Unit(axis), -edge));
  }
  model::BodySpec ball =
      make_ball("ball", gas.radius, Vec3::Constant(0.5 * gas.spacing()), Vec3(1, 1, 1));
  ball.grid = model::GridSpec{.count = {gas.per_side, gas.per_side, gas.per_side},
                              .spacing = Vec3::Constant(gas.spacing())};
  parts.bodies.push_back(ball);
  return parts;
}

// With walls that take no energy, whatever the balls do to one another.
inline Scene build_gas(const GasSpec& gas) {
  SceneParts parts = make_gas_parts(gas);
  model::SceneBuilder builder;
  builder.set_gravity(parts.gravity);
  builder.add_material({.name = "wall"});
  builder.add_pair({.materials = {"*", "*"}, .restitution = gas.restitution});
  builder.add_pair({.materials = {"wall", "*"}, .restitution = 1});
  for (model::BodySpec& body : parts.bodies) {
    if (body.motion == model::Motion::Fixed) body.material = "wall";
    builder.add_body(body);
  }
  return builder.build();
}

// A uniform distribution becomes Maxwell's within a few collisions of each ball.
inline State heat(const Scene& scene, std::uint64_t seed) {
  State state = dynamics::make_initial_state(scene);
  base::Random random(seed);
  Vec3 sum = Vec3::Zero();
  double count = 0;
  const auto each = [&](const auto& change) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (scene.bodies[i].is_dynamic()) change(state.bodies[i].v);
    }
  };
  each([&](Vec3& v) {
    v = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    sum += v;
    ++count;
  });
  double squares = 0;
  each([&](Vec3& v) {
    v -= sum / count;
    squares += v.squaredNorm();
  });
  each([&](Vec3& v) { v *= std::sqrt(3 * count / squares); });
  return state;
}

}  // namespace carom::support
