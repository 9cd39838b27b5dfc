// Whoever wants to know what happens: files, the audit, a progress bar, a user's own code. The one
// abstract class of the library. Calls come in the order of time and only from one thread; every
// reference is valid during the call alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/audit_result.h"
#include "carom/record/events.h"
#include "carom/record/fallbacks.h"
#include "carom/record/forces.h"

namespace carom::dynamics {
struct Flight;
}

namespace carom::record {

struct Frame;  // frame.h

// The motion between two events. Valid for 0 <= s <= flight.duration.
struct Segment {
  const dynamics::Flight& flight;  // flight.h
  Forces forces;
};

// All that resolving one impact did: contacts with their impulses, and the state on either side.
struct ResolvedImpact {
  std::span<const ContactEvent> contacts;
  std::span<const CarriedForce> joints;  // impulses of joints, couples of contacts
  const State& before;
  const State& after;
  int iterations = 0;
  int lineality = 0;  // dimension of what squeezed contacts took away
};

struct Counters {
  std::int64_t steps = 0;
  std::array<std::int64_t, kEventKinds> events{};
  std::int64_t impact_iterations_total = 0;
  std::int64_t impact_iterations_max = 0;
  std::int64_t lineality_detected = 0;
  std::int64_t lineality_dimension_max = 0;
};

// Everything needed to go on bit for bit.
struct Checkpoint {
  State state;
  Counters counters;
  std::int64_t next_output = 0;  // index k of the next output time k·every
  std::string memory;            // memory of the method and the audit, opaque bytes
  std::int64_t sequence = 0;     // how many checkpoints there have been, this one included
};

// Counts of how contact forces were found, by island and by evaluation, under methods that
// ask for them at every evaluation.
struct ForceCounts {
  std::int64_t computed = 0;
  std::int64_t with_friction = 0;
  // Rungs of the paper's ladder: nothing vanished, what vanished was predicted, forces of least sum
  // had to do, a linear program was not solved.
  std::int64_t nothing_vanishes = 0, predicted = 0, least_sum = 0, failed = 0;
  double complementarity =
      0;  // the most that Σ f |χ̈| was, beside Σ f and the accelerations at hand
};

// Effects of microcollisions on the energy of bodies that rest on one another.
struct Vibration {
  std::int64_t lifts = 0;        // microcollisions of what hardly approached, left at the hop speed
  double energy_in = 0;          // J; put in by all microcollisions that gained any
  double greatest_lift = 0;      // J; the most that one of them did
  std::int64_t held_frames = 0;  // frames that contact forces finished, since hops found no room

  void add(const Vibration& more) {
    lifts += more.lifts;
    energy_in += more.energy_in;
    greatest_lift = std::max(greatest_lift, more.greatest_lift);
    held_frames += more.held_frames;
  }
};

// Counts of how elastic contacts were integrated.
struct ElasticCounts {
  std::int64_t steps = 0;
  std::int64_t beginnings = 0;  // restarts of the solver, without its past
  double deepest = 0;           // m; the greatest indentation at the ends and middles of steps
  double bent = 0;              // J; the most that bristles held, and might have given back
};

// The cost in accuracy of a fixed step's length, or a hop's height, by shorter or lower ones
// (simulation/step_error.h).
struct StepError {
  bool applies = false;               // the method has such a setting
  std::string_view setting = "step";  // s; or "epsilon", which has no unit
  std::int64_t samples = 0;
  double value = 0;       // mean of the setting over the samples
  double per_second = 0;  // radii of a body, or rad, a second
  double tolerance = 0;   // bound on per_second
  double would_do = 0;    // a value that keeps to the tolerance

  bool too_long() const { return per_second > tolerance; }
};

// The impulse of lasting forces at the contacts of two bodies, over the whole run.
struct CarriedImpulse {
  BodyId a{}, b{};                       // ascending
  Vec3 impulse = Vec3::Zero();           // N s; on a
  double first_time = 0, last_time = 0;  // s; when forces acted
};

struct Summary {
  std::string version, scene, method, impact;
  bool finished = true;
  std::optional<std::string> reason;
  std::vector<std::string> notes;  // sentences on settings that had no effect
  double simulated_seconds = 0, wall_seconds = 0;
  Fallbacks fallbacks;
  double force_residual = 0;  // m/s; the greatest that solving for forces of a step left
  ForceCounts forces;
  Vibration vibration;
  ElasticCounts elastic;
  StepError step_error;
  std::vector<CarriedImpulse> carried;  // in the ascending order of the pairs
  Counters counters;
  AuditResult audit;
};

class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  // True where it wants outputs after the first, forces and checkpoints; asked after begin(). Where
  // nobody does, none are made.
  virtual bool reads_outputs() const { return true; }

  virtual void begin(const Scene& /*scene*/) {}
  virtual void output(const State& /*state*/) {}  // at k·every and at the end
  // The contact and joint forces at k·every, after the output; those of t = 0 act from then on, and
  // come with the first segment or frame. One for each contact and each joint (acting_forces.h).
  virtual void forces(double /*t*/, std::span<const CarriedForce> /*forces*/) {}
  virtual void event(const ContactEvent& /*event*/) {}
  virtual void impact(const ResolvedImpact& /*impact*/) {}  // after its events
  virtual void segment(const Segment& /*segment*/) {}
  // Told, where every body keeps its own clock, instead of segments and impacts; before
  // the events and outputs that fall into it.
  virtual void frame(const Frame& /*frame*/) {}
  // The program has put the bodies elsewhere, or given them other velocities.
  virtual void set(const State& /*before*/, const State& /*after*/) {}
  virtual void checkpoint(const Checkpoint& /*checkpoint*/) {}
  virtual void end(const Summary& /*summary*/) {}
};

}  // namespace carom::record
