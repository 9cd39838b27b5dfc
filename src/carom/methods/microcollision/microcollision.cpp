#include "carom/methods/microcollision/microcollision.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::methods {

namespace {

using model::SettingKind;

constexpr double kUsualFrame = 1.0 / 30;  // s

// Of balls that nothing pulls, so long that each of many collides a few times: a frame's beginning
// costs about as much as one collision of each. By kinetic theory's √2 π n σ² v a second, with
// their number in the box around them at the start.
double choose_frame(const Scene& scene) {
  constexpr double kCollisions = 4, kLongest = 100 * kUsualFrame, kMany = 100;
  if (!scene.gravity.isZero(0) || !BallClock::applies(scene)) return kUsualFrame;
  geometry::Box3 box{Vec3::Constant(HUGE_VAL), Vec3::Constant(-HUGE_VAL)};
  double count = 0, speed = 0, radius = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].is_dynamic()) continue;
    const Vec3& x = scene.initial[i].x;
    const double r = scene.bodies[i].radius;
    box = {box.low.cwiseMin((x.array() - r).matrix()), box.high.cwiseMax((x.array() + r).matrix())};
    count += 1;
    speed += scene.initial[i].v.norm();
    radius += r;
  }
  if (count < kMany) return kUsualFrame;
  const double section = std::numbers::pi * std::pow(2 * radius / count, 2);
  const double rate = std::numbers::sqrt2 * section * speed / (box.high - box.low).prod();
  return std::clamp(kCollisions / rate, kUsualFrame, kLongest);
}

record::Vibration since(const record::Vibration& before, const record::Vibration& now) {
  return {.lifts = now.lifts - before.lifts,
          .energy_in = now.energy_in - before.energy_in,
          .greatest_lift = now.greatest_lift};
}

}  // namespace

MethodTraits describe_microcollision() {
  const ClockOptions usual;
  MethodTraits traits{
      .description =
          {"microcollision",
           "ballistic flight and impulses only, collisions from a heap (Mirtich & Canny)",
           {{.key = "step",
             .kind = SettingKind::Number,
             .fallback = kUsualFrame,
             .choices = {"auto"},
             .help = "length of a frame, s; bodies keep their own clocks within it. By default up "
                     "to a hundred times longer for a hundred balls and more that nothing pulls"},
            {.key = "epsilon",
             .kind = SettingKind::Number,
             .fallback = usual.epsilon,
             .at_most = 1e-1,
             .help = "how high bodies at rest hop, beside the diameter of the smaller"},
            {.key = "static_friction",
             .kind = SettingKind::Flag,
             .fallback = usual.static_friction,
             .help = "hold what friction can hold (section 4.5); without it, bodies creep down "
                     "slopes",
             .only_if = {"impact", "frictional"}},
            {.key = "max_collisions_per_body",
             .kind = SettingKind::Number,
             .fallback = static_cast<double>(usual.max_collisions_per_body),
             .at_most = 1e9,
             .help = "in a frame, on average; cap: reaching it stops the run with a message"}}},
      .steps = StepKind::Frame,
      .usual_step = kUsualFrame,
      .choose_step = choose_frame,
      .hop_setting = "epsilon",
      .has = [](const model::MethodSettings&, Ability ability) {
        return ability == Ability::Joints || ability == Ability::JointLimits ||
               ability == Ability::JointDrives;
      }};
  append_impact_settings(traits.description.settings, "frictional",
                         "microcollision_speed");  // this method has its own
  return traits;
}

Microcollision make_microcollision(const model::MethodSettings& settings, const impact::Law& law) {
  const ClockOptions usual;
  const auto* frictional = std::get_if<impact::Frictional>(&law);
  return {law,
          {.epsilon = settings.number("epsilon", usual.epsilon),
           .static_friction = settings.flag("static_friction", usual.static_friction),
           .max_collisions_per_body = static_cast<std::int64_t>(settings.number(
               "max_collisions_per_body", static_cast<double>(usual.max_collisions_per_body))),
           .restitution = frictional ? frictional->restitution : usual.restitution}};
}

MicrocollisionStepper::MicrocollisionStepper(StepContext& context, const Microcollision& options)
    : context_(context),
      options_(options),
      log_(context.scene, context.recorder),
      impacts_(context, log_) {}

AdvanceResult MicrocollisionStepper::advance(State& state, double t_end) {
  if (context_.scene.joints.empty() && context_.applied.empty()) return keep_clocks(state, t_end);
  if (!jointed_) jointed_.emplace(context_, impacts_, options_.clocks, memory_);
  return jointed_->advance(options_.impact, state, t_end);
}

// Bodies on their own clocks: balls and planes, or anything else.
AdvanceResult MicrocollisionStepper::keep_clocks(State& state, double t_end) {
  const auto record_frame = [this](const State& now) {
    if (dynamics::is_finite(now)) context_.recorder.flown({before_, collisions_, now});
    before_ = now;
    collisions_.clear();
  };
  before_ = state;
  collisions_.clear();
  AdvanceResult result;
  if (balls_ || (!regions_ && BallClock::applies(context_.scene) &&
                 std::holds_alternative<impact::Frictional>(options_.impact))) {
    if (!balls_) balls_.emplace(context_.scene, options_.clocks, context_.workers.watched());
    const record::Vibration before = balls_->vibration();
    result = balls_->advance(state, t_end, context_.recorder.has_sinks() ? &collisions_ : nullptr,
                             record_frame);
    memory_.vibration.add(since(before, balls_->vibration()));
  } else {
    if (!regions_) regions_.emplace(context_, options_.clocks, options_.impact, memory_);
    result = regions_->advance(state, t_end, collisions_);
  }
  record_frame(state);
  return result;
}

AdvanceResult MicrocollisionStepper::stop_colliding(State& state) {
  ++memory_.vibration.held_frames;
  find_contacts(context_, state, contacts_);
  if (!first_approaching(contacts_.set, context_.scene)) return {};
  for (contact::Contact& contact : contacts_.set) contact.restitution = 0;
  return impacts_.treat(options_.impact, contacts_.set, state);
}

}  // namespace carom::methods
