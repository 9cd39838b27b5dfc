// The verbs, bound to one scene and one set of reusable memory. Methods order these; none of them
// knows which method calls it.
#pragma once

#include <compare>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/contact/impulse_memory.h"
#include "carom/contact/mid_step.h"
#include "carom/contact/pairs.h"
#include "carom/contact/step_rates.h"
#include "carom/methods/advance_result.h"
#include "carom/methods/ball_clock.h"
#include "carom/methods/clockwork.h"
#include "carom/methods/elastic_motion.h"
#include "carom/methods/impact_laws.h"
#include "carom/methods/joint_fit.h"
#include "carom/methods/sleepers.h"
#include "carom/methods/smooth_motion.h"
#include "carom/record/recorder.h"
#include "carom/resting/carry.h"
#include "carom/resting/squeeze.h"

namespace carom::methods {

// Pairs of bodies in resting contact, sorted.
struct BodyPair {
  BodyId a{}, b{};
  auto operator<=>(const BodyPair&) const = default;
};
using RestingPairs = std::vector<BodyPair>;

// How to step over impacts. Thresholds and rates go by the step that was asked for, so that one cut
// short by the end of a run differs in its length alone.
struct StepOptions {
  resting::ForceOptions forces;
  double step = 0;          // s; as asked for
  double impact_speed = 0;  // m/s; slower contacts do not bounce
};

class Workbench {
 public:
  Workbench(const Scene& scene, base::Workers& workers, record::Recorder& recorder);

  // Wakes every island asleep that something touches.
  void find_contacts(const State& state);
  const contact::Contact* find_impacting() const;  // the first approaching contact, or null
  const contact::Contact* find_active() const;     // approaching or resting

  // treat-impacts of the papers, on the contacts just found: assemble, resolve, apply, record.
  AdvanceResult resolve_impact(const Law& law, State& state);

  // Forces that hold the resting contacts just found, and the joints, for `duration`; they act in
  // the next fly().
  AdvanceResult carry(const State& state, double duration);
  // How long contacts that open no faster than the leaving speed need to fall back, if forces that
  // stop them within `duration` would let them rise above the touching distance until then.
  double time_to_fall_back(double duration) const;
  // Whether contacts of bodies that move are among those carried.
  bool carries_moving() const { return mid_step_.moves(); }
  // How far contacts that push have come apart by the end of the flight, in touching distances. A
  // constant force is off by what the one that holds them changes: the third power of the flight.
  double rise_of_carried() const;
  double stop_after() const { return stop_after_; }  // resting::CarryResult's, of the last carry()
  // A sliding contact that no force can hold was met in the last carry() (Painlevé's paradox): the
  // impact without collision that stops it, by the frictional law, recorded as an impact.
  bool jams() const { return jams_; }
  AdvanceResult resolve_jam(State& state);
  void fly(const State& state, double duration);

  // Explicit Euler instead: resting contacts are ignored, bodies move with the velocities they have
  // (fly_straight), and gravity and gyration act on the velocities afterwards (kick).
  void ignore_resting(const State& state);
  void fly_straight(const State& state, double duration);
  void kick(double duration, State& state) const;

  // Drumwright's algorithm 4: the first time at which some contact of the flight is an impact.
  struct Search {
    AdvanceResult result;
    double s = 0;  // flight.duration when there is none
    bool found = false;
  };
  Search find_first_impact();

  // For methods that integrate forces that vary (workbench_smooth.cpp): contacts with their
  // features; and one step of smooth motion from there, recorded, up to t_end, the first change of
  // contacts or the first impact. Where forces do not exist, or a contact that pushes is opening,
  // the state jumps instead.
  void find_followed_contacts(const State& state);
  AdvanceResult glide(const SmoothOptions& options, State& state, double t_end);

  // What asks for the impossible (workbench_contradictions.cpp). Where a run begins: the impulse
  // after which velocities fit the joints, recorded as an impact; after a step: joints that have
  // opened, if nothing closes them; after a step that failed: why, if that is why.
  AdvanceResult meet_joints(State& state);
  AdvanceResult check_joints(const State& state);
  AdvanceResult explain(const AdvanceResult& failure, const State& state);

  // For methods that know nothing but collisions (workbench_hops.cpp): a whole frame, recorded.
  AdvanceResult hop(const ClockOptions& options, const Law& law, State& state, double t_end);
  const record::Vibration& vibration() const { return hop_memory_.vibration; }
  // What touches and approaches does so no longer, without a bounce; counted as a held frame.
  AdvanceResult stop_hopping(const Law& law, State& state);

