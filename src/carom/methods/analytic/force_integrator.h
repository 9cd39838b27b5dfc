// One step of smooth motion between events (Baraff, section 3): bodies under contact forces that
// vary, integrated with control of the error, and free bodies on their exact paths.
//
//   contacts    those at rest where the step begins, followed by their features
//   forces      χ̈ = A f - b at every evaluation (contact_accelerations.h)
//   a step      by Runge–Kutta or Adams–Moulton (dynamics/stepper.h); joints and contacts that push
//               are closed again at its end; between its ends every body follows one polynomial of
//               degree five (math/rigid_motion.h), on which gaps and joints are watched too: one
//               that comes near the touching distance rejects the step
//   a change    shortens the step to where it happens, found by regula falsi: a contact that pushed
//               vanishes, one that stuck slides, one that slid stops, or its features part
//
// The variables of a body are x, v, q and its angular momentum: what no force changes stays to
// round-off.
#pragma once

#include <array>

#include "carom/dynamics/stepper.h"
#include "carom/methods/analytic/contact_accelerations.h"
#include "carom/methods/shared/step_context.h"

namespace carom::methods {

struct IntegratorOptions {
  resting::ContactForceOptions forces{};
  dynamics::Formula formula = dynamics::Formula::RungeKutta;
  double tolerance = 1e-9;  // of a step, beside the sizes of bodies and their speeds
};

enum class IntegratorStatus {
  Stepped,
  Jams,      // no forces exist where the step begins (Painlevé's paradox)
  Opens,     // a contact that pushes is opening, or slip ends: stop_opening() first
  NoForces,  // the solver did not find them
  NoStep,    // no step was short enough
};

class ForceIntegrator {
 public:
  explicit ForceIntegrator(StepContext& context)
      : scene_(context.scene),
        pairs_(context.pairs),
        accelerations_(context.scene, context.applied, context.workers) {}

  // After an impact: the past tells nothing about what comes.
  void restart() { stepper_.restart(); }

  // From `state`, where `contacts` rest, for at most `longest`: the motion goes to `flight`.
  IntegratorStatus attempt(const IntegratorOptions& options, const State& state,
                           const FeatureContacts& contacts, double longest, Flight& flight);

  // Whether velocities between the ends of the step are not worth having: it should end anew where
  // something ends it.
  bool bends() const { return bends_; }

  double first_step() const;  // s; where nothing is known of the motion

  // Takes the first s seconds of the flight: the state there, and the forces until then.
  void finish(const Flight& flight, double s, State& state);
  record::Forces forces() const;

  // Brings contacts that push, and joints, to rest; what it took is in accelerations().
  void stop_opening(State& state) { accelerations_.stop_opening(start_, state); }
  const ContactAccelerations& accelerations() const { return accelerations_; }

  const record::ForceCounts& counts() const { return counts_; }

  // What is kept from step to step, as bytes.
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  using Mark = std::array<std::int64_t, 4>;  // of a followed contact

  // force_integrator.cpp
  IntegratorStatus begin(const State& state);
  double limit_step(double longest, const State& state) const;
  double try_step(const State& state, double h, Flight& flight);
  void hold_contacts(State& state);
  bool find_forces(const State& state, Accelerations& out);
  bool is_usable(const resting::ContactForceResult& result, const Accelerations& at) const;
  void count(const resting::ContactForceResult& result);
  bool is_short(double h, double error) const;
  void join_ends(const State& state, double h, Flight& flight) const;
  double deviation(const Flight& flight, double h);
  void note_bend(double h, const State& before);

  // friction_modes.cpp
  void set_contacts(const FeatureContacts& contacts, const State& state);
  bool update_friction_modes();
  bool slip_ends() const;
  bool speeds_up(std::size_t contact, Resisted what) const;
  double slow_slip() const;
  double longest_start() const;
  void mark_contacts();

  // step_variables.cpp
  void pack(const State& state);
  void pack_rates(const State& state, const Accelerations& at, math::VecView rates) const;
  void place(double s, math::ConstVecView y, const Flight& driven, State& out) const;
  double error_of_step() const;

  // contact_changes.cpp: seconds after the start, h if nothing changes
  double find_change(const Flight& flight, double h);
  double accept_change(double s, double h);
  double least_step() const;
  double find_vanishing(const Flight& flight, double h, std::size_t contact);
  double find_slipping(const Flight& flight, double h, std::size_t contact, Resisted what);
  double find_stopping(const Flight& flight, double h, std::size_t contact, Resisted what);
  double find_drive_change(const Flight& flight, double h, std::size_t drive);
  double find_parting(const Flight& flight, double h);
  double parting(const Flight& flight, double s);
  const Accelerations& look_at(const Flight& flight, double s);

  const Scene& scene_;
  contact::Pairs& pairs_;
  ContactAccelerations accelerations_;
  dynamics::Stepper stepper_;
  IntegratorOptions options_;
  bool has_friction_ = false, bends_ = false;
  double step_ = 0;      // s; the next to try; 0: unknown
  int short_steps_ = 0;  // steps in a row that changes ended
  int changes_ = 0;      // changes of contacts that shortened this step
  std::vector<Mark> marks_, last_marks_;
  Accelerations start_, middle_, end_, between_;
  State stage_, end_state_;
  math::VecBuffer y_, rates_, end_rates_;
  contact::ContactSet found_;
  record::ForceCounts counts_;
};

}  // namespace carom::methods
