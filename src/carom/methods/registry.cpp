#include "carom/methods/registry.h"

#include <algorithm>
#include <cmath>

#include "carom/methods/abilities.h"
#include "carom/model/method_check.h"

namespace carom::methods {

namespace {

using model::MethodDescription;
using model::SettingDescription;
using model::SettingKind;

constexpr double kDefaultStep = 1e-3;  // s
constexpr double kDefaultFrame = 1.0 / 30;
constexpr double kDefaultTolerance = 1e-9;
constexpr int kMostFactored = 40;  // bodies of an island in time-stepping
// Of what weight gives in a step: slower islands are solved to round-off.
constexpr double kNearlyAtRest = 0.05;

constexpr const char* kUsualHop = "frictional";  // law of microcollisions

SettingDescription step_setting() {
  return {.key = "step",
          .kind = SettingKind::Number,
          .fallback = kDefaultStep,
          .choices = {"auto"},
          .help = "length of a step, s, or \"auto\""};
}

// The name of the law, and then every setting that a law understands, but for one.
void append_impact_settings(std::vector<SettingDescription>& settings,
                            const std::string& usual = impact_law_names().front(),
                            const std::string& without = {}) {
  settings.push_back({.key = "impact",
                      .kind = SettingKind::Choice,
                      .fallback = usual,
                      .choices = impact_law_names(),
                      .help = "impact law"});
  for (const LawDescription& law : laws()) {
    for (const SettingDescription& setting : law.settings) {
      const bool known =
          std::any_of(settings.begin(), settings.end(),
                      [&](const SettingDescription& each) { return each.key == setting.key; });
      if (!known && setting.key != without) settings.push_back(setting);
    }
  }
}

MethodDescription describe_zeno_free() {
  MethodDescription method{
      "zeno-free",
      "event stepping that ignores resting contacts and always advances (Drumwright)",
      {step_setting(),
       {.key = "integrator",
        .kind = SettingKind::Choice,
        .fallback = "exact",
        .choices = {"exact", "euler"},
        .help = "exact flight with carried contacts, or the paper's explicit Euler"},
       {.key = "max_impacts_per_step",
        .kind = SettingKind::Number,
        .fallback = 100'000.0,
        .at_most = 1e9,
        .help = "cap; reaching it stops the run with a message"},
       {.key = "sleeping",
        .kind = SettingKind::Flag,
        .fallback = true,
        .help = "leave islands at rest alone until something touches them"}}};
  append_impact_settings(method.settings);
  return method;
}

MethodDescription describe_naive() {
  MethodDescription method{
      "naive",
      "the baseline that freezes at a Zeno point, notices and stops (Drumwright, alg. 1)",
      {step_setting(),
       {.key = "max_treatments",
        .kind = SettingKind::Number,
        .fallback = 100'000.0,
        .at_most = 1e9,
        .help = "contact treatments in one step before it counts as a Zeno point"}}};
  append_impact_settings(method.settings);
  return method;
}

MethodDescription describe_time_stepping() {
  return {"time-stepping",
          "one complementarity problem a step, with friction (Anitescu & Potra)",
          {step_setting(),
           {.key = "sides",
            .kind = SettingKind::Number,
            .fallback = 16.0,
            .above = model::kFromZero,
            .at_most = 64,
            .help = "corners of the friction polygon of small islands (Lemke); below 3: the cone"},
           {.key = "sweeps",
            .kind = SettingKind::Number,
            .fallback = 30.0,
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
            .help = "its own law: compression and decompression"}}};
}

MethodDescription describe_analytic() {
  MethodDescription method{
      "analytic",
      "contact forces between located collisions, adaptive integration (Baraff)",
      {{.key = "tolerance",
        .kind = SettingKind::Number,
        .fallback = kDefaultTolerance,
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
        .help = "the complementarity problem itself, or the paper's ladder of linear programs"},
       {.key = "max_impacts_per_step",
        .kind = SettingKind::Number,
        .fallback = 100'000.0,
        .at_most = 1e9,
        .help = "cap; reaching it stops the run with a message"}}};
  append_impact_settings(method.settings);
  return method;
}

MethodDescription describe_microcollision() {
  const ClockOptions usual;
  MethodDescription method{
      "microcollision",
      "ballistic flight and impulses only, collisions from a heap (Mirtich & Canny)",
      {{.key = "step",
        .kind = SettingKind::Number,
        .fallback = kDefaultFrame,
        .choices = {"auto"},
        .help = "length of a frame, s; bodies keep their own clocks within it"},
       {.key = "epsilon",
        .kind = SettingKind::Number,
        .fallback = usual.epsilon,
        .at_most = 1e-1,
        .help = "how high bodies at rest hop, beside the diameter of the smaller"},
       {.key = "static_friction",
        .kind = SettingKind::Flag,
        .fallback = usual.static_friction,
        .help = "hold what friction can hold (section 4.5); without it, bodies creep down slopes"},
       {.key = "max_collisions_per_body",
        .kind = SettingKind::Number,
        .fallback = static_cast<double>(usual.max_collisions_per_body),
        .at_most = 1e9,
        .help = "in a frame, on average; cap: reaching it stops the run with a message"}}};
  append_impact_settings(method.settings, kUsualHop,
                         "microcollision_speed");  // hops have their own
  return method;
}

MethodDescription describe_elastic() {
  const elastic::ElasticOptions usual;
  const elastic::Regularisation& near_zero = usual.regularisation;
  const auto number = [](const std::string& key, double fallback, double at_most,
                         const std::string& help) {
    return SettingDescription{.key = key,
                              .kind = SettingKind::Number,
                              .fallback = fallback,
                              .at_most = at_most,
                              .help = help};
  };
  return {
      "elastic",
      "elastic contact forces, variable steps, zero-crossing events (Neumayr & Otter)",
      {number("tolerance", usual.tolerance, 1e-2,
              "error of a step, beside the sizes of bodies and their speeds"),
       number("reduction", usual.reduction, 1, "k_red: softens every contact by this factor"),
       {.key = "friction",
        .kind = SettingKind::Choice,
        .fallback = "stick",
        .choices = {"stick", "regularised"},
        .help = "bristles that hold what is at rest, or the paper's law, under which it creeps"},
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
        .help = "ε of the zero-crossing functions, m; 0: at most 1e-10 of the smallest body"}}};
}

Elastic make_elastic(const model::MethodSettings& settings) {
  elastic::ElasticOptions options;
  elastic::Regularisation& near_zero = options.regularisation;
  options.tolerance = settings.number("tolerance", options.tolerance);
  options.reduction = settings.number("reduction", options.reduction);
  options.hysteresis = settings.number("hysteresis", options.hysteresis);
  options.stick = settings.text("friction", "stick") == "stick";
  near_zero.least_speed = settings.number("least_speed", near_zero.least_speed);
  near_zero.least_spin = settings.number("least_spin", near_zero.least_spin);
  near_zero.most_damping = settings.number("most_damping", near_zero.most_damping);
  if (settings.text("damping", "exact") == "flores") near_zero.damping = elastic::Damping::Flores;
  return {options};
}

}  // namespace