  // For methods in which bodies deform (workbench_elastic.cpp): a frame up to t_end, recorded. No
  // output may fall into it but at its end.
  AdvanceResult deform(const elastic::ElasticOptions& options, State& state, double t_end);
  record::ElasticCounts elastic_counts() const {
    return elastic_ ? elastic_->counts() : record::ElasticCounts{};
  }

  // For methods that step over impacts (workbench_steps.cpp). Contacts that may close within the
  // step, with their gaps; those that would close too fast stopped or reflected by Poisson's two
  // phases; forces under which no gap closes by more than it is, and overlaps open.
  void find_near_contacts(const State& state, double duration);
  AdvanceResult stop_closing(const StepOptions& options, double duration, State& state);
  void hold_gaps(const StepOptions& options, double duration, const State& state);

  // Moves `state` along the flight to s and records the stretch.
  void follow(double s, State& state);

  // Lets islands that rest fall asleep, unless the last flight was shorter than `at_least`: over
  // next to no time the forces of a flight are not known well.
  void let_sleep(double at_least, State& state);

  const Sleepers& sleepers() const { return sleepers_; }

  const record::ForceCounts& force_counts() const { return smooth_.counts(); }
  double force_residual() const { return force_residual_; }  // m/s, the greatest a solver left

  // What is kept from step to step, as bytes: for checkpoints.
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  void settle_slow_islands();
  void record_joint_impact(const State& before, const State& after);
  AdvanceResult check_accelerations(const State& state);
  AdvanceResult check_squeezed(const State& after, double duration = HUGE_VAL);
  AdvanceResult find_squeezed(const State& state);  // among what touches, or as good as
  bool bring_to_rest();
  // Slower approaches than `micro_below` are microcollisions.
  void record_impact(const State& before, const State& after, const impact::ImpactResult& result,
                     double micro_below = 0);
  void append_joint_forces(const State& state, double per, std::vector<record::CarriedForce>& out);
  void select_resting(const State& state);
  void select_followed(const State& state);
  void stop_opening(State& state);
  void note_resting(const State& state);
  void note_carrying(const State& state);
  void place_joints_halfway(const State& state, double duration);
  bool select_closing(const StepOptions& options, double duration);
  AdvanceResult keep_clocks(const ClockOptions& options, const Law& law, State& state,
                            double t_end);
  AdvanceResult share_clock(const ClockOptions& options, const Law& law, State& state,
                            double t_end);
  AdvanceResult hop_together(const Law& law, State& state);
  AdvanceResult carry_selected(const State& state, double duration);
  void spread_forces(const contact::ContactSet& contacts, const State& state, double duration);

  const Scene& scene_;
  base::Workers& workers_;
  record::Recorder& recorder_;
  contact::Pairs pairs_;
  Sleepers sleepers_;
  contact::Assembler assembler_;
  contact::MidStep mid_step_;
  contact::StepRates step_rates_;
  resting::Carrier carrier_;
  contact::ImpulseMemory memory_;
  JointFit joint_fit_;
  resting::Squeeze squeeze_;
  SmoothMotion smooth_;
  std::unique_ptr<ElasticMotion> elastic_;  // where it is asked for
  std::optional<Clockwork> clockwork_;
  std::optional<BallClock> ball_clock_;
  HopMemory hop_memory_;
  std::optional<Hopping> hopping_;
  std::vector<record::Collision> collisions_;
  double stop_after_ = 1;
  bool jams_ = false;
  double force_residual_ = 0;
  contact::ContactSet contacts_, resting_contacts_;
  std::vector<contact::Feature> features_, resting_features_;
  std::vector<dynamics::JointRow> joint_rows_;
  contact::ContactProblem problem_;
  contact::Impulses impulses_;
  impact::ImpactWorkspace impact_work_;
  std::vector<char> closing_;  // per island
  std::vector<double> restitution_;
  std::vector<bool> settled_;  // per island: slow enough to end a bounce sequence
  std::vector<contact::ContactTime> times_;
  std::vector<Wrench> wrenches_;
  double levers_at_ = 0;  // s; record::Forces'
  std::vector<record::CarriedForce> forces_, joint_impulses_;
  std::vector<record::ContactEvent> events_;
  RestingPairs resting_, now_resting_;
  std::vector<bool> told_;
  Flight flight_;
  State before_, halfway_;
};

}  // namespace carom::methods
