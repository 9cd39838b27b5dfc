#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "carom/io/output_error.h"
#include "carom/io/summary_json.h"
#include "unit/io/recorded_run.h"

namespace carom::io {
namespace {

using testing::ElementsAre;

record::Summary make_summary() {
  record::Summary summary;
  summary.version = "0.1.0";
  summary.scene = "bouncing \"ball\"";
  summary.method = "zeno-free";
  summary.impact = "simultaneous";
  summary.simulated_seconds = 1.25;
  summary.counters.steps = 1250;
  summary.counters.events = {12, 0, 5, 1, 2, 3};
  summary.counters.impact_iterations_total = 40;
  summary.counters.impact_iterations_max = 6;
  summary.vibration = {.lifts = 7, .energy_in = 0.5, .greatest_lift = 0.125, .held_frames = 3};
  summary.elastic = {.steps = 11, .beginnings = 2, .deepest = 0.25, .bent = 0.75};
  summary.audit.energy_initial = 0.1;
  return summary;
}

std::vector<std::string> keys_of(const nlohmann::ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(SummaryJson, HasTheDocumentedKeysInTheirOrder) {
  const auto json = nlohmann::ordered_json::parse(to_json(make_summary()));
  EXPECT_THAT(keys_of(json),
              ElementsAre("carom", "scene", "method", "impact", "finished", "reason", "notes",
                          "simulated_seconds", "wall_seconds", "steps", "events",
                          "impact_iterations", "lineality", "step_error", "fallbacks",
                          "force_residual", "forces", "microcollisions", "elastic", "audit"));
  EXPECT_THAT(keys_of(json["elastic"]),
              ElementsAre("deepest_indentation", "bristle_energy", "steps", "restarts"));
  EXPECT_THAT(keys_of(json["microcollisions"]),
              ElementsAre("lifts", "energy_in", "greatest_lift", "held_frames", "mean_power"));
  EXPECT_THAT(keys_of(json["events"]), ElementsAre("impact", "microcollision", "contact-begin",
                                                   "contact-end", "rest", "wake"));
  EXPECT_THAT(keys_of(json["audit"]),
              ElementsAre("verdict", "coverage", "fraction", "failures", "limits",
                          "max_penetration", "max_joint_error", "max_joint_gap", "max_joint_turn",
                          "energy_initial", "energy_final", "energy_max_gain", "momentum_error",
                          "angular_momentum_error", "energy_dissipated", "energy_ledger_error"));
}

TEST(SummaryJson, TellsTheFallbacksThatWereUsedAlone) {
  record::Summary summary = make_summary();
  summary.fallbacks.note(record::Rung::WideFlight, 2e-9);
  summary.fallbacks.note(record::Rung::WideFlight, 1e-9);
  const auto json = nlohmann::ordered_json::parse(to_json(summary));
  EXPECT_THAT(keys_of(json["fallbacks"]), ElementsAre("wide_flight"));
  EXPECT_EQ(json["fallbacks"]["wide_flight"]["times"], 2);
  EXPECT_EQ(json["fallbacks"]["wide_flight"]["greatest_error"], 2e-9);
  EXPECT_EQ(json["fallbacks"]["wide_flight"]["unit"], "m");
}

TEST(SummaryJson, HoldsTheValues) {
  const auto json = nlohmann::json::parse(to_json(make_summary()));
  EXPECT_EQ(json["scene"], "bouncing \"ball\"");
  EXPECT_EQ(json["finished"], true);
  EXPECT_TRUE(json["reason"].is_null());
  EXPECT_EQ(json["steps"], 1250);
  EXPECT_EQ(json["events"]["contact-begin"], 5);
  EXPECT_EQ(json["events"]["wake"], 3);
  EXPECT_EQ(json["impact_iterations"]["total"], 40);
  EXPECT_EQ(json["microcollisions"]["lifts"], 7);
  EXPECT_EQ(json["microcollisions"]["energy_in"], 0.5);
  EXPECT_EQ(json["microcollisions"]["greatest_lift"], 0.125);
  EXPECT_EQ(json["microcollisions"]["held_frames"], 3);
  EXPECT_EQ(json["microcollisions"]["mean_power"], 0.4);  // over 1.25 s
  EXPECT_EQ(json["elastic"]["deepest_indentation"], 0.25);
  EXPECT_EQ(json["elastic"]["bristle_energy"], 0.75);
  EXPECT_EQ(json["elastic"]["steps"], 11);
  EXPECT_EQ(json["elastic"]["restarts"], 2);
  EXPECT_EQ(json["audit"]["energy_initial"].get<double>(), 0.1);
}

TEST(SummaryJson, SaysWhyARunStopped) {
  record::Summary summary = make_summary();
  summary.finished = false;
  summary.reason = "no progress at t = 0.3";
  const auto json = nlohmann::json::parse(to_json(summary));
  EXPECT_EQ(json["finished"], false);
  EXPECT_EQ(json["reason"], "no progress at t = 0.3");
}

TEST(SummaryJson, StaysJsonWhenNumbersAreNotFinite) {
  record::Summary summary = make_summary();
  summary.audit.energy_final = std::numeric_limits<double>::quiet_NaN();
  summary.audit.max_penetration = std::numeric_limits<double>::infinity();
  const auto json = nlohmann::json::parse(to_json(summary));
  EXPECT_TRUE(json["audit"]["energy_final"].is_null());
  EXPECT_TRUE(json["audit"]["max_penetration"].is_null());
}

TEST(SummaryJson, StaysJsonWhenANameIsNotUtf8) {
  record::Summary summary = make_summary();
  summary.scene = "caf\xe9";
  EXPECT_EQ(nlohmann::json::parse(to_json(summary))["scene"], "caf\xef\xbf\xbd");  // U+FFFD
}

TEST(SummaryJson, ReportsAFullDisk) {
  EXPECT_THROW(write_summary("/dev/full", make_summary()), OutputError);
}

}  // namespace
}  // namespace carom::io
