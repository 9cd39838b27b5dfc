// How far bodies can get in a short time: the boxes they may reach, for a broad phase, and how much
// closer two shapes may come, for a narrow one. By their speeds, by their spins (of which free
// rotation raises none above √(ωᵀIω / least moment)) and by gravity · duration² (and what
// other forces add to gravity), which bounds what
// gravity does to the path both in free flight and in a step of semi-implicit Euler.
//
// Two shapes may approach by the sum of their speeds, not only by their relative velocity: either
// may be stopped by others on the way. (With the relative velocity alone, a thousand balls that
// fall together run 8.5 mm into those that land before them, with the sum 0.5 mm, at steps of
// 1/240 s.) Sound for bodies that fly freely or are stopped; that an impulse makes a body faster
// within that time is not foreseen.
#pragma once

#include <span>
#include <vector>

#include "carom/dynamics/flight.h"
#include "carom/geometry/broad_phase/box3.h"
#include "carom/geometry/distance/distance.h"

namespace carom::contact {

// A shape of a body, as far as its body's motion moves it.
struct Carried {
  BodyId body{};
  double lever_bound = 0;  // how far turning can move its surface, per rad
};

class Travel {
 public:
  // `applied`, empty or one per body: forces beside gravity.
  void set(const Scene& scene, const State& state, double duration,
           std::span<const Wrench> applied = {});

  // The farthest a point of the shape can get.
  double farthest(const Carried& shape) const;

  // How much closer two shapes can come, with the gap tolerance.
  double margin(const Carried& a, const Carried& b) const;

  // Around all that a shape may reach, given the box around it now.
  geometry::Box3 swept(const Carried& shape, const geometry::Box3& now) const;

 private:
  struct Step {
    Vec3 along = Vec3::Zero();
    double turn = 0;  // rad
    double fall = 0;
  };
  std::vector<Step> steps_;
  double tolerance_ = 0;
};

geometry::Box3 tight_box(const geometry::Placed& placed);  // of what is bounded

}  // namespace carom::contact
