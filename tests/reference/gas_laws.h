// What statistical mechanics says of a hard-ball gas, and the same measured on a run.
//
// Pressure: Carnahan & Starling (1969), Z = (1 + φ + φ² - φ³)/(1 - φ)³. Walls gather balls, so Z is
// measured inside, three diameters and more away from them: P = n kT + Σ d p / (3 V t) over the
// collisions whose contact lies there (the virial), n, φ and kT from the balls found there.
//
// Cooling: Haff (1983). A collision takes (1 - e²) kT on average of balls whose velocities are
// Maxwell's, so kT falls by exp(-(1 - e²)/3) with every collision of a ball, and as its rate goes
// with √T, 1/√T grows linearly in time.
#pragma once

#include "carom/methods/microcollision/balls/ball_clock.h"
#include "support/gas.h"

namespace carom::reference {

inline double carnahan_starling(double packing) {
  return (1 + packing * (1 + packing * (1 - packing))) / std::pow(1 - packing, 3);
}

// Enskog's rate of collisions of one ball of diameter 1 at kT/m = 1.
inline double collision_rate(double packing) {
  const double density = 6 * packing / std::numbers::pi;
  const double crowding = (1 - packing / 2) / std::pow(1 - packing, 3);
  return 4 * std::sqrt(std::numbers::pi) * density * crowding;
}

inline double temperature(const Scene& scene, const State& state) {
  double squares = 0, balls = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].is_dynamic()) continue;
    squares += state.bodies[i].v.squaredNorm();
    ++balls;
  }
  return squares / (3 * balls);
}

struct Pressure {
  bool ok = true;
  double compressibility = 0;  // Z inside
  double packing = 0;          // inside
  double energy_change = 0;    // relative, over the whole run
  std::int64_t collisions = 0;
};

// After `melting` frames, in each of which a ball collides about once, `measured` more. Sound has
// to cross the box several times before the density is even.
inline Pressure measure_pressure(const support::GasSpec& gas, int melting, int measured) {
  const Scene scene = support::build_gas(gas);
  State state = support::heat(scene, gas.seed);
  methods::BallClock clock(scene, {});
  const double frame = 1 / collision_rate(gas.packing), margin = 6 * gas.radius;
  const double heat = temperature(scene, state), side = gas.edge() - 2 * margin;
  const auto is_inside = [&](const Vec3& x) {
    return (x.array() > margin).all() && (x.array() < gas.edge() - margin).all();
  };
  Pressure out;
  double virial = 0, inside = 0, squares = 0;
  std::vector<record::Collision> collisions;
  for (int i = 0; i < melting + measured && out.ok; ++i) {
    collisions.clear();
    out.ok = clock.advance(state, (i + 1) * frame, i < melting ? nullptr : &collisions).ok();
    if (i < melting) continue;
    for (const record::Collision& hit : collisions) {
      if (!is_inside(hit.event.point)) continue;
      virial += 2 * gas.radius * hit.event.normal.dot(hit.event.impulse);
    }
    for (const BodyState& body : state.bodies) {
      if (!is_inside(body.x)) continue;
      ++inside;
      squares += body.v.squaredNorm();
    }
  }
  const double volume = side * side * side, density = inside / measured / volume;
  const double pressed = virial / (3 * volume * measured * frame);
  out.compressibility = 1 + pressed / (density * squares / (3 * inside));
  out.packing = density * 4 / 3 * std::numbers::pi * std::pow(gas.radius, 3);
  out.energy_change = temperature(scene, state) / heat - 1;
  out.collisions = clock.collisions();
  return out;
}

struct Cooling {
  bool ok = true;
  double loss_per_collision = 0;  // of ln kT, for one collision of each ball
  double bend = 0;                // how far 1/√T is from linear halfway, of its growth until then
  double final_temperature = 0;   // beside the first
};

inline Cooling measure_cooling(const support::GasSpec& gas, int frames) {
  const Scene scene = support::build_gas(gas);
  support::GasSpec elastic = gas;
  elastic.restitution = 1;
  const Scene melting = support::build_gas(elastic);
  State state = support::heat(melting, gas.seed);
  const double frame = 1 / collision_rate(gas.packing);
  Cooling out;
  out.ok = methods::BallClock(melting, {}).advance(state, 20 * frame, nullptr).ok();
  state.t = 0;
  const double first = temperature(scene, state);
  methods::BallClock clock(scene, {});
  std::vector<record::Collision> hits;
  std::vector<double> slowness{1};  // √(T₀/T)
  double between_balls = 0;
  for (int i = 0; i < frames && out.ok; ++i) {
    hits.clear();
    out.ok = clock.advance(state, (i + 1) * frame, &hits).ok();
    for (const record::Collision& hit : hits) {
      between_balls += scene.body(hit.event.a).is_dynamic() ? 1 : 0;
    }
    slowness.push_back(std::sqrt(first / temperature(scene, state)));
  }
  out.loss_per_collision = 2 * std::log(slowness.back()) / (2 * between_balls / gas.balls());
  const double halfway = slowness[slowness.size() / 2], line = (1 + slowness.back()) / 2;
  out.bend = (halfway - line) / (line - 1);
  out.final_temperature = 1 / (slowness.back() * slowness.back());
  return out;
}

}  // namespace carom::reference
