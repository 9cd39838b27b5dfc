#include "carom/methods/shared/resting_forces.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"
#include "carom/dynamics/joint_rows.h"

namespace carom::methods {

namespace {

// A residual above the rest speed lets something sink, which is then an impact; one above this many
// rest speeds is a failure. The summary tells what was left.
constexpr double kUseless = 1e3;

}  // namespace

RestingForces::RestingForces(StepContext& context)
    : context_(context), mid_step_(context.scene), step_rates_(context.scene) {
  clear();
}

void RestingForces::clear() {
  wrenches_.assign(context_.scene.bodies.size(), Wrench{});
  forces_.clear();
}

HeldStep RestingForces::solve(const State& state, const FeatureContacts& contacts, double duration,
                              std::span<const record::CarriedForce> others) {
  clear();
  forces_.assign(others.begin(), others.end());
  levers_at_ = 0.5 * duration;
  mid_step_.place(state, contacts.set, contacts.features, duration);
  dynamics::compute_joint_rows(context_.scene, mid_step_.state(), joint_rows_);
  problem_.contacts.clear();
  if (contacts.set.empty() && joint_rows_.empty()) return {};
  context_.assembler.assemble(mid_step_.contacts(), joint_rows_, mid_step_.state(), problem_);
  mid_step_.refer_to_start(state, contacts.set, problem_);
  const auto rates = step_rates_.predict(problem_, state, duration);
  memory_.recall(contacts.set, problem_, duration, impulses_);
  const double rest_speed = context_.scene.tolerances.rest_speed;
  const resting::CarryResult found =
      context_.carrier.carry(problem_, rates, rest_speed, {}, impulses_);
  memory_.remember(contacts.set, problem_, duration, impulses_);
  HeldStep held{.result = {}, .sliding_ends_at = found.stop_after, .jams = found.jams};
  if (found.jams) return held;
  note_residual(found.residual);
  spread(mid_step_.contacts(), state, duration);
  if (found.residual <= kUseless * rest_speed) return held;
  held.result.status = AdvanceStatus::CarryDidNotConverge;
  if (contacts.set.empty()) return held;
  held.result.a = contacts.set.front().a;
  held.result.b = contacts.set.front().b;
  return held;
}

// Joint rows are those of the middle of the step (contact/step_rates.h).
void RestingForces::solve_gaps(const State& state, const contact::ContactSet& contacts,
                               double duration, const GapOptions& options) {
  if (!context_.scene.joints.empty()) {
    halfway_ = state;
    dynamics::drift(0.5 * duration, halfway_);
    dynamics::compute_joint_rows(context_.scene, halfway_, joint_rows_);
  }
  context_.assembler.assemble(contacts, joint_rows_, state, problem_);
  const auto rates = step_rates_.predict_closing(problem_, state, duration, options.step);
  memory_.recall(contacts, problem_, duration, impulses_);
  note_residual(
      context_.carrier.carry(problem_, rates, HUGE_VAL, options.forces, impulses_).residual);
  if (duration > 0.5 * options.step) memory_.remember(contacts, problem_, duration, impulses_);
  clear();
  spread(contacts, state, duration);
}

void RestingForces::select_pushing(const contact::ContactSet& contacts,
                                   contact::ContactSet& out) const {
  out.clear();
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    if (impulses_.contacts[i].x() > 0)
      out.push_back(contacts[static_cast<std::size_t>(problem_.contacts[i].source)]);
  }
}

// Lets the impulses just found act as constant forces in the next flight.
void RestingForces::spread(const contact::ContactSet& contacts, const State& state,
                           double duration) {
  contact::apply_as_forces(problem_, impulses_, duration, wrenches_);
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    if (impulses_.contacts[i].isZero(0)) continue;
    const contact::Contact& contact =
        contacts[static_cast<std::size_t>(problem_.contacts[i].source)];
    const Vec3 impulse = contact::world_impulse(problem_.contacts[i], impulses_.contacts[i]);
    forces_.push_back({contact.a, contact.b, contact.at.point, impulse / duration, Vec3::Zero()});
  }
  append_joint_forces(context_.scene, {joint_rows_, problem_, impulses_}, duration, state, forces_);
}

void RestingForces::fly(const State& state, double duration, std::optional<dynamics::Scheme> scheme,
                        Flight& flight) const {
  if (scheme)
    dynamics::fly_by(*scheme, context_.scene, state, wrenches_, duration, flight);
  else
    dynamics::fly(context_.scene, state, wrenches_, duration, flight);
}

double RestingForces::rise(const FeatureContacts& contacts, const Flight& flight) const {
  double highest = 0;
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    if (!(impulses_.contacts[i].x() > 0)) continue;
    const auto source = static_cast<std::size_t>(problem_.contacts[i].source);
    const contact::ContactFeatures& feature = contacts.features[source];
    const contact::Contact& contact = contacts.set[source];
    const auto at = geometry::kinematics_at(
        feature.pair, flight.motions[index(feature.swapped ? contact.b : contact.a)],
        flight.motions[index(feature.swapped ? contact.a : contact.b)], flight.duration);
    highest = std::max(highest, geometry::compute_gap(feature.pair, at).value);
  }
  return highest / context_.scene.tolerances.gap;
}

// Joints are told as acting on the middle of the way, where their anchors are together. A state
// that is not finite is not recorded, and ends the run.
void RestingForces::follow(double s, Flight& flight, State& state) {
  flight.state_at(s, state);
  for (record::CarriedForce& force : forces_) {
    if (force.joint >= 0) force.point = math::position_at(flight.motions[index(force.a)], 0.5 * s);
  }
  if (dynamics::is_finite(state))
    context_.recorder.flown(flight, s, {.start = forces_, .levers_at = levers_at_});
}

void RestingForces::save(std::string& bytes) const {
  base::append_bytes(bytes, memory_.forces());
  base::append_bytes(bytes, residual_);
}

void RestingForces::restore(std::string_view& bytes) {
  base::take_bytes(bytes, memory_.forces());
  base::take_bytes(bytes, residual_);
}

}  // namespace carom::methods
