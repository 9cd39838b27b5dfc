#include "carom/methods/registry.h"

#include <gmock/gmock.h>

#include "carom/base/diagnostics.h"
#include "carom/model/method_check.h"
#include "support/scenes.h"

namespace carom::methods {
namespace {

using testing::HasSubstr;

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
  EXPECT_EQ(impact_law_names().front(), "sequential");
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
  EXPECT_EQ(method.integrator, Integrator::Euler);
  EXPECT_EQ(method.max_impacts_per_step, 7);
  EXPECT_EQ(std::get<impact::Sequential>(method.impact).order, impact::Order::Random);
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
  support::SceneParts joined = make_two_balls({"zeno-free", {}});
  joined.joints = {{.name = "knee",
                    .type = model::JointType::Hinge,
                    .between = {"a", "b"},
                    .limits = std::pair(-1.0, 1.0),
                    .motor = model::Motor{1, 1}}};
  EXPECT_NE(refusal(joined).find("/joints/0/limits"), std::string::npos);
  EXPECT_NE(refusal(joined).find("/joints/0/motor"), std::string::npos);
}

TEST(Laws, AreMadeFromTheirSettings) {
  model::MethodSettings settings{"zeno-free",
                                 {{"impact", "sequential"}, {"order", "deepest"}, {"seed", 7.0}}};
  const Law law = make_law(settings, settings.text("impact", ""));
  EXPECT_EQ(std::get<impact::Sequential>(law).order, impact::Order::Deepest);
  EXPECT_EQ(std::get<impact::Sequential>(law).seed, 7U);
  for (const LawDescription& description : laws()) {
    EXPECT_NO_THROW(static_cast<void>(make_law({"zeno-free", {}}, description.name)));
  }
}

}  // namespace
}  // namespace carom::methods
