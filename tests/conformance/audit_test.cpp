// Every method on every shipped scene, with its impact laws: it passes the audit, or what happens
// instead stands in known_failures.json. A known failure that is none any more fails here too.
// `scripts/conformance` runs this and writes that list and docs/conformance.md anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>

#include "carom/base/diagnostics.h"
#include "carom/io/scene_file.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"
#include "conformance/expectations.h"

namespace carom::conformance {
namespace {

constexpr double kLongest = 1;  // s simulated; the whole table takes minutes

// Σ f |χ̈| beside Σ f and the accelerations at hand, at every evaluation of contact forces: 1e-14
// and less, but for a million kilograms on one, which have 5.7e-10.
constexpr double kComplementarity = 1e-9;

std::string excesses_of(const record::Summary& summary) {
  std::string text;
  const auto add = [&](std::string_view name, double found, double limit) {
    char row[200];
    std::snprintf(row, sizeof row, "%s%.*s %.2g > %.2g", text.empty() ? "" : ", ",
                  static_cast<int>(name.size()), name.data(), found, limit);
    text += row;
  };
  const record::AuditResult& audit = summary.audit;
  for (std::size_t i = 0; i < record::kJudged; ++i) {
    if (audit.exceeds(static_cast<record::Judged>(i)))
      add(record::kJudgedNames[i].key, audit.found()[i], audit.limits[i]);
  }
  if (!(summary.forces.complementarity <= kComplementarity))
    add("complementarity", summary.forces.complementarity, kComplementarity);
  return text;
}

Outcome run(const Case& at) {
  std::vector<io::Override> overrides = {{"/method/name", '"' + at.method + '"'}};
  if (!at.law.empty()) overrides.push_back({"/method/impact", '"' + at.law + '"'});
  if (at.method == "naive") overrides.push_back({"/method/max_treatments", "1000"});
  try {
    io::LoadedScene loaded = io::load_scene(at.scene, overrides, methods::catalog());
    loaded.scene.duration = std::min(loaded.scene.duration, kLongest);
    simulation::Simulation simulation(loaded.scene);
    const record::Summary summary = simulation.run();
    const std::string excesses = excesses_of(summary);
    if (!excesses.empty()) return {"failed", excesses};
    if (!summary.finished) return {"stopped", summary.reason.value_or("")};
    return {"passed", ""};
  } catch (const base::BadInput& refused) {
    return {"refused", refused.diagnostics().front().place + ": " + refused.what()};
  }
}

class Conformance : public testing::TestWithParam<Case> {};

TEST_P(Conformance, PassesTheAuditOrIsAKnownFailure) {
  const Outcome expected = expected_of(GetParam());
  const Outcome outcome = run(GetParam());
  std::printf("ROW\t%s\t%s\t%s\n", GetParam().name().c_str(), outcome.kind.c_str(),
              outcome.says.substr(0, outcome.says.find('\n')).c_str());
  EXPECT_EQ(outcome.kind, expected.kind) << outcome.says;
  EXPECT_THAT(outcome.says, testing::HasSubstr(expected.says));
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, Conformance, testing::ValuesIn(all_cases()), [](const auto& each) {
      std::string name = each.param.name();
      std::ranges::replace_if(
          name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

TEST(KnownFailures, AreOfCasesThatThereAreAndSayWhy) {
  const std::vector<Case> cases = all_cases();
  for (const Expectation& known : known_failures()) {
    const auto is_case = [&](const Case& at) { return known.is_of(at); };
    EXPECT_EQ(std::ranges::count_if(cases, is_case), known.kind == kSlow ? 0 : 1)
        << known.scene << ' ' << known.method << ' ' << known.law;
    EXPECT_FALSE(known.reason.empty() || known.says.empty()) << known.scene;
    EXPECT_THAT(known.kind, testing::AnyOf("failed", "stopped", "refused", kSlow));
  }
}

// A law that is not among those run would never be.
TEST(KnownFailures, LeaveNoMethodAndNoLawOut) {
  std::map<std::string, std::set<std::string>> run;
  for (const Case& at : all_cases()) run[at.method].insert(at.law);
  for (const model::MethodDescription& method : methods::catalog()) {
    const auto impact =
        std::ranges::find(method.settings, "impact", &model::SettingDescription::key);
    const std::size_t laws = impact == method.settings.end() ? 1 : impact->choices.size();
    EXPECT_EQ(run[method.name].size(), method.name == "naive" ? 1 : laws) << method.name;
  }
}

}  // namespace
}  // namespace carom::conformance
