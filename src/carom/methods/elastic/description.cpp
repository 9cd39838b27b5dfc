#include "carom/methods/elastic/elastic.h"
#include "carom/model/method_check.h"

namespace carom::methods {

namespace {

using model::SettingKind;

model::SettingDescription number(const std::string& key, double fallback, double at_most,
                                 const std::string& help) {
  return {.key = key,
          .kind = SettingKind::Number,
          .fallback = fallback,
          .at_most = at_most,
          .help = help};
}

bool has(const model::MethodSettings&, Ability ability) { return ability == Ability::Joints; }

}  // namespace

MethodTraits describe_elastic() {
  const Elastic usual;
  const Regularisation& near_zero = usual.regularisation;
  return {
      .description =
          {"elastic",
           "elastic contact forces, variable steps, zero-crossing events (Neumayr & Otter)",
           {number("tolerance", usual.tolerance, 1e-2,
                   "error of a step, beside the sizes of bodies and their speeds"),
            number("reduction", usual.reduction, 1, "k_red: softens every contact by this factor"),
            {.key = "friction",
             .kind = SettingKind::Choice,
             .fallback = "stick",
             .choices = {"stick", "regularised"},
             .help = "bristles that hold what is at rest, or the paper's law, under which it "
                     "creeps"},
            {.key = "damping",
             .kind = SettingKind::Choice,
             .fallback = "exact",
             .choices = {"exact", "flores"},
             .help = "what gives back the restitution asked for, or the paper's approximation"},
            number("least_speed", near_zero.least_speed, 1e3, "v_min of the regularisations, m/s"),
            number("least_spin", near_zero.least_spin, 1e6, "ω_min, rad/s"),
            number("most_damping", near_zero.most_damping, 1e9, "d_max, s/m"),
            {.key = "hysteresis",
             .kind = SettingKind::Number,
             .fallback = usual.hysteresis,
             .above = model::kFromZero,
             .at_most = 1,
             .help = "ε of the zero-crossing functions, m; 0: at most 1e-10 of the smallest "
                     "body"},
            {.key = "distance",
             .kind = SettingKind::Choice,
             .fallback = "exact",
             .choices = {"exact", "mpr"},
             .help = "that of the sharp shapes, or the paper's: Minkowski portal refinement, one "
                     "point for each two convex pieces"},
            {.key = "smoothing",
             .kind = SettingKind::Number,
             .fallback = usual.gauge.smoothing,
             .above = model::kFromZero,
             .at_most = 1,
             .help = "radius of the ball moved over shapes with edges, which so become larger and "
                     "round, m",
             .only_if = {"distance", "mpr"}}}},
      .steps = StepKind::ToOutput,
      .has = has};
}

Elastic make_elastic(const model::MethodSettings& settings) {
  Elastic options;
  Regularisation& near_zero = options.regularisation;
  options.tolerance = settings.number("tolerance", options.tolerance);
  options.reduction = settings.number("reduction", options.reduction);
  options.hysteresis = settings.number("hysteresis", options.hysteresis);
  options.gauge.portals = settings.text("distance", "exact") == "mpr";
  options.gauge.smoothing = settings.number("smoothing", options.gauge.smoothing);
  options.stick = settings.text("friction", "stick") == "stick";
  near_zero.least_speed = settings.number("least_speed", near_zero.least_speed);
  near_zero.least_spin = settings.number("least_spin", near_zero.least_spin);
  near_zero.most_damping = settings.number("most_damping", near_zero.most_damping);
  if (settings.text("damping", "exact") == "flores") near_zero.damping = Damping::Flores;
  return options;
}

}  // namespace carom::methods
