#include "carom/methods/analytic/analytic.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"

namespace carom::methods {

namespace {

using model::SettingKind;

constexpr int kMaxShortenings = 10;
constexpr int kMaxCuts = 4;     // of a step under constant forces, by impacts
constexpr int kMostSteps = 50;  // within the length of a first step

}  // namespace

MethodTraits describe_analytic() {
  MethodTraits traits{
      .description =
          {"analytic",
           "contact forces between located collisions, adaptive integration (Baraff)",
           {{.key = "tolerance",
             .kind = SettingKind::Number,
             .fallback = IntegratorOptions{}.tolerance,
             .at_most = 1e-2,
             .help = "error of a step, beside the sizes of bodies and their speeds"},
            {.key = "formula",
             .kind = SettingKind::Choice,
             .fallback = "runge-kutta",
             .choices = {"runge-kutta", "adams-moulton"},
             .help = "of the integrator, order four with step control"},
            {.key = "forces",
             .kind = SettingKind::Choice,
             .fallback = "exact",
             .choices = {"exact", "heuristic"},
             .help =
                 "the complementarity problem itself, or the paper's ladder of linear programs"},
            max_impacts_setting()}},
      .steps = StepKind::ToEnd,
      .follows_contacts = true,
      .has = [](const model::MethodSettings&, Ability ability) {
        return ability == Ability::Joints || ability == Ability::JointLimits ||
               ability == Ability::JointDrives;
      }};
  append_impact_settings(traits.description.settings, "sequential");
  return traits;
}

Analytic make_analytic(const model::MethodSettings& settings, const impact::Law& law) {
  const bool heuristic = settings.text("forces", "exact") == "heuristic";
  const bool adams = settings.text("formula", "runge-kutta") == "adams-moulton";
  return {law,
          {{heuristic ? resting::ForceSolver::Heuristic : resting::ForceSolver::Exact},
           adams ? dynamics::Formula::AdamsMoulton : dynamics::Formula::RungeKutta,
           settings.number("tolerance", IntegratorOptions{}.tolerance)},
          max_impacts(settings)};
}

AnalyticStepper::AnalyticStepper(StepContext& context, const Analytic& options)
    : context_(context),
      options_(options),
      log_(context.scene, context.recorder),
      impacts_(context, log_),
      integrator_(context),
      carried_(context) {}

// Collisions are resolved before contact forces are asked for (§3); where those do not exist, or a
// contact has to be stopped first, velocities jump and time stands still.
AdvanceResult AnalyticStepper::advance(State& state, double t_end) {
  const double start = state.t;
  for (int jumps = 0; state.t == start && !context_.is_paused();) {
    find_contacts(context_, state, contacts_);
    const bool collides = first_approaching(contacts_.set, context_.scene) != nullptr;
    AdvanceResult result = collides ? treat_impacts(state) : move(state, t_end);
    if (!result.ok()) return result;
    if (state.t == start && ++jumps > options_.max_impacts_per_step)
      return {AdvanceStatus::TooManyImpacts};
  }
  return {};
}

AdvanceResult AnalyticStepper::treat_impacts(State& state) {
  AdvanceResult treated = impacts_.treat(options_.impact, contacts_.set, state);
  integrator_.restart();
  return treated;
}

// Contacts that stick, slide and vanish in turns can end one step after another, each shorter than
// the last: after so many within the time of one short step, that one is made under constant
// forces.
AdvanceResult AnalyticStepper::move(State& state, double t_end) {
  select_resting(contacts_, context_.scene, resting_);
  log_.update_resting(resting_.set, state);
  if (state.t > crowded_from_ + integrator_.first_step()) {
    crowded_from_ = state.t;
    steps_ = 0;
  }
  if (++steps_ <= kMostSteps) return integrate(state, t_end);
  crowded_from_ = -HUGE_VAL;
  return carry(state, t_end);
}

// One step under χ̈ = A f − b, up to t_end, the first change of contacts or the first impact. Where
// forces do not exist, or a contact that pushes is opening, the state jumps instead.
AdvanceResult AnalyticStepper::integrate(State& state, double t_end) {
  double longest = t_end - state.t;
  for (int i = 0; i < kMaxShortenings; ++i) {
    switch (integrator_.attempt(options_.motion, state, resting_, longest, flight_)) {
      case IntegratorStatus::Stepped:
        break;
      case IntegratorStatus::Jams:
        integrator_.restart();
        return impacts_.treat_jam(resting_.set, state);
      case IntegratorStatus::Opens:
        stop_opening(state);
        return {};
      case IntegratorStatus::NoForces:
      case IntegratorStatus::NoStep:
        return carry(state, t_end);
    }
    const TimeOfContact toc = find_toc(context_, flight_);
    longest = longest_instead(toc, i + 1 < kMaxShortenings);
    if (longest > 0) continue;
    integrator_.finish(flight_, toc.s, state);
    if (dynamics::is_finite(state)) context_.recorder.flown(flight_, toc.s, integrator_.forces());
    return {};
  }
  return {AdvanceStatus::SearchDidNotEnd};
}

// The longest step to take in the place of the one at hand; 0 if that is good. What a long flight
// hides, a shorter one may show.
double AnalyticStepper::longest_instead(const TimeOfContact& toc, bool once_more) const {
  if (!toc.result.ok()) return flight_.duration / 4;
  const bool ends_within = toc.s > 0 && toc.s < flight_.duration;
  return ends_within && once_more && integrator_.bends() ? toc.s : 0;
}

// Where χ̈ = A f − b has no answer that the solver finds, or none that a step can follow, a short
// step under constant forces that are found from velocities, where they always exist. What stops in
// it is braked to its end.
AdvanceResult AnalyticStepper::carry(State& state, double t_end) {
  integrator_.restart();
  carried_.stop_late(HUGE_VAL);
  double h = std::min(t_end - state.t, integrator_.first_step());
  for (int i = 0, cuts = 0; i < kMaxShortenings; ++i) {
    const HeldStep held = carried_.solve(state, resting_, h);
    if (held.jams) return impacts_.treat_jam(resting_.set, state);
    if (!held.result.ok()) return held.result;
    carried_.fly(state, h, flight_);
    const TimeOfContact toc = find_toc(context_, flight_);
    const bool cut = carried_.holds_moving() && is_cut_short(toc.s, h) && cuts < kMaxCuts;
    if (!toc.result.ok() || cut) {
      h = toc.result.ok() ? toc.s : h / 4;  // levers are those of the duration
      cuts += toc.result.ok();
      continue;
    }
    carried_.follow(toc.s, flight_, state);
    context_.recorder.fallback(record::Rung::ConstantForces, toc.s);
    return {};
  }
  return {AdvanceStatus::SearchDidNotEnd};
}

void AnalyticStepper::stop_opening(State& state) {
  before_ = state;
  integrator_.stop_opening(state);
  const ContactAccelerations& at = integrator_.accelerations();
  const std::vector<char> settled(at.problem().islands.size(), 1);
  log_.record_impact({.contacts = at.set(),
                      .joints = {at.joint_rows(), at.problem(), at.impulses()},
                      .before = before_,
                      .after = state,
                      .settled = settled});
  integrator_.restart();
}

void AnalyticStepper::save(std::string& bytes) const {
  log_.save(bytes);
  integrator_.save(bytes);
  carried_.save(bytes);
  base::append_bytes(bytes, crowded_from_);
  base::append_bytes(bytes, steps_);
}

void AnalyticStepper::restore(std::string_view& bytes) {
  log_.restore(bytes);
  integrator_.restore(bytes);
  carried_.restore(bytes);
  base::take_bytes(bytes, crowded_from_);
  base::take_bytes(bytes, steps_);
}

}  // namespace carom::methods
