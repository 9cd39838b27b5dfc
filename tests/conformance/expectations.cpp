#include "conformance/expectations.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace carom::conformance {

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = CAROM_SOURCE_DIR;

const nlohmann::json& table() {
  static const nlohmann::json json = [] {
    std::ifstream file(kRoot / "tests/conformance/known_failures.json");
    return nlohmann::json::parse(file);
  }();
  return json;
}

std::vector<fs::path> shipped_scenes() {
  std::vector<fs::path> scenes;
  for (const auto& entry : fs::directory_iterator(kRoot / "scenes")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && !name.ends_with(".schema.json")) scenes.push_back(entry.path());
  }
  std::ranges::sort(scenes);
  return scenes;
}

}  // namespace

std::string Case::name() const { return scene.stem().string() + '/' + method + '/' + law; }

std::vector<Case> all_cases() {
  const std::vector<std::string> shapes = table()["one_law"];
  std::vector<Case> cases;
  for (const fs::path& scene : shipped_scenes()) {
    const bool one = std::ranges::count(shapes, scene.stem().string()) > 0;
    for (const auto& [method, laws] : table()["laws"].items()) {
      for (const std::string law : laws) {
        const Case at{scene, method, law};
        if (expected_of(at).kind != kSlow) cases.push_back(at);
        if (one) break;
      }
    }
  }
  return cases;
}

bool Expectation::is_of(const Case& at) const {
  return scene == at.scene.stem().string() && method == at.method && law == at.law;
}

std::vector<Expectation> known_failures() {
  std::vector<Expectation> known;
  for (const auto& each : table()["known"]) {
    for (const std::string law : each["laws"]) {
      known.push_back(
          {each["scene"], each["method"], law, each["outcome"], each["says"], each["reason"]});
    }
  }
  return known;
}

Outcome expected_of(const Case& at) {
  static const std::vector<Expectation> known = known_failures();
  const auto found =
      std::ranges::find_if(known, [&](const Expectation& each) { return each.is_of(at); });
  return found == known.end() ? Outcome{"passed", ""} : Outcome{found->kind, found->says};
}

}  // namespace carom::conformance
