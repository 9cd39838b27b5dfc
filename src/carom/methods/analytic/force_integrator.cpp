#include "carom/methods/analytic/force_integrator.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"
#include "carom/dynamics/equations_of_motion.h"

namespace carom::methods {

namespace {

using dynamics::BodyState;

constexpr int kMaxAttempts = 60;
constexpr double kMostTurn = 0.5;    // rad in a step
constexpr double kLongest = 1;       // step, in the time it takes to fall through a body's size
constexpr double kFirst = 1e-3;      // step, in the time it takes to cross a body's size
constexpr double kShortest = 1e-14;  // the same
constexpr double kUsable = 1e-8;     // residual of forces, beside the accelerations at hand
constexpr double kDeviation = 0.3;   // of the touching distance, between the ends of a step
constexpr double kJointDeviation = 1e-10;  // of a body's size

double timescale(const Scene& scene) { return scene.tolerances.length / scene.tolerances.speed; }

// The deviation of a polynomial of degree five.
double shrink(double deviation) {
  return std::isfinite(deviation) ? std::clamp(0.9 * std::pow(deviation, -1.0 / 6), 0.2, 0.9) : 0.2;
}

}  // namespace

IntegratorStatus ForceIntegrator::attempt(const IntegratorOptions& options, const State& state,
                                          const FeatureContacts& contacts, double longest,
                                          Flight& flight) {
  options_ = options;
  accelerations_.options = options.forces;
  longest = limit_step(longest, state);
  dynamics::fly(scene_, state, {}, longest, flight);
  set_contacts(contacts, state);
  accelerations_.list_applied();
  if (const IntegratorStatus status = begin(state); status != IntegratorStatus::Stepped)
    return status;
  bends_ = false;
  if (accelerations_.blocks().empty()) return IntegratorStatus::Stepped;
  pack(state);
  pack_rates(state, start_, rates_.resize(y_.view().size()));
  longest = std::min(longest, longest_start());
  changes_ = 0;
  double h = std::min(longest, step_ > 0 ? step_ : first_step());
  for (int i = 0; i < kMaxAttempts && h > kShortest * timescale(scene_); ++i) {
    const double good = try_step(state, h, flight);
    if (good == h) return IntegratorStatus::Stepped;
    h = good;
  }
  return IntegratorStatus::NoStep;
}

double ForceIntegrator::first_step() const { return kFirst * timescale(scene_); }

double ForceIntegrator::limit_step(double longest, const State& state) const {
  double spin = 0;
  for (const BodyState& body : state.bodies) spin = std::max(spin, body.w.norm());
  if (spin > 0) longest = std::min(longest, kMostTurn / spin);
  const double fall = std::sqrt(scene_.tolerances.length / std::max(scene_.gravity.norm(), 1e-300));
  return std::min(longest, kLongest * fall);
}

IntegratorStatus ForceIntegrator::begin(const State& state) {
  resting::ContactForceResult result = accelerations_.settle_drives(state, start_);
  if (is_usable(result, start_) && slip_ends()) return IntegratorStatus::Opens;
  if (update_friction_modes()) result = accelerations_.settle_drives(state, start_);
  if (result.jams) return IntegratorStatus::Jams;
  if (!is_usable(result, start_)) return IntegratorStatus::NoForces;
  count(result);
  accelerations_.remember();
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    const Followed& each = accelerations_.contacts[i];
    if (start_.pushes(i) && each.contact.approach_rate > scene_.tolerances.velocity) {
      return IntegratorStatus::Opens;
    }
  }
  mark_contacts();
  return IntegratorStatus::Stepped;
}

// What linear programs find is taken as it is, forces of least sum that do not fit included (§6.5).
bool ForceIntegrator::is_usable(const resting::ContactForceResult& result,
                                const Accelerations& at) const {
  if (options_.forces.solver == resting::ForceSolver::Heuristic) return !result.jams;
  const base::Tolerances& own = scene_.tolerances;
  const double turning = own.speed * own.speed / own.length;
  return !result.jams &&
         result.residual <= kUsable * std::max({at.scale, scene_.gravity.norm(), turning});
}

void ForceIntegrator::count(const resting::ContactForceResult& result) {
  const resting::ForceRungs& rungs = result.rungs;
  counts_.computed += rungs.computed;
  counts_.with_friction += rungs.with_friction;
  counts_.nothing_vanishes += rungs.nothing_vanishes;
  counts_.predicted += rungs.predicted;
  counts_.least_sum += rungs.least_sum;
  counts_.failed += rungs.failed;
  counts_.complementarity = std::max(counts_.complementarity, result.complementarity);
}

bool ForceIntegrator::find_forces(const State& state, Accelerations& out) {
  const resting::ContactForceResult result = accelerations_.find(state, out);
  if (!is_usable(result, out)) return false;
  count(result);
  return true;
}

// Of several forces that hold redundant contacts friction makes different motions, and round-off in
// gaps and rates decides which are found: stages would have others than the ends of a step.
void ForceIntegrator::hold_contacts(State& state) {
  accelerations_.close_gaps(start_, state);
  accelerations_.stop_opening(start_, state);
}