const std::vector<std::string>& impact_law_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const LawDescription& law : laws()) all.push_back(law.name);
    return all;
  }();
  return names;
}

const model::MethodCatalog& catalog() {
  static const model::MethodCatalog table = {describe_zeno_free(),      describe_naive(),
                                             describe_time_stepping(),  describe_analytic(),
                                             describe_microcollision(), describe_elastic()};
  return table;
}

bool has_fixed_step(const Scene& scene) {
  return scene.method.name == "zeno-free" || scene.method.name == "time-stepping";
}

bool has_automatic_step(const Scene& scene) {
  const auto given = scene.method.options.find("step");
  return has_fixed_step(scene) && given != scene.method.options.end() &&
         std::holds_alternative<std::string>(given->second);
}

double step_of(const Scene& scene) {
  const bool hops = scene.method.name == "microcollision";
  const double usual = hops ? kDefaultFrame : kDefaultStep;
  const auto given = scene.method.options.find("step");
  const bool number = given != scene.method.options.end() &&
                      std::holds_alternative<double>(given->second);  // and not "auto"
  return number ? std::get<double>(given->second) : usual;
}

double end_of_step(const Scene& scene, double t, double next_output) {
  if (scene.method.name == "analytic") return scene.duration;
  if (scene.method.name == "elastic") return std::min(next_output, scene.duration);
  const double step = step_of(scene);
  double n = std::floor(t / step);
  for (int i = 0; i < 2 && !(n * step > t); ++i) ++n;  // the quotient is rounded
  return std::min(n * step, scene.duration);
}

