#include "carom/methods/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/diagnostics.h"
#include "carom/methods/abilities.h"
#include "carom/methods/notes.h"
#include "carom/methods/stop_reasons.h"
#include "carom/model/method_check.h"
#include "support/scenes.h"

namespace carom::methods {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

support::SceneParts make_two_balls(const model::MethodSettings& method) {
  return {.bodies = {support::make_ball("a", 0.1, Vec3(0, 0, 0)),
                     support::make_ball("b", 0.1, Vec3(1, 0, 0))},
          .method = method};
}

TEST(Registry, MakesEveryMethodItLists) {
  for (const model::MethodDescription& method : catalog()) {
    EXPECT_FALSE(method.summary.empty());
    EXPECT_NO_THROW(
        static_cast<void>(make_method(support::build(make_two_balls({method.name, {}})))))
        << method.name;
  }
}

TEST(Registry, OffersTheNamesOfTheInterface) {
  EXPECT_NE(model::find_method(catalog(), "zeno-free"), nullptr);
  EXPECT_NE(model::find_method(catalog(), "naive"), nullptr);
  EXPECT_EQ(impact::law_names().front(), "sequential");
}

TEST(Registry, ReadsTheSettings) {
  model::MethodSettings settings{"zeno-free",
                                 {{"step", 0.25},
                                  {"integrator", "euler"},
                                  {"max_impacts_per_step", 7.0},
                                  {"order", "random"}}};
  const Scene scene = support::build(make_two_balls(settings));
  const auto method = std::get<ZenoFree>(make_method(scene));
  EXPECT_EQ(step_of(scene), 0.25);
  EXPECT_TRUE(method.euler);
  EXPECT_EQ(method.max_impacts_per_step, 7);
  EXPECT_EQ(std::get<impact::Sequential>(method.impact).order, impact::Order::Random);
}

// Forces that are constant over a step need a wide touching distance to hold contacts by; those of
// `analytic` follow the motion. Set for one method, tolerances are set anew for another.
TEST(Registry, GivesTheTouchingDistanceThatTheMethodNeeds) {
  Scene scene = with_tolerances(support::build(make_two_balls({"analytic", {}})));
  EXPECT_EQ(scene.tolerances.gap, scene.tolerances.resolution);
  scene.method = {"zeno-free", {}};
  scene = with_tolerances(std::move(scene));
  EXPECT_DOUBLE_EQ(scene.tolerances.gap, 1000 * scene.tolerances.resolution);
}

std::string problems_of(const model::MethodSettings& settings) {
  try {
    static_cast<void>(make_method(support::build(make_two_balls(settings))));
  } catch (const base::BadInput& bad) {
    return bad.what();
  }
  return {};
}

// A program that sets the method itself has no reader that checks names for it.
TEST(Registry, RefusesMisspeltNamesWithTheNearestOne) {
  EXPECT_THAT(problems_of({"zeno-fre", {}}), HasSubstr("\"zeno-free\""));
  EXPECT_THAT(problems_of({"", {}}), HasSubstr("/method/name"));
  EXPECT_THAT(problems_of({"zeno-free", {{"stp", 0.01}}}), HasSubstr("\"step\""));
  EXPECT_THAT(problems_of({"zeno-free", {{"impact", "simultanous"}}}), HasSubstr("simultaneous"));
}

TEST(Registry, RefusesValuesThatAreNotAllowed) {
  EXPECT_THAT(problems_of({"zeno-free", {{"step", -1.0}}}), HasSubstr("a number > 0"));
  EXPECT_THAT(problems_of({"zeno-free", {{"step", "fast"}}}), HasSubstr("a number > 0"));
  EXPECT_THAT(problems_of({"time-stepping", {{"sides", -1.0}}}), HasSubstr("a number >= 0"));
  EXPECT_EQ(problems_of({"zeno-free", {{"tolerance", 1e-6}}}), "");  // waits for another method
}

TEST(Registry, TakesZeroWhereZeroMeansSomething) {
  EXPECT_EQ(problems_of({"time-stepping", {{"sides", 0.0}, {"impact_speed", 0.0}}}), "");
  EXPECT_EQ(problems_of({"elastic", {{"hysteresis", 0.0}}}), "");
}

// What a method takes when nothing is said must be something that it may be told.
TEST(Registry, AllowsEveryFallback) {
  for (const model::MethodDescription& method : catalog()) {
    for (const model::SettingDescription& setting : method.settings)
      EXPECT_TRUE(model::is_allowed(setting, setting.fallback))
          << method.name << ' ' << setting.key;
  }
}

// A setting that no method reads would be a silent default.
TEST(Registry, GivesEverySettingItsDefaultAsMade) {
  const Scene scene = support::build(make_two_balls({"zeno-free", {}}));
  const auto* described = model::find_method(catalog(), "zeno-free");
  for (const auto& setting : described->settings) {
    if (setting.key == "step") {
      EXPECT_EQ(std::get<double>(setting.fallback), step_of(scene));
    }
    if (setting.key == "max_impacts_per_step") {
      EXPECT_EQ(std::get<double>(setting.fallback),
                std::get<ZenoFree>(make_method(scene)).max_impacts_per_step);
    }
  }
}

std::string refusal(const support::SceneParts& parts) {
  try {
    static_cast<void>(make_method(support::build(parts)));
  } catch (const base::BadInput& bad) {
    return bad.what();
  }
  return {};
}

// Also where a run was cut between two of them.
TEST(Registry, EndsStepsAtMultiplesOfTheirLength) {
  for (const double step : {0.001, 0.0037, 1.0 / 240}) {
    const Scene scene = support::build({.bodies = {support::make_ground()},
                                        .method = {"time-stepping", {{"step", step}}},
                                        .duration = 1000});
    for (int n = 0; n < 20'000; ++n) {
      const double t = n * step, next = (n + 1) * step;
      ASSERT_EQ(end_of_step(scene, t, 0, scene.duration), next) << n;
      ASSERT_EQ(end_of_step(scene, t + 0.3 * step, 0, scene.duration), next) << n;
      ASSERT_EQ(end_of_step(scene, std::nextafter(next, 0), 0, scene.duration), next) << n;
    }
    EXPECT_EQ(end_of_step(scene, 1000 - 0.1 * step, 0, scene.duration), 1000);
  }
}

TEST(Registry, RefusesWhatAMethodCannotDo) {
  support::SceneParts joined = make_two_balls({"naive", {}});
  joined.joints = {{.name = "knee", .between = {"a", "b"}}};
  EXPECT_NE(refusal(joined).find("/joints/0"), std::string::npos);
  joined.method.name = "zeno-free";
  EXPECT_EQ(refusal(joined), "");
  joined.method.options["integrator"] = std::string("euler");
  EXPECT_NE(refusal(joined).find("knee"), std::string::npos);
}

TEST(Registry, RefusesLimitsAndMotors) {
  support::SceneParts joined = make_two_balls({"elastic", {}});
  joined.joints = {{.name = "knee",
                    .type = model::JointType::Hinge,
                    .between = {"a", "b"},
                    .limits = std::pair(-1.0, 1.0),
                    .motor = model::Motor{1, 1}}};
  EXPECT_NE(refusal(joined).find("/joints/0/limits"), std::string::npos);
  EXPECT_NE(refusal(joined).find("/joints/0/motor"), std::string::npos);
}

std::string refusal_of(const model::MethodSettings& method) {
  return refusal(make_two_balls(method));
}

TEST(Registry, RefusesNamesThatAreNotInItsTable) {
  EXPECT_THAT(refusal_of({"zenofree", {}}), HasSubstr("did you mean \"zeno-free\"?"));
  EXPECT_THAT(refusal_of({"zeno-free", {{"stpe", 0.1}}}), HasSubstr("did you mean \"step\"?"));
}

TEST(Registry, NamesTheMethodsThatCanDoWhatOneCannot) {
  support::SceneParts joined = make_two_balls({"naive", {}});
  joined.joints = {{.name = "knee", .between = {"a", "b"}}};
  const std::string message = refusal(joined);
  for (const model::MethodDescription& method : catalog()) {
    joined.method.name = method.name;
    const bool refused = !refusal(joined).empty();
    EXPECT_EQ(
        message.find("\"" + method.name + "\"", message.find("expected")) == std::string::npos,
        refused)
        << method.name;
  }
}

std::vector<std::string> notes_of(const model::MethodSettings& method) {
  return notes_on(support::build(make_two_balls(method)));
}

TEST(Notes, AreEmptyWhereEverySettingCounts) {
  for (const model::MethodDescription& method : catalog()) {
    EXPECT_THAT(notes_of({method.name, {}}), IsEmpty()) << method.name;
    model::MethodSettings own{method.name, {}};
    for (const model::SettingDescription& setting : own_settings(method))
      own.options[setting.key] = setting.fallback;
    for (const model::SettingDescription& setting : own_settings(method)) {
      const model::Condition& needs = setting.only_if;
      if (!needs.key.empty() && !needs.differs) own.options[needs.key] = needs.value;
    }
    EXPECT_THAT(notes_of(own), IsEmpty()) << method.name;
  }
}

TEST(Notes, NameEachSettingOfAnotherLaw) {
  for (const impact::LawDescription& law : impact::laws()) {
    for (const impact::LawDescription& other : impact::laws()) {
      for (const model::SettingDescription& setting : other.settings) {
        const auto same = [&](const auto& each) { return each.key == setting.key; };
        const bool shared = std::ranges::any_of(law.settings, same) || setting.key == "seed";
        const model::MethodSettings settings{
            "zeno-free", {{"impact", law.name}, {setting.key, setting.fallback}}};
        if (shared) continue;
        EXPECT_THAT(notes_of(settings), ElementsAre(HasSubstr('"' + setting.key + '"')))
            << law.name;
      }
    }
  }
}

TEST(Notes, NameASettingThatOnlyAnotherMethodHas) {
  EXPECT_THAT(notes_of({"elastic", {{"step", 0.1}}}),
              ElementsAre(AllOf(HasSubstr("\"step\""), HasSubstr("\"tolerance\""))));
}

TEST(Notes, TellOfALawThatGivesWay) {
  const Scene scene =
      support::build(make_two_balls({"time-stepping", {{"impact", "reflections"}}}));
  EXPECT_EQ(impact_of(scene), "poisson");
  EXPECT_THAT(notes_on(scene), ElementsAre(HasSubstr("\"poisson\" takes the place")));
}

// Whatever it advises is a method other than the one that stopped, or a setting that one has.
TEST(Remedies, NameAMethodThatCanOrASettingThatThereIs) {
  for (const model::MethodDescription& method : catalog()) {
    const Scene scene = support::build(make_two_balls({method.name, {}}));
    for (int i = 1; i <= static_cast<int>(AdvanceStatus::NotFinite); ++i) {
      const std::string remedy = remedy_for(static_cast<AdvanceStatus>(i), scene);
      EXPECT_THAT(remedy, StartsWith("try ")) << i;
      if (i != static_cast<int>(AdvanceStatus::ZenoPoint)) {
        EXPECT_THAT(remedy, Not(HasSubstr("--method " + method.name)));
      }
      const bool steps =
          std::ranges::count(own_settings(method), "step", &model::SettingDescription::key) > 0;
      if (!steps) {
        EXPECT_THAT(remedy, Not(HasSubstr("--step")));
      }
    }
  }
  EXPECT_EQ(remedy_for(AdvanceStatus::Advanced, support::build(make_two_balls({}))), "");
}

TEST(Remedies, NameNoMethodThatRefusesTheScene) {
  support::SceneParts parts = make_two_balls({});
  parts.joints = {{.name = "rod", .type = model::JointType::Fixed, .between = {"a", "b"}}};
  for (const char* const stopped : {"naive", "microcollision", "elastic"}) {
    parts.method = {stopped, {}};
    const std::string remedy = remedy_for(AdvanceStatus::SearchDidNotEnd, support::build(parts));
    for (const model::MethodDescription& method : catalog()) {
      if (remedy.find("--method " + method.name) == std::string::npos) continue;
      parts.method = {method.name, {}};
      EXPECT_NO_THROW(refuse_unsupported(support::build(parts))) << remedy;
    }
  }
}

TEST(Laws, AreMadeFromTheirSettings) {
  model::MethodSettings settings{"zeno-free",
                                 {{"impact", "sequential"}, {"order", "deepest"}, {"seed", 7.0}}};
  const impact::Law law = impact::make_law(settings, settings.text("impact", ""));
  EXPECT_EQ(std::get<impact::Sequential>(law).order, impact::Order::Deepest);
  EXPECT_EQ(std::get<impact::Sequential>(law).seed, 7U);
  for (const impact::LawDescription& description : impact::laws()) {
    EXPECT_NO_THROW(static_cast<void>(impact::make_law({"zeno-free", {}}, description.name)));
  }
}

}  // namespace
}  // namespace carom::methods
