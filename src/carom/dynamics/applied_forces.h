// What acts on bodies beside gravity, contacts and joints, at a state: the scene's forces and those
// of a program. A force on many bodies is taken apart into pieces, each on one body or between two,
// so that some bodies can be asked for at the cost of their own pieces.
#pragma once

#include <utility>

#include "carom/dynamics/program_forces.h"

namespace carom::dynamics {

// One force on one body, or between one and another (or the world).
struct ForcePiece {
  std::size_t force = 0;  // its number in the scene
  BodyId on{};            // dynamic
  BodyId other{};         // of a gravitation
};

// Ascending by body, then in the order of the scene.
std::vector<ForcePiece> list_pieces(const Scene& scene);

struct AppliedWrenches {
  std::vector<Wrench> all;      // per body; empty where nothing can act
  std::vector<Wrench> program;  // the part of a program; empty where there is none
};

class AppliedForces {
 public:
  explicit AppliedForces(const Scene& scene, const ProgramForces* program = nullptr);

  bool empty() const { return pieces_.empty() && !has_program(); }
  bool has_program() const { return program_ != nullptr && !program_->empty(); }
  bool has_law() const { return has_program() && program_->has_law(); }
  const ProgramForces& program() const { return *program_; }

  // Dynamic bodies on which something acts, ascending, and those that it couples to each other.
  std::vector<BodyId> bodies() const;
  const std::vector<std::pair<BodyId, BodyId>>& couples() const { return couples_; }

  void evaluate(const State& at, AppliedWrenches& out) const;

  // On some bodies (ascending), everything that couples them being among them; adds.
  void add(std::span<const BodyId> bodies, const State& at, AppliedWrenches& to) const;

  // The part that does not depend on velocities.
  void add_conservative(const State& at, std::span<Wrench> to) const;
  // The pieces that damp: springs with a damper, drag.
  std::span<const ForcePiece> dampers() const { return dampers_; }
  bool depends_on_velocity() const { return !dampers_.empty() || has_law(); }

 private:
  const Scene& scene_;
  const ProgramForces* program_;
  std::vector<ForcePiece> pieces_, dampers_;
  std::vector<std::size_t> first_;  // per body, of its pieces; one more at the end
  std::vector<std::pair<BodyId, BodyId>> couples_;
};

// Where an anchor is, and how it moves, and its lever about its body's centre of mass.
struct AnchorState {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero(), lever = Vec3::Zero();
};
AnchorState anchor_at(const model::Anchor& anchor, const State& at);

// What forces that have an energy hold, J: springs, gravitation, and fields that are everywhere.
double compute_potential(const Scene& scene, const State& at);

}  // namespace carom::dynamics
