// Stepping from a program: calls that advance time by a little, and questions in between.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/base/diagnostics.h"
#include "carom/methods/stop_reasons.h"
#include "carom/simulation/beside.h"
#include "carom/simulation/checkpoint_bytes.h"
#include "carom/simulation/run.h"

namespace carom::simulation {

namespace {

[[noreturn]] void refuse(std::string place, std::string found, std::string expected) {
  throw base::BadInput(
      {{.place = std::move(place), .found = std::move(found), .expected = std::move(expected)}});
}

// The time of the first event after a moment.
class FirstEvent : public record::Sink {
 public:
  explicit FirstEvent(double after) : after_(after) {}
  bool reads_outputs() const override { return false; }
  void event(const record::ContactEvent& event) override {
    if (event.t > after_) t = std::min(t, event.t);
  }
  double t = std::numeric_limits<double>::infinity();  // s

 private:
  double after_;
};

}  // namespace

// Sinks that only programs in between need are added when there is one.
void Run::begin_call() {
  if (!std::exchange(is_stepped_, true)) recorder_.add(last_call_);
  begin();
  last_call_.clear();
}

Progress Run::progress_of(const methods::AdvanceResult& result) const {
  if (result.ok()) return {};
  return {false, result.status == methods::AdvanceStatus::Stopped
                     ? "on request"
                     : methods::describe(result, scene_, state_.t)};
}

// What was applied for one call ends.
Progress Run::end_call(const methods::AdvanceResult& result) {
  if (program_.end_call()) stepper_->forces_changed(state_);
  return progress_of(result);
}

Progress Run::step() {
  begin_call();
  if (!started_.ok()) return progress_of(started_);
  const bool within = state_.t < scene_.duration;
  return end_call(
      advance_one_step(within ? scene_.duration : std::numeric_limits<double>::infinity()));
}

Progress Run::advance_to(double t) {
  if (!std::isfinite(t)) refuse("advance_to()", std::to_string(t), "a time");
  begin_call();
  methods::AdvanceResult result = started_;
  while (result.ok() && state_.t < t) result = advance_one_step(t);
  return end_call(result);
}

Progress Run::advance_to_next_event(double latest) {
  if (!std::isfinite(latest)) refuse("advance_to_next_event()", std::to_string(latest), "a time");
  begin_call();
  methods::AdvanceResult result = started_;
  while (result.ok() && state_.t < latest && last_call_.events().empty())
    result = advance_one_step(latest, true);
  return end_call(result);
}

// Of methods in which bodies keep their own clocks; these go on to the next number after it, so
// that it has happened.
double Run::find_event(double t_end) {
  Beside beside(scene_, workers_, program_);
  FirstEvent first(state_.t);
  beside.recorder.add(first);
  memory_.clear();
  stepper_->save(memory_);
  std::string_view bytes = memory_;
  beside.stepper.restore(bytes);
  State state = state_;
  // What fails here fails again where it is told.
  static_cast<void>(beside.stepper.advance(state, t_end));
  return std::min(t_end, std::nextafter(first.t, std::numeric_limits<double>::infinity()));
}

void Run::set_state(const State& state) {
  if (state.bodies.size() != scene_.bodies.size())
    refuse("set_state()", std::to_string(state.bodies.size()) + " bodies",
           "the scene's " + std::to_string(scene_.bodies.size()));
  State to = state;
  to.t = state_.t;
  for (std::size_t i = 0; i < to.bodies.size(); ++i) {
    if (!(std::abs(to.bodies[i].q.norm() - 1) < 1e-6))
      refuse("set_state()", '"' + scene_.bodies[i].name + "\" with an orientation of another norm",
             "a unit quaternion");
    to.bodies[i].q.normalize();
    const Body& body = scene_.bodies[i];
    if (body.motion == model::Motion::Fixed &&
        !(to.bodies[i].v.isZero(0) && to.bodies[i].w.isZero(0)))
      refuse("set_state()", '"' + body.name + "\" moving", "no velocity, since it is fixed");
  }
  if (!dynamics::is_finite(to)) refuse("set_state()", "a number that is not finite", "numbers");
  refuse_overlap(to, &state_);
  begin_call();
  recorder_.set(state_, to);
  state_ = to;
  stepper_.emplace(scene_, workers_, recorder_, &program_);
  if (automatic_.length > 0) set_step(automatic_.length);
  started_ = stepper_->begin(state_);
}

void Run::check_pushed(BodyId body, std::string_view by) const {
  const std::size_t i = index(body);
  if (i >= scene_.bodies.size())
    refuse(std::string(by), "body number " + std::to_string(i),
           "one of " + std::to_string(scene_.bodies.size()) + " bodies");
  if (!scene_.bodies[i].is_dynamic())
    refuse(std::string(by), '"' + scene_.bodies[i].name + "\", which nothing pushes",
           "a dynamic body");
}

void Run::apply_wrench(BodyId body, const AppliedWrench& wrench, Lasting lasting) {
  check_pushed(body, "apply_wrench()");
  const BodyState& at = state_[body];
  const Vec3 lever = wrench.point ? Vec3(*wrench.point - at.x) : Vec3(Vec3::Zero());
  if (!wrench.force.allFinite() || !wrench.torque.allFinite() || !lever.allFinite())
    refuse("apply_wrench()", "a number that is not finite", "numbers");
  begin();
  const model::Push push{body, wrench.force, wrench.torque, at.q.conjugate() * lever};
  if (lasting == Lasting::UntilChanged)
    program_.set(push);
  else
    program_.add_for_a_call(push);
  stepper_->forces_changed(state_);
}

void Run::set_force_law(std::vector<BodyId> bodies, dynamics::ForceLaw law) {
  for (const BodyId body : bodies) check_pushed(body, "set_force_law()");
  std::ranges::sort(bodies);
  if (std::ranges::adjacent_find(bodies) != bodies.end())
    refuse("set_force_law()", "a body twice", "every body once");
  if (law && bodies.empty()) refuse("set_force_law()", "no bodies", "at least one");
  begin();
  program_.set_law(std::move(bodies), std::move(law));
  stepper_->forces_changed(state_);
}

std::span<const record::CarriedForce> Run::forces() {
  last_call_.find_forces(state_);
  return last_call_.carried();
}

const contact::ContactSet& Run::contacts() {
  if (!pairs_) pairs_.emplace(scene_, workers_);
  pairs_->find_contacts(state_, contacts_);
  return contacts_;
}

std::string Run::save() {
  begin();
  return to_bytes(make_checkpoint(checkpoints_), scene_);
}

void Run::restore(std::string_view bytes) {
  const record::Checkpoint checkpoint = from_bytes(bytes, scene_);
  begin_call();
  state_ = checkpoint.state;
  stepper_.emplace(scene_, workers_, recorder_, &program_);
  recall(checkpoint.memory);
  recorder_.resume(checkpoint);
  started_ = {};
}

}  // namespace carom::simulation
