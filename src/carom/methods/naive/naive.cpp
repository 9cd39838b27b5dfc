#include "carom/methods/naive/naive.h"

namespace carom::methods {

MethodTraits describe_naive() {
  MethodTraits traits{
      .description =
          {"naive",
           "the baseline that freezes at a Zeno point, notices and stops (Drumwright, alg. 1)",
           {step_setting(),
            {.key = "max_treatments",
             .kind = model::SettingKind::Number,
             .fallback = static_cast<double>(Naive{}.max_treatments),
             .at_most = 1e9,
             .help = "contact treatments in one step before it counts as a Zeno point"}}},
      .steps = StepKind::Frame,
      .usual_step = kUsualStep,
      .has = [](const model::MethodSettings&, Ability) { return false; }};
  append_impact_settings(traits.description.settings, "sequential");
  return traits;
}

Naive make_naive(const model::MethodSettings& settings, const impact::Law& law) {
  return {law, static_cast<int>(settings.number("max_treatments", Naive{}.max_treatments))};
}

NaiveStepper::NaiveStepper(StepContext& context, const Naive& options)
    : context_(context),
      options_(options),
      log_(context.scene, context.recorder),
      impacts_(context, log_),
      none_(context) {}

// Lines 3–11 of algorithm 1 until the step is done. An active contact at the current time is an
// "impact in [t, t + h]" with t_c = t (line 6), which is where the paradox comes from.
AdvanceResult NaiveStepper::advance(State& state, double t_end) {
  AdvanceResult frozen{AdvanceStatus::ZenoPoint};  // at the contact treated last
  for (int treatments = 0, flights = 0; state.t < t_end;) {
    find_contacts(context_, state, contacts_);
    if (const contact::Contact* contact = first_active(contacts_.set, context_.scene)) {
      frozen = {AdvanceStatus::ZenoPoint, contact->a, contact->b, contact->at};
      if (++treatments > options_.max_treatments) return frozen;
      const AdvanceResult treated = impacts_.treat(options_.impact, contacts_.set, state);
      if (!treated.ok()) return treated;
      find_contacts(context_, state, contacts_);
      if (first_active(contacts_.set, context_.scene)) continue;
    }
    if (++flights > options_.max_treatments) return frozen;
    const double rest = t_end - state.t;
    const TimeOfContact toc = none_.fly_to_contact(state, rest, flight_);
    if (!toc.result.ok()) return toc.result;
    none_.follow(toc.s, flight_, state);
    if (!toc.found && toc.s == rest) state.t = t_end;
  }
  return {};
}

}  // namespace carom::methods
