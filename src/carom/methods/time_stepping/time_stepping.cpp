#include "carom/methods/time_stepping/time_stepping.h"

#include "carom/model/method_check.h"

namespace carom::methods {

namespace {

using model::SettingKind;

constexpr int kMostFactored = 40;  // bodies of an island
constexpr double kSides = 16, kSweeps = 30;

}  // namespace

MethodTraits describe_time_stepping() {
  return {
      .description =
          {"time-stepping",
           "one complementarity problem a step, with friction (Anitescu & Potra)",
           {step_setting(),
            {.key = "sides",
             .kind = SettingKind::Number,
             .fallback = kSides,
             .above = model::kFromZero,
             .at_most = 64,
             .help = "corners of the friction polygon of small islands (Lemke); below 3: the cone"},
            {.key = "sweeps",
             .kind = SettingKind::Number,
             .fallback = kSweeps,
             .at_most = 1e6,
             .help = "over an island too large to be factored, at most"},
            {.key = "impact_speed",
             .kind = SettingKind::Number,
             .fallback = 0.0,
             .above = model::kFromZero,
             .help = "m/s; slower contacts do not bounce. 0: twice what gravity gives in a step"},
            {.key = "impact",
             .kind = SettingKind::Choice,
             .fallback = "poisson",
             .choices = {"poisson"},
             .help = "its own law: compression and decompression"}}},
      .steps = StepKind::Fixed,
      .usual_step = kUsualStep,
      .has = [](const model::MethodSettings&, Ability ability) {
        return ability == Ability::Joints || ability == Ability::JointLimits ||
               ability == Ability::JointDrives;
      }};
}

TimeStepping make_time_stepping(const Scene& scene, double step) {
  const model::MethodSettings& settings = scene.method;
  const auto sides = static_cast<int>(settings.number("sides", kSides));
  const double weight = scene.gravity.norm() * step;  // what it gives in a step, m/s
  const double impact_speed = settings.number("impact_speed", 0);
  return {{.forces = {.sides = sides < 3 ? 0 : sides,
                      .most_bodies = kMostFactored,
                      .sweeps = static_cast<int>(settings.number("sweeps", kSweeps))},
           .step = step,
           .impact_speed = impact_speed > 0 ? impact_speed : 2 * weight}};
}

TimeSteppingStepper::TimeSteppingStepper(StepContext& context, const TimeStepping& options)
    : context_(context),
      options_(options),
      log_(context.scene, context.recorder),
      impacts_(context, log_),
      forces_(context) {}

AdvanceResult TimeSteppingStepper::advance(State& state, double t_end) {
  const double h = t_end - state.t;
  context_.workers.watched().poll(state.t);
  AdvanceResult stopped = impacts_.stop_closing(options_.closing, h, forces_, state, contacts_);
  if (!stopped.ok()) return stopped;
  forces_.solve_gaps(state, contacts_, h,
                     {options_.closing.forces, {options_.closing.step, options_.closing.step}});
  if (h > 0.5 * options_.closing.step) {  // a step cut short sees few of the contacts that carry
    forces_.select_pushing(contacts_, pushing_);
    log_.update_resting(pushing_, state);
  }
  forces_.fly(state, h, flight_);
  forces_.follow(h, flight_, state);
  state.t = t_end;
  return {};
}

void TimeSteppingStepper::save(std::string& bytes) const {
  log_.save(bytes);
  forces_.save(bytes);
}

void TimeSteppingStepper::restore(std::string_view& bytes) {
  log_.restore(bytes);
  forces_.restore(bytes);
}

}  // namespace carom::methods
