// Forces that hold resting contacts and joints through a step, constant over it (resting/carry.h),
// and the flight under them. They act on rows in the middle of the step (contact/mid_step.h).
#pragma once

#include <optional>

#include "carom/contact/impulse_memory.h"
#include "carom/contact/mid_step.h"
#include "carom/contact/step_rates.h"
#include "carom/dynamics/held_forces.h"
#include "carom/dynamics/schemes.h"
#include "carom/methods/shared/joint_drives.h"
#include "carom/methods/shared/step_context.h"

namespace carom::methods {

// What is found for one step.
struct HeldStep {
  AdvanceResult result;
  // Of the duration: there something that slides stops, or a motor reaches its speed.
  double sliding_ends_at = 1;
  double fastest_late = 0;  // m/s; the fastest that stops by the end, and one is not told when
  bool jams = false;        // no forces hold what slides (Painlevé's paradox)
};

// Whether a flight that was planned for longer ends so early that its forces are to be found again.
inline bool is_cut_short(double s, double planned) {
  constexpr double kWhole = 0.999;
  return s > 0 && s < kWhole * planned;
}

class RestingForces {
 public:
  explicit RestingForces(StepContext& context);

  // Forces that hold `contacts`, and the joints, for `duration`; they act in the next fly().
  // `others` act on bodies that are not asked, and are only recorded.
  HeldStep solve(const State& state, const FeatureContacts& contacts, double duration,
                 std::span<const record::CarriedForce> others = {});

  // Flights from now on are parts of steps as long as this, s.
  void begin_step(double step) { step_ = step; }
  // What slides slower than this, m/s, is stopped by friction that is constant to the end of the
  // next solutions' steps, and not where it stops.
  void stop_late(double speed) { late_ = speed; }

  // The same where contacts may close their gaps within the step and not more, and overlaps open
  // (contact::StepRates::predict_closing); `contacts` are those that were found near last. A step
  // cut short sees few of the contacts that carry, so what is remembered is of the last long one.
  // Returns the contacts that push.
  struct GapOptions {
    resting::ForceOptions forces;
    contact::StepRates::Pace pace;
    bool remember = false;                              // also what a step cut short finds
    std::span<const record::CarriedForce> others = {};  // as in solve()
  };
  void solve_gaps(const State& state, const contact::ContactSet& contacts, double duration,
                  const GapOptions& options);
  void select_pushing(const contact::ContactSet& contacts, contact::ContactSet& out) const;

  // Of contacts and joints nothing acts, in a flight of at most `duration`.
  void release(const State& state, double duration);
  bool are_applied() const { return !applied_.empty(); }  // others than contacts' and joints'
  std::span<const Wrench> applied() const { return applied_.wrenches(); }
  void fly(const State& state, double duration, Flight& flight) const {
    fly(state, duration, std::nullopt, flight);
  }
  // By a numerical scheme, if one is given.
  void fly(const State& state, double duration, std::optional<dynamics::Scheme> scheme,
           Flight& flight) const;

  // A flight that nothing holds, of at most `duration`, and its first impact. Forces that are
  // applied are those of the part that is flown.
  TimeOfContact fly_to_contact(const State& state, double duration, Flight& flight);

  // How far from zero the gaps of contacts come in the flight, in touching distances; those of
  // contacts that do not push, if they sink. A
  // constant force is off by what the one that holds them changes: the third power of the flight.
  double drift(const FeatureContacts& contacts, const Flight& flight) const;
  // Where the next solution for the same contacts is to bring their gaps: from where `flight` ends,
  // to zero, or as near as a short flight can. Whether there is anything to correct.
  bool correct_aim(const FeatureContacts& contacts, const Flight& flight);
  void aim_anew();
  // For a flight that is only this part as long. What brings gaps to where they are to be takes
  // part in friction: at the same speed, in ever shorter flights, it would stop what slides in the
  // same part of each of them.
  void shorten_aim(double part);

  // Velocities at `state`, s after the start of the last flight, such that contacts which pushed in
  // it neither sink nor rise. What was applied is in revision().
  bool revise(const FeatureContacts& contacts, double s, State& state);
  struct Revision {
    contact::ContactSet contacts;
    std::vector<dynamics::JointRow> joint_rows;
    contact::ContactProblem problem;
    contact::Impulses taken_back, impulses;
    State before, without;  // the flight's impulses
  };
  const Revision& revision() const { return revised_; }

  // Whether contacts of bodies that move are among those held, or joints between two of them.
  bool holds_moving() const { return mid_step_.moves() || joins_moving_; }

  // Moves `state` along the flight to s and tells the recorder, forces included.
  void follow(double s, Flight& flight, State& state);

  std::span<const Wrench> wrenches() const { return wrenches_; }  // per body; of all that acts
  std::span<const record::CarriedForce> forces() const { return forces_; }
  double residual() const { return residual_; }  // m/s, the greatest a solver left
  void note_residual(double left) { residual_ = std::max(residual_, left); }

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  void place_joints(bool located);
  void assemble(const State& state, const contact::ContactSet& contacts, double duration);
  void begin(const State& state, double duration);
  std::span<const Wrench> carried();
  bool apply_again(const State& state, double duration);
  resting::CarryResult carry(const FeatureContacts& contacts, const State& state, double duration);
  double carry_gaps(const State& state, const contact::ContactSet& contacts, double duration,
                    const GapOptions& options);
  void spread(const contact::ContactSet& contacts, const State& state, double duration);
  bool revise_drives(const State& state, double duration);
  Vec3 acceleration_of(BodyId id) const;
  Vec3 meet_paths(const contact::Contact& contact, const Vec3& force);
  Vec3 mean_place(BodyId id, const State& state) const;
  void push_along(const dynamics::JointRow& row, double force, const State& state);
  double part_left_open(double duration) const;
  void take_back();
  bool bring_to_end(const FeatureContacts& contacts, double s, const State& state);
  template <typename Visit>
  void visit_held(const FeatureContacts& contacts, const Visit& visit) const;
  double gap_at(const FeatureContacts& contacts, std::size_t source, const Flight& flight,
                double s) const;

  StepContext& context_;
  contact::MidStep mid_step_;
  contact::StepRates step_rates_;
  contact::ImpulseMemory memory_;
  JointDrives drives_;
  std::vector<dynamics::JointRow> joint_rows_;  // then those of drives that hold
  std::size_t joints_ = 0;                      // how many are of joints
  contact::ContactProblem problem_;
  contact::Impulses impulses_;
  State end_;  // the middle with the velocities of the end
  dynamics::HeldForces applied_;
  std::vector<Wrench> wrenches_, carried_, before_;
  std::vector<record::CarriedForce> forces_;
  double duration_ = 0;      // s; of the forces
  std::vector<double> off_;  // m, per contact: how much of its gap the forces are to take away
  struct Pushed {
    Vec3 impulse = Vec3::Zero(), couple = Vec3::Zero();  // N s, N m s
  };
  std::vector<Pushed> pushed_;  // per contact
  Revision revised_;
  double levers_at_ = 0;       // s; record::Forces'
  bool joins_moving_ = false;  // a joint, two bodies that move
  double late_ = 0;            // m/s
  double step_ = 0;            // s
  double residual_ = 0;
};

}  // namespace carom::methods
