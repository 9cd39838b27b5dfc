#include "carom/impact/laws/table.h"

#include <algorithm>

#include "carom/base/check.h"
#include "carom/model/method_check.h"

namespace carom::impact {

namespace {

using model::SettingKind;

Lineality lineality_of(const model::MethodSettings& settings) {
  if (settings.word("lineality") == "shave") return Lineality::Shave;
  return settings.flag("lineality", true) ? Lineality::Fast : Lineality::Off;
}

GaussSeidelOptions gauss_seidel_options(const model::MethodSettings& settings) {
  GaussSeidelOptions options;
  options.lineality = lineality_of(settings);
  options.epsilon = settings.number("impact_tolerance", options.epsilon);
  options.coupling = settings.text("friction_coupling", "two-way") == "one-way" ? Coupling::OneWay
                                                                                : Coupling::TwoWay;
  return options;
}

model::SettingDescription lineality_setting(const std::string& why = "and hold it") {
  return {.key = "lineality",
          .kind = SettingKind::Flag,
          .fallback = true,
          .choices = {"shave"},
          .help = "find contacts that squeeze a body, " + why +
                  "; \"shave\": by the paper's linear programs"};
}

std::vector<model::SettingDescription> gauss_seidel_settings() {
  return {lineality_setting("without which the law need not end"),
          {.key = "impact_tolerance",
           .kind = SettingKind::Number,
           .fallback = GaussSeidelOptions{}.epsilon,
           .at_most = 1e-3,
           .help = "an approach slower than this part of the bodies' speed is none"},
          {.key = "friction_coupling",
           .kind = SettingKind::Choice,
           .fallback = "two-way",
           .choices = {"one-way", "two-way"},
           .help = "whether what friction drives together is pushed apart in the same impact"}};
}

std::vector<model::SettingDescription> sequential_settings() {
  std::vector<model::SettingDescription> settings = {
      {.key = "order",
       .kind = SettingKind::Choice,
       .fallback = "lexicographic",
       .choices = {"lexicographic", "random", "deepest"},
       .help = "which approaching contact is reflected next"},
      {.key = "seed",
       .kind = SettingKind::Number,
       .fallback = 0.0,
       .above = model::kFromZero,
       .at_most = 9007199254740992.0,
       .help = "of the random order",
       .only_if = {"order", "random"}}};
  for (model::SettingDescription& setting : gauss_seidel_settings())
    settings.push_back(std::move(setting));
  return settings;
}

Law make_sequential(const model::MethodSettings& settings) {
  const std::string order = settings.text("order", "lexicographic");
  return Sequential{.order = order == "random"    ? Order::Random
                             : order == "deepest" ? Order::Deepest
                                                  : Order::Lexicographic,
                    .seed = static_cast<std::uint64_t>(settings.number("seed", 0)),
                    .options = gauss_seidel_options(settings)};
}

Law make_reflections(const model::MethodSettings& settings) {
  return Reflections{.options = gauss_seidel_options(settings)};
}

std::vector<model::SettingDescription> frictional_settings() {
  return {{.key = "restitution_rule",
           .kind = SettingKind::Choice,
           .fallback = "poisson",
           .choices = {"poisson", "stronge"},
           .help = "what the coefficient of restitution compares: impulses or work"},
          {.key = "microcollision_speed",
           .kind = SettingKind::Number,
           .fallback = 0.0,
           .above = model::kFromZero,
           .help = "m/s; a slower approach is reversed if friction can, so that nothing creeps"}};
}

Law make_frictional(const model::MethodSettings& settings) {
  const bool stronge = settings.text("restitution_rule", "poisson") == "stronge";
  return Frictional{.restitution = stronge ? Restitution::Stronge : Restitution::Poisson,
                    .microcollision_speed = settings.number("microcollision_speed", 0)};
}

std::vector<model::SettingDescription> simultaneous_settings() {
  return {{.key = "solver",
           .kind = SettingKind::Choice,
           .fallback = "exact",
           .choices = {"exact", "heuristic"},
           .help = "the complementarity problem, or the paper's guesses by linear programs"},
          lineality_setting()};
}

Law make_simultaneous(const model::MethodSettings& settings) {
  const bool heuristic = settings.text("solver", "exact") == "heuristic";
  return Simultaneous{
      .solver = heuristic ? Simultaneous::Solver::Heuristic : Simultaneous::Solver::Exact,
      .lineality = lineality_of(settings)};
}

model::SettingDescription energy_setting() {
  return {.key = "energy_rule",
          .kind = SettingKind::Choice,
          .fallback = "bounded",
          .choices = {"bounded", "as-published"},
          .help = "whether impulses are cut back where the published law would gain energy"};
}

bool is_bounded(const model::MethodSettings& settings) {
  return settings.text("energy_rule", "bounded") == "bounded";
}

std::vector<model::SettingDescription> poisson_settings() {
  return {{.key = "sides",
           .kind = SettingKind::Number,
           .fallback = 16.0,
           .above = 2,
           .at_most = 64,
           .help = "of the polygon of friction inscribed in Coulomb's disc"},
          energy_setting(),
          lineality_setting()};
}

Law make_poisson(const model::MethodSettings& settings) {
  using enum Poisson::Energy;
  return Poisson{.sides = static_cast<int>(settings.number("sides", 16)),
                 .energy = is_bounded(settings) ? Bounded : AsPublished,
                 .lineality = lineality_of(settings)};
}

Law make_guendelman(const model::MethodSettings& settings) {
  using enum Guendelman::Energy;
  return Guendelman{.energy = is_bounded(settings) ? Bounded : AsPublished,
                    .lineality = lineality_of(settings)};
}

}  // namespace

ImpactResult resolve(const Law& law, const contact::ContactProblem& problem, ImpactWorkspace& work,
                     contact::Impulses& out) {
  return std::visit([&](const auto& each) { return resolve(each, problem, work, out); }, law);
}

const std::vector<LawDescription>& laws() {
  static const std::vector<LawDescription> table = {
      {"sequential",
       "one contact at a time, Gauss–Seidel; restitution by blending, friction afterwards",
       sequential_settings(), make_sequential, true},
      {"reflections", "all approaching contacts together, generalized reflections; keeps symmetry",
       gauss_seidel_settings(), make_reflections, true},
      {"frictional",
       "one contact at a time through compression and restitution with friction, in impulse space",
       frictional_settings(), make_frictional},
      {"simultaneous", "all contacts at once, none separates slower than its own coefficient says",
       simultaneous_settings(), make_simultaneous},
      {"poisson", "compression and decompression of all contacts, friction in a polygon",
       poisson_settings(), make_poisson},
      {"guendelman",
       "sweeps of one algebraic impulse a contact, then rest for what still approaches",
       {energy_setting(), lineality_setting()},
       make_guendelman},
  };
  return table;
}

const std::vector<std::string>& law_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const LawDescription& law : laws()) all.push_back(law.name);
    return all;
  }();
  return names;
}

Law make_law(const model::MethodSettings& settings, const std::string& name) {
  const auto found = std::find_if(laws().begin(), laws().end(),
                                  [&](const LawDescription& law) { return law.name == name; });
  base::check(found != laws().end(), "the scene's impact law was checked against the catalog");
  return found->make(settings);
}

}  // namespace carom::impact
