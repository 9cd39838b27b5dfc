#include "carom/methods/zeno_free/zeno_free.h"

namespace carom::methods {

namespace {

using model::SettingKind;

bool has(const model::MethodSettings& settings, Ability ability) {
  return ability == Ability::Joints && settings.text("integrator", "exact") == "exact";
}

}  // namespace

MethodTraits describe_zeno_free() {
  MethodTraits traits{
      .description =
          {"zeno-free",
           "event stepping that ignores resting contacts and always advances (Drumwright)",
           {step_setting(),
            {.key = "integrator",
             .kind = SettingKind::Choice,
             .fallback = "exact",
             .choices = {"exact", "euler"},
             .help = "exact flight with carried contacts, or the paper's explicit Euler"},
            max_impacts_setting(),
            {.key = "sleeping",
             .kind = SettingKind::Flag,
             .fallback = true,
             .help = "leave islands at rest alone until something touches them",
             .only_if = {"integrator", "exact"}}}},
      .steps = StepKind::Fixed,
      .usual_step = kUsualStep,
      .has = has};
  append_impact_settings(traits.description.settings, "sequential");
  return traits;
}

ZenoFree make_zeno_free(const model::MethodSettings& settings, const impact::Law& law) {
  return {.impact = law,
          .integrator = settings.text("integrator", "exact") == "euler" ? Integrator::Euler
                                                                        : Integrator::Exact,
          .max_impacts_per_step = max_impacts(settings),
          .sleeping = settings.flag("sleeping", true)};
}

}  // namespace carom::methods
