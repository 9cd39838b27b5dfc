// What acts on bodies beside gravity, contacts and joints, as the scene describes it. Points of
// bodies are given from their centres of mass, in body axes.
#pragma once

#include <cmath>
#include <optional>
#include <variant>
#include <vector>

#include "carom/base/ids.h"
#include "carom/math/linear_algebra.h"

namespace carom::model {

// A point that goes with a body, or without one a point of the world.
struct Anchor {
  std::optional<BodyId> body{};
  Vec3 p = Vec3::Zero();  // m; of the body, or of the world
};

// Between two points, d = x_b - x_a: the force on a is (k (|d| - rest) + c |d|') d/|d|. With a rest
// of zero it is k d + c d', which has a direction everywhere. A damper is a spring without
// stiffness.
struct Spring {
  Anchor a, b;
  double stiffness = 0;  // N/m
  double damping = 0;    // N s/m
  double rest = 0;       // m
};

// Drag in a medium at rest: f = -(c₁ + c₂ |v|) v at the centre of mass, τ = -c_ω ω.
struct Drag {
  std::vector<BodyId> bodies;
  double linear = 0;     // N s/m
  double quadratic = 0;  // N s²/m²
  double angular = 0;    // N m s
};

// m a on every body whose centre of mass is in the region.
struct Field {
  std::vector<BodyId> bodies;
  Vec3 acceleration = Vec3::Zero();  // m/s²
  Vec3 low = Vec3::Constant(-HUGE_VAL), high = Vec3::Constant(HUGE_VAL);

  bool is_everywhere() const { return low.array().isInf().all() && high.array().isInf().all(); }
};

// A constant force at a point of a body, and a constant couple.
struct Push {
  BodyId body{};
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // N, N m
  Vec3 point = Vec3::Zero();
  bool turns = false;  // force and torque are in body axes and turn with the body
};

// Attraction of every two bodies: f = G m₁ m₂ d / (d² + ε²)^³⁄².
struct Gravitation {
  std::vector<BodyId> bodies;
  double constant = 6.6743e-11;  // m³ kg⁻¹ s⁻²
  double softening = 0;          // ε, m
};

using Force = std::variant<Spring, Drag, Field, Push, Gravitation>;

}  // namespace carom::model
