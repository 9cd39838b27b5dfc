// Questions about bodies where they are in a state: how far two are apart and where they are
// nearest, what a ray meets, what a body would meet on its way. All shapes that collide count, of
// every two bodies, also where a joint or two fixed bodies would keep them from touching.
//
// Distances are within 1e-9 of the larger shape's size (geometry/distance/distance.h). A question
// asks every shape, and of a mesh every triangle, unless a ball around it is too far.
#pragma once

#include <memory>
#include <optional>

#include "carom/dynamics/state.h"

namespace carom::simulation {

struct Nearest {
  double distance = 0;                            // m; negative is depth
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();  // the nearest points
  Vec3 normal = Vec3::UnitZ();                    // unit, from b to a
};

struct RayHit {
  BodyId body{};
  double distance = 0;                                // m, from the origin; 0 where that is inside
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();  // outward
};

struct SweepHit {
  BodyId body{};                                      // the body that is met
  double s = 0;                                       // s, after the start
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();  // from that body to the one that moves
};

class Queries {
 public:
  explicit Queries(const Scene& scene);
  ~Queries();
  Queries(Queries&&) noexcept;
  Queries& operator=(Queries&&) noexcept;

  // Nothing, where one of the two has no shape that collides, or both are planes.
  std::optional<Nearest> nearest(const State& state, BodyId a, BodyId b) const;
  bool overlap(const State& state, BodyId a, BodyId b) const;

  // The first body that a ray meets within `longest`; the direction may have any length but zero.
  std::optional<RayHit> cast_ray(const State& state, const Vec3& origin, const Vec3& direction,
                                 double longest) const;

  // The first body that `body` would come to touch within `duration`, moving with these velocities
  // of its centre of mass while all others stand still. What it touches already and does not
  // approach, or leaves, is passed over.
  std::optional<SweepHit> sweep(const State& state, BodyId body, const Twist& velocity,
                                double duration) const;

 private:
  struct Solids;
  std::unique_ptr<const Solids> solids_;
};

}  // namespace carom::simulation