std::string impact_of(const Scene& scene) {
  model::check_method(scene.method, catalog());
  const model::MethodDescription* method = model::find_method(catalog(), scene.method.name);
  const auto impact = std::ranges::find(method->settings, "impact", &SettingDescription::key);
  if (impact == method->settings.end()) return {};
  const std::string usual = std::get<std::string>(impact->fallback);
  const std::string wanted = scene.method.text("impact", usual);
  return std::ranges::count(impact->choices, wanted) > 0 ? wanted : usual;
}

std::span<const SettingDescription> own_settings(const model::MethodDescription& method) {
  const auto impact = std::ranges::find(method.settings, "impact", &SettingDescription::key);
  return {method.settings.begin(), impact == method.settings.end() ? impact : std::next(impact)};
}

const std::vector<Condition>& conditions() {
  static const std::vector<Condition> table = {{"sleeping", "integrator", "exact"},
                                               {"static_friction", "impact", "frictional"},
                                               {"seed", "order", "random"}};
  return table;
}

Method make_method(const Scene& scene, double step) {
  model::check_method(scene.method, catalog());
  const model::MethodSettings& settings = scene.method;
  refuse_unsupported(scene);
  if (settings.name == "time-stepping") {
    const auto sides = static_cast<int>(settings.number("sides", 16));
    const double weight = scene.gravity.norm() * step;  // what it gives in a step, m/s
    const double impact_speed = settings.number("impact_speed", 0);
    return TimeStepping{{{.sides = sides < 3 ? 0 : sides,
                          .most_bodies = kMostFactored,
                          .sweeps = static_cast<int>(settings.number("sweeps", 30)),
                          .slow = kNearlyAtRest * weight},
                         step,
                         impact_speed > 0 ? impact_speed : 2 * weight}};
  }
  if (settings.name == "elastic") return make_elastic(settings);
  const Law law = make_law(settings, impact_of(scene));
  if (settings.name == "microcollision") {
    const ClockOptions usual;
    const auto* frictional = std::get_if<impact::Frictional>(&law);
    return Microcollision{
        law,
        {.epsilon = settings.number("epsilon", usual.epsilon),
         .static_friction = settings.flag("static_friction", usual.static_friction),
         .max_collisions_per_body = static_cast<std::int64_t>(settings.number(
             "max_collisions_per_body", static_cast<double>(usual.max_collisions_per_body))),
         .restitution = frictional ? frictional->restitution : usual.restitution}};
  }
  if (settings.name == "naive") {
    return Naive{law, static_cast<int>(settings.number("max_treatments", 100'000))};
  }
  const auto max_impacts = static_cast<int>(settings.number("max_impacts_per_step", 100'000));
  if (settings.name == "analytic") {
    const bool heuristic = settings.text("forces", "exact") == "heuristic";
    const bool adams = settings.text("formula", "runge-kutta") == "adams-moulton";
    return Analytic{law,
                    {{heuristic ? resting::ForceSolver::Heuristic : resting::ForceSolver::Exact},
                     adams ? dynamics::Formula::AdamsMoulton : dynamics::Formula::RungeKutta,
                     settings.number("tolerance", kDefaultTolerance)},
                    max_impacts};
  }
  return ZenoFree{
      law, settings.text("integrator", "exact") == "euler" ? Integrator::Euler : Integrator::Exact,
      max_impacts, settings.flag("sleeping", true)};
}

AdvanceResult advance(const Method& method, Workbench& bench, State& state, double t_end) {
  try {
    return std::visit([&](const auto& each) { return advance(each, bench, state, t_end); }, method);
  } catch (const base::Stopped&) {
    return {AdvanceStatus::Stopped};
  }
}

}  // namespace carom::methods
