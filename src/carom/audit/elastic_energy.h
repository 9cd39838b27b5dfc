// The energy that elastic contacts hold, from how deep solids are in each other: the law of Neumayr
// & Otter written down again. Without damping a contact of depth δ pushes with k c δⁿ, so that it
// holds k c δⁿ⁺¹/(n + 1), with k = k_red/(1/c₁ + 1/c₂), c_i = E_i/(1 - ν_i²) (3a, 8, 9).
//
//   a ball and a ball or polytope   c = 4/3 √R, n = 3/2, R of the relative curvature
//   over a plane: a ball, a capsule's ends, the corners of a polytope, each by itself; a corner
//                                   has c = the polytope's radius, n = 1
//   all else                        between nothing and the most that these laws give for the depth
//
// With "distance": "mpr" solids with edges are larger by a ball of radius `smoothing`, and hold
// energy while they are still apart: over planes as exactly known as without; for two that are
// bounded a range, as how far they are apart is known by a bound alone. Where portals take shapes
// to be deeper than they are, they hold more than this says.
//
// Friction `stick` adds at most μ f ℓ/2 in a bristle: ℓ = 0.8 μ δ₀, δ₀ the indentation under the
// weight of the two, f the force with damping. Damping and friction take energy and give none.
#pragma once

#include "carom/audit/penetration.h"

namespace carom::audit {

struct EnergyRange {
  double least = 0, most = 0;  // J
};

// f = stiffness · δ^exponent
struct SpringLaw {
  double stiffness = 0, exponent = 1;
  double force(double depth) const;
  double energy(double depth) const;
  double depth_under(double force) const;
  double depth_holding(double energy) const;
};

struct Spring {
  SpringLaw law;
  double depth = 0;  // m; not negative
  Vec3 point = Vec3::Zero();
};
enum class SpringKnown {
  Yes,
  MayPush,  // of a ball in a triangle: a mesh has one surface, a ball may be in several triangles
  No,       // one that pushes no less stands for them
};
// Those of two solids.
struct Springs {
  std::vector<Spring> all;
  SpringKnown known = SpringKnown::Yes;
};

class ElasticEnergy {
 public:
  void begin(const Scene& scene, const PenetrationWatch& watch);
  EnergyRange find(const State& state, PenetrationWatch& watch) const;
  void find_springs(const SolidOverlap& at, Springs& out) const;  // `at` without balls around it
  double margin() const { return 2 * smoothing_; }                // m; of solids with such balls

  // How deep an energy can press the softest contact there may be, m: but never by more than the
  // radius of the smallest body.
  double deepest(double energy) const;

 private:
  // What two solids hold, and the law by which they hold it, or more.
  struct Held {
    EnergyRange springs;
    SpringLaw law;
  };
  Held hold(const Springs& springs) const;
  SpringLaw strongest(const SolidOverlap& at, double depth) const;
  double ball_around(const Solid& solid) const;
  double ball_radii(const SolidOverlap& at) const;  // m; of both
  double bend(const SolidOverlap& at, const State& state, const Held& held) const;
  double stiffness(const Solid& a, const Solid& b) const;

  const Scene* scene_ = nullptr;
  double reduction_ = 1, least_speed_ = 0, most_damping_ = 0;
  bool sticks_ = true;
  double smoothing_ = 0;            // m
  std::vector<SpringLaw> softest_;  // of those that the scene's shapes can make
  double smallest_ = 0;             // m; the least radius of a body
};

}  // namespace carom::audit