// h, if the step is good; a shorter one to try, if not.
double ForceIntegrator::try_step(const State& state, double h, Flight& flight) {
  stage_ = state;
  const dynamics::RightSide f = [&](double s, math::ConstVecView y, math::VecView rates) {
    place(s, y, flight, stage_);
    if (has_friction_) hold_contacts(stage_);
    if (!find_forces(stage_, between_)) return false;
    pack_rates(stage_, between_, rates);
    return true;
  };
  if (!stepper_.attempt(options_.formula, f, std::as_const(y_).view(), std::as_const(rates_).view(),
                        h)) {
    return 0.25 * h;
  }
  end_state_ = state;
  place(h, stepper_.end(), flight, end_state_);
  const double error = error_of_step();
  if (!(error <= 1) && !is_short(h, error)) return h * stepper_.suggest(error);
  if (!find_forces(end_state_, end_)) return 0.25 * h;
  join_ends(state, h, flight);
  if (const double change = find_change(flight, h); change < h) return change;
  stage_ = end_state_;
  accelerations_.close_gaps(end_, end_state_);
  note_bend(h, stage_);
  accelerations_.stop_opening(end_, end_state_);
  join_ends(state, h, flight);
  const double off = deviation(flight, h);
  if (!(off <= 1) && !is_short(h, off)) return h * shrink(off);
  if (const double parted = find_parting(flight, h); parted < h) return parted;
  const double room = 0.9 * std::pow(std::max(off, 1e-12), -1.0 / 6);
  step_ = h * std::max(0.9, std::min(stepper_.suggest(error), room));
  short_steps_ = h <= 10 * least_step() ? short_steps_ + 1 : 0;
  return h;
}

// The way that closing gaps has added at the end of the step, in its time: by so much velocities
// between the ends are off, which is nothing but in the shortest steps.
void ForceIntegrator::note_bend(double h, const State& before) {
  double farthest = 0;
  for (const contact::BodyBlock& block : accelerations_.blocks())
    farthest = std::max(farthest, (end_state_[block.id].x - before[block.id].x).norm());
  bends_ = farthest > options_.tolerance * scene_.tolerances.speed * h;
}

// Across a jump of the forces no step is short enough for its error to be estimated: one that is
// very short does for it.
bool ForceIntegrator::is_short(double h, double error) const {
  return h <= least_step() && std::isfinite(error);
}

void ForceIntegrator::join_ends(const State& state, double h, Flight& flight) const {
  flight.duration = h;
  const auto blocks = accelerations_.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BodyState& from = state[blocks[i].id];
    const BodyState& to = end_state_[blocks[i].id];
    flight.motions[index(blocks[i].id)] = math::make_hermite_motion(
        {from.pose(), from.twist(), start_.bodies[i]}, {to.pose(), to.twist(), end_.bodies[i]}, h);
  }
}

// How far contacts that push, and joints, are from where they should be between the ends of the
// step, in what is allowed.
double ForceIntegrator::deviation(const Flight& flight, double h) {
  double greatest = 0;
  for (const double part : {0.25, 0.5, 0.75}) {
    flight.state_at(part * h, stage_);
    accelerations_.look(stage_);
    for (const contact::ContactRow& row : accelerations_.problem().contacts) {
      const auto source = static_cast<std::size_t>(row.source);
      if (!start_.pushes(source) || !end_.pushes(source)) continue;
      const double gap = row.gap - (1 - part) * accelerations_.contacts[source].contact.at.gap;
      greatest = std::max(greatest, std::abs(gap) / (kDeviation * scene_.tolerances.gap));
    }
    for (const contact::EqualityRow& row : accelerations_.problem().equalities) {
      greatest =
          std::max(greatest, std::abs(row.error) / (kJointDeviation * scene_.tolerances.length));
    }
  }
  return greatest;
}

void ForceIntegrator::finish(const Flight& flight, double s, State& state) {
  flight.state_at(s, state);
  if (accelerations_.blocks().empty()) return;
  const bool whole = s == flight.duration;
  flight.state_at(s / 2, stage_);
  accelerations_.find(stage_, middle_);
  accelerations_.find(state, end_);
  accelerations_.remember();
  if (!whole) return restart();
  pack(state);
  pack_rates(state, end_, end_rates_.resize(y_.view().size()));
  stepper_.accept(std::as_const(y_).view(), std::as_const(end_rates_).view());
}

record::Forces ForceIntegrator::forces() const {
  if (accelerations_.blocks().empty()) return {};
  return {.start = start_.carried,
          .middle = middle_.carried,
          .end = end_.carried,
          .program = {start_.program, middle_.program, end_.program}};
}

void ForceIntegrator::save(std::string& bytes) const {
  stepper_.save(bytes);
  base::append_bytes(bytes, step_);
  base::append_bytes(bytes, short_steps_);
  base::append_bytes(bytes, marks_);
  base::append_bytes(bytes, accelerations_.memory.forces());
  base::append_bytes(bytes, counts_);
}

void ForceIntegrator::restore(std::string_view& bytes) {
  stepper_.restore(bytes);
  base::take_bytes(bytes, step_);
  base::take_bytes(bytes, short_steps_);
  base::take_bytes(bytes, marks_);
  base::take_bytes(bytes, accelerations_.memory.forces());
  base::take_bytes(bytes, counts_);
}

}  // namespace carom::methods
