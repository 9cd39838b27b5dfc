#include "carom/methods/zeno_free/zeno_free.h"

namespace carom::methods {

namespace {

using model::SettingKind;

std::string integrator_of(const model::MethodSettings& settings) {
  return settings.text("integrator", "exact");
}

bool has(const model::MethodSettings& settings, Ability ability) {
  const bool of_joints = ability == Ability::Joints || ability == Ability::JointLimits ||
                         ability == Ability::JointDrives;
  return of_joints && integrator_of(settings) != "euler";
}

std::optional<dynamics::Scheme> scheme_of(const model::MethodSettings& settings) {
  const std::string name = integrator_of(settings);
  if (name == "symplectic-euler") return dynamics::Scheme::SymplecticEuler;
  if (name == "rk4") return dynamics::Scheme::RungeKutta;
  if (name == "dormand-prince") return dynamics::Scheme::DormandPrince;
  return std::nullopt;
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
             .choices = {"exact", "symplectic-euler", "rk4", "dormand-prince", "euler"},
             .help = "of flights with held contacts, in closed form or by a numerical scheme; or "
                     "the paper's explicit Euler, which ignores resting contacts"},
            max_impacts_setting(),
            {.key = "sleeping",
             .kind = SettingKind::Flag,
             .fallback = true,
             .help = "leave islands at rest alone until something touches them",
             .only_if = {.key = "integrator", .value = "euler", .differs = true}}}},
      .steps = StepKind::Fixed,
      .usual_step = kUsualStep,
      .has = has};
  append_impact_settings(traits.description.settings, "sequential");
  return traits;
}

ZenoFree make_zeno_free(const model::MethodSettings& settings, const impact::Law& law) {
  return {.impact = law,
          .euler = integrator_of(settings) == "euler",
          .scheme = scheme_of(settings),
          .max_impacts_per_step = max_impacts(settings),
          .sleeping = settings.flag("sleeping", true)};
}

}  // namespace carom::methods
