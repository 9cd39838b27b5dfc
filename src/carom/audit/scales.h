// What a scene and its motion are measured by, kept up to date with every state that is seen.
#pragma once

#include <span>

#include "carom/dynamics/state.h"

namespace carom::audit {

// Everything is of dynamic bodies; r is a body's radius about its centre of mass, u the speed at
// which it falls through that, √(|g| r), and the fastest driven body moves: what scenes at rest go
// by.
struct Scales {
  double length = 0;            // m; the least r
  double extent = 0;            // m; how far any of them was from the origin
  double energy = 0;            // J; Σ m u², and the most that K + Σ m |g·(x - x₀)| was
  double potential = 0;         // J; the most that Σ m |g·x| was: round-off is a part of it
  double momentum = 0;          // N s; Σ m u, and the most that Σ m |v| was
  double angular_momentum = 0;  // N m s; the same with levers about the origin, and of spins
  double turning = 0;           // m/s²; the most that ω² r was
  double longest_step = 0;      // s; of what is told as one segment
  double longest_held = 0;      // s; the same of those in which forces acted

  template <typename Visit>
  void visit(const Visit& visit) {  // every number, in a fixed order
    for (double* number : {&length, &extent, &energy, &potential, &momentum, &angular_momentum,
                           &turning, &longest_step, &longest_held})
      visit(*number);
  }
};

class ScaleWatch {
 public:
  // radius: of each body, 0 when nothing is known.
  void begin(const Scene& scene, std::span<const double> radius);
  void see(const State& state);

  Scales scales;

 private:
  struct BodyScale {
    std::size_t body;
    double mass, moment, radius;  // moment: the greatest of its inertia
    double usual_speed;           // m/s; u
    Vec3 weight;                  // N
  };
  const Scene* scene_ = nullptr;
  std::vector<BodyScale> bodies_;
  Scales at_rest_;
};

}  // namespace carom::audit
