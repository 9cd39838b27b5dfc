// Islands that are left alone while they rest. An island is all that touches or is jointed; bodies
// that nothing moves separate islands. It falls asleep when every body of it has been quiet for its
// patience, 4 √(size / g), and the forces that carry it balance. Quiet is more than slow:
//
//   - no speed above the velocity tolerance, counted at the rim;
//   - no point farther from where it was when the quiet began than the gap tolerance, which a
//     pendulum at its turning point or a creeping block is soon;
//   - speeds that do not grow, compared between the two halves of the time: those of a body that
//     begins to fall out of an unstable balance multiply by e every √(size / g), however small they
//     still are.
//
// Asleep, its bodies stand where they are, the forces that carried them last go on being reported,
// and pairs of shapes that both stand still are not asked for contacts. All of it wakes when it is
// touched by a body that is awake or driven. Since nothing has moved, it goes on as if it had been
// awake, but for speeds below those tolerances. Islands with joints do not sleep in this version,
// nor do bodies that a force couples to others that may move, or for which a program has a law.
//
// Costs a few operations per body and step. Everything it knows is in save().
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/disjoint_sets.h"
#include "carom/contact/contact_set.h"
#include "carom/dynamics/applied_forces.h"
#include "carom/dynamics/flight.h"
#include "carom/model/scene.h"
#include "carom/record/sink.h"

namespace carom::methods {

class SleepingIslands {
 public:
  SleepingIslands(const Scene& scene, const dynamics::AppliedForces& applied);

  // Per body: stands still for sure, asleep or held in place. Lives as long as this object.
  std::span<const char> still() const { return still_; }
  bool is_asleep(BodyId id) const { return group_[index(id)] >= 0; }
  bool stand_still(BodyId a, BodyId b) const { return still_[index(a)] && still_[index(b)]; }

  void wake_all();  // where what a program applies changes

  // What still acts on those asleep, as it was reported last.
  std::span<const record::CarriedForce> forces() const { return forces_; }

  // Puts those asleep in place in a flight that was made without knowing of them.
  void hold_in_place(const State& state, Flight& flight) const;

  // Wakes the island of the first listed contact that touches one from outside, and returns that
  // contact; null if none does.
  const contact::Contact* wake_one(const contact::ContactSet& contacts);

  // The bodies have come to `state` after a stretch of free motion: who is quiet?
  void watch(const State& state);

  // What carried the bodies through the stretch that ends at `state`.
  struct Stretch {
    const contact::ContactSet& contacts;  // all that touched
    std::span<const Wrench> wrenches;     // per body
    std::span<const record::CarriedForce> forces;
    double duration;
  };
  // Islands that may sleep do from here on; their velocities become zero.
  void fall_asleep(const Stretch& stretch, State& state);

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  struct Quiet {  // of one body
    Vec3 x = Vec3::Zero();
    Quat q = Quat::Identity();
    double since = 0;
    double early = 0, late = 0;  // greatest speeds of the two halves
    int looks = 0;
    bool ready = false;
  };

  double speed_of(std::size_t body, const BodyState& at) const;
  double moved(std::size_t body, const BodyState& at) const;
  void watch(std::size_t body, const BodyState& at, double t);
  bool may_sleep(std::size_t body, const Stretch& stretch, const State& state) const;
  void find_islands(const Stretch& stretch, const State& state);
  void wake(std::int32_t group);

  const Scene& scene_;
  const dynamics::AppliedForces& applied_;
  std::vector<char> coupled_;             // per body: by a force
  std::vector<double> reach_, patience_;  // per body
  std::vector<std::int32_t> group_;       // per body: the island it sleeps in, -1 awake
  std::vector<char> still_;
  std::vector<Quiet> quiet_;
  std::vector<record::CarriedForce> forces_;
  base::DisjointSets connected_;  // bodies
  std::vector<char> restless_;    // per root: not all of it may sleep
};

}  // namespace carom::methods
