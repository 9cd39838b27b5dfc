#include "carom/methods/impact_laws.h"

#include <algorithm>

#include "carom/base/check.h"

namespace carom::methods {

namespace {

using impact::Order;
using impact::Sequential;
using model::SettingKind;

Law make_sequential(const model::MethodSettings& settings) {
  const std::string order = settings.text("order", "lexicographic");
  return Sequential{.order = order == "random"    ? Order::Random
                             : order == "deepest" ? Order::Deepest
                                                  : Order::Lexicographic,
                    .seed = static_cast<std::uint64_t>(settings.number("seed", 0))};
}

}  // namespace

impact::ImpactResult resolve(const Law& law, const contact::ContactProblem& problem,
                             impact::ImpactWorkspace& work, contact::Impulses& out) {
  return std::visit([&](const auto& each) { return impact::resolve(each, problem, work, out); },
                    law);
}

const std::vector<LawDescription>& laws() {
  static const std::vector<LawDescription> table = {
      {"sequential",
       "one contact at a time, Gauss–Seidel; restitution by blending, friction afterwards",
       {{.key = "order",
         .kind = SettingKind::Choice,
         .fallback = "lexicographic",
         .choices = {"lexicographic", "random", "deepest"},
         .help = "which approaching contact is reflected next"},
        {.key = "seed",
         .kind = SettingKind::Number,
         .fallback = 0.0,
         .above = -1,
         .at_most = 9007199254740992.0,
         .help = "of the random order"}},
       make_sequential},
  };
  return table;
}

Law make_law(const model::MethodSettings& settings) {
  const std::string name = settings.text("impact", laws().front().name);
  const auto found = std::find_if(laws().begin(), laws().end(),
                                  [&](const LawDescription& law) { return law.name == name; });
  base::check(found != laws().end(), "the scene's impact law was checked against the catalog");
  return found->make(settings);
}

}  // namespace carom::methods
