// What the scene's forces do along the recorded motion, computed from their laws again: the
// method's own forces are not asked. Work and impulses over a time by Boole's rule, of error h⁷;
// what the forces that have an energy hold at a state.
//
// A method that keeps forces constant over a step takes those of its middle. How far that is from
// the rule's result, and no less, is what its steps may be off by (limits.h).
#pragma once

#include <functional>
#include <span>

#include "carom/dynamics/state.h"

namespace carom::audit {

// On dynamic bodies, over a time or, as rates, at one.
struct ForceSum {
  Vec3 impulse = Vec3::Zero(), moment = Vec3::Zero();  // N s, N m s about the world's origin
  double work = 0;                                     // J
  double given = 0;  // J; of it, from outside: by pushes, bounded fields and driven bodies

  void add(double weight, const ForceSum& more);
};

struct ForceWork {
  ForceSum sum;
  double energy_off = 0, impulse_off = 0, moment_off = 0;  // of the middle's, held over the time
};

class ForceLaws {
 public:
  using BodyAt = std::function<BodyState(BodyId, double s)>;

  void begin(const Scene& scene);
  bool none() const { return parts_.empty(); }

  double stored(const State& at) const;  // J

  // Over a time h, of all bodies, or of those that a segment has, which no force couples to others.
  ForceWork over(double h, const BodyAt& body_at) const;
  ForceWork over(double h, std::span<const BodyId> bodies, const BodyAt& body_at) const;

 private:
  struct Part {  // of a force, on one body or on two
    std::size_t force;
    BodyId on, other;
  };
  struct Seen {  // a point at a time
    Vec3 x, v;
  };
  using At = std::function<BodyState(BodyId)>;
  void list(std::size_t force);
  template <typename ForEach>
  ForceWork integrate(double h, const BodyAt& body_at, const ForEach& for_each_part) const;
  void add_rate(const Part& part, const At& at, ForceSum& to) const;
  void act(const model::Anchor& on, const Vec3& force, const At& at, ForceSum& to) const;
  static Seen see(const model::Anchor& anchor, const At& at);
  bool is_dynamic(const model::Anchor& anchor) const;

  const Scene* scene_ = nullptr;
  std::vector<Part> parts_;         // ascending by body
  std::vector<std::size_t> first_;  // per body, and one more
};

}  // namespace carom::audit
