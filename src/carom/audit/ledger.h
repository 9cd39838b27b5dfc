// Energy and momentum, kept like books: what the dynamic bodies have is compared at every entry
// with what they had at the start and what has come in since. Energy comes in through driven bodies
// and motors and goes out at impacts and by sliding; momentum comes in from gravity and from bodies
// that do not give way. Forces between two dynamic bodies cancel, so they explain nothing.
//
// A constant force keeps its lever about the centre of mass over a segment, as the flight does. One
// that varies is known at three times: Simpson's rule, with an error of the fifth power of the
// segment, on what it does at each, with the points and velocities of that time; or what it did is
// known as a whole, where a force goes with indentations of which three times say too little.
//
// What springs at contacts hold is given as a range, recomputed from the motion wherever a gain of
// energy is judged: bodies may not have more at one time, with the least that springs can hold,
// than at a time before with the most. What they took is dissipated until it comes back.
//
// The scene's forces are booked as their laws have it along the motion (force_work.h): what they
// hold counts as energy when a gain is judged, what they give or take otherwise as work from
// outside or as dissipated. A program's wrenches are booked as recorded, as work from outside.
//
// Where every body keeps its own clock, what they have is a running sum that flights, collisions
// and segments change by a few bodies, each body counted as of its own clock, and so is what has
// come in. All bodies are counted at a frame's start and end. Over segments each body's momentum is
// judged by itself as well, but where forces of the scene or of a program act.
#pragma once

#include <optional>
#include <vector>

#include "carom/audit/elastic_energy.h"
#include "carom/audit/force_work.h"
#include "carom/dynamics/flight.h"
#include "carom/record/frame.h"
#include "carom/record/sink.h"

namespace carom::audit {

struct LedgerTotals {
  double energy_initial = 0;
  double energy = 0;       // now
  double driven_work = 0;  // by driven bodies
  double dissipated = 0;
  double most_driven_work = 0;  // running maximum of its size
  double least_energy =
      0;  // running minimum of the most that energy and springs held, less driven work
  double max_gain = 0;  // largest rise above it
  double max_energy_error = 0;
  double stored_initial = 0, stored = 0;  // J; what the scene's forces hold, beside `energy`
  double most_stored = 0;                 // running maximum of its size
  // What a method is off by that keeps the scene's forces constant over its steps, at most.
  double forces_energy_off = 0, forces_impulse_off = 0, forces_moment_off = 0;
  Vec3 momentum = Vec3::Zero();          // initial and what has come in
  Vec3 angular_momentum = Vec3::Zero();  // about the world's origin
  double max_momentum_error = 0;
  double max_angular_momentum_error = 0;
  struct Off {
    Vec3 impulse = Vec3::Zero(), moment = Vec3::Zero();
  };
  std::vector<Off> off;  // per body, what it has gained over segments beyond what was recorded
};

// The bodies during a segment; `middle` only where forces vary.
struct SegmentStates {
  const State &start, &middle, &end;
};

// A segment over which forces are constant.
struct Steady {
  const State& start;
  double duration;   // s
  double levers_at;  // s; record::Forces'
};

// A body on either side of something.
struct BeforeAfter {
  const BodyState &before, &after;
};

class Ledger {
 public:
  void begin(const Scene& scene, const State& initial, const EnergyRange& stored);
  void enter(const record::ResolvedImpact& impact);
  void enter(const record::Segment& segment, const SegmentStates& at);

  // What came in from outside, where a program has changed the state: like driven bodies' work.
  struct Held {
    const State& state;
    EnergyRange stored;
  };
  void enter_outside(const Held& before, const Held& after);

  // stored: of the state that is given.
  void begin_frame(const State& start, const EnergyRange& stored);
  void enter_flight(BodyId id, const BeforeAfter& body, double duration);
  void enter_collision(const record::Collision& collision, const BodyState& a_before,
                       const BodyState& b_before);
  void enter_segment(const record::ClusterSegment& segment);  // whose springs may hold anything
  void enter_jump(BodyId id, const BeforeAfter& body) { hold(id, body); }  // that nothing explains
  void end_frame(const State& end, const EnergyRange& stored);

  LedgerTotals totals;

 private:
  // What dynamic bodies have.
  struct Holdings {
    double energy = 0;
    Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();
  };
  using Effect = record::ForceEffect;  // also per time
  struct Holder {                      // what is asked of a body for every entry, near together
    double mass;
    double moment;  // kg m²; about any axis, or NaN where these differ
    model::Motion motion;
  };
  struct Path {
    const RigidMotion* motion;
    Vec3 displacement, area;   // ∫v dt, ∫x dt
    std::optional<Vec3> turn;  // ∫ω dt; once a force asks for it
  };
  struct Span {  // of a body's motion
    const RigidMotion& motion;
    const Vec3& x0;
    const Vec3& x1;
    double duration;
  };
  Holdings holdings(BodyId id, const BodyState& state) const;
  Holdings count(const State& state) const;
  void hold(BodyId id, const BeforeAfter& body);
  void judge_bodies(const record::ClusterSegment& segment);
  void add_off(BodyId id, const Vec3& impulse, const Vec3& moment);
  void add_weight(BodyId id, double duration, const Vec3& area);
  void balance(const Holdings& held);
  void judge_gain(const EnergyRange& springs, const State* now);
  void enter_forces(const ForceWork& work);
  void enter_forces(const record::Segment& segment, const SegmentStates& at);
  void enter_forces(const record::ClusterSegment& segment);
  void enter_program(const record::ProgramWrenches& wrenches, std::size_t i, BodyId id,
                     const Span& span);
  void add_impulse(const record::CarriedForce& impulse, const BeforeAfter& a, const BeforeAfter& b);
  void add_impulse(const record::CarriedForce& impulse, const State& before, const State& after);
  void add_force(const record::CarriedForce& force, const Steady& segment);
  void add_varying(const record::Segment& segment, const SegmentStates& at);
  void book_effects(const record::Forces& forces, const State& start, double middle);
  void book(const record::CarriedForce& force, const Effect& effect);
  void book_internal(const record::CarriedForce& force, double work);
  void pass_on(BodyId a, BodyId b, const Effect& effect);
  static Effect effect_rate(const record::CarriedForce& force, const State& at);
  double force_work(const record::CarriedForce& force, BodyId on, const Steady& segment);
  void add_momentum(BodyId from, BodyId to, const Vec3& impulse, const Vec3& moment);
  double driven_share(BodyId a, BodyId b, double work_a, double work_b) const;
  static double work_along(const BodyState& body, const Effect& effect, double middle);

  const Scene* scene_ = nullptr;
  ForceLaws forces_;
  std::vector<Holder> holders_;  // per body
  std::vector<Path> paths_;      // per body, of the present segment
  Holdings held_;                // of the present frame
  const State* frame_start_ = nullptr;
};

}  // namespace carom::audit
