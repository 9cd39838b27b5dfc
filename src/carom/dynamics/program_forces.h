// Forces that a program lays on bodies while time stands still: wrenches that last for one call of
// it or until they are changed, and a law that is asked at every evaluation.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/dynamics/wrench.h"

namespace carom::dynamics {

class ProgramForces {
 public:
  explicit ProgramForces(const Scene& scene) : scene_(scene) {}

  // Instead of the one that lasts, or beside all others until end_call().
  void set(const model::Push& push);
  void add_for_a_call(const model::Push& push) { passing_.push_back(push); }
  bool end_call();  // whether anything ended

  void set_law(std::vector<BodyId> bodies, ForceLaw law);

  bool empty() const { return lasting_.empty() && passing_.empty() && !law_; }
  bool has_law() const { return static_cast<bool>(law_); }
  // Ascending; with a law all that it may ask for, else those that are pushed.
  void list_bodies(std::vector<BodyId>& out) const;

  void add_pushes(const State& at, std::span<Wrench> to) const;
  void add_pushes(BodyId id, const State& at, Wrench& to) const;
  void add_law(const State& at, std::span<Wrench> to) const;

  // For checkpoints; of a law whether there is one, which must be the same where it goes on.
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  const Scene& scene_;
  std::vector<model::Push> lasting_;  // one a body, ascending
  std::vector<model::Push> passing_;
  std::vector<BodyId> law_bodies_;
  ForceLaw law_;
};

// The wrench of a push on its body about its centre of mass, world axes.
Wrench push_at(const model::Push& push, const BodyState& at);
void add(const Wrench& more, Wrench& to);

}  // namespace carom::dynamics
