// Which method runs with which impact laws on which shipped scene, and what is known to come out
// where that is not a run that passes its audit: tests/conformance/known_failures.json.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace carom::conformance {

struct Case {
  std::filesystem::path scene;
  std::string method, law;  // the law is empty where nothing jumps

  std::string name() const;  // scene/method/law
};

// How a run ended: passed (its audit), failed (it), stopped (before its end) or refused.
struct Outcome {
  std::string kind;
  std::string says;  // of failures, what the audit found too large; else the message
};

inline constexpr const char* kSlow = "slow";  // a known failure that takes minutes, and is not run

std::vector<Case> all_cases();

struct Expectation {
  std::string scene, method, law;
  std::string kind;  // failed, stopped, refused or slow
  std::string says;  // part of what it says
  std::string reason;

  bool is_of(const Case& at) const;
};
std::vector<Expectation> known_failures();
Outcome expected_of(const Case& at);  // passed, unless a known failure says otherwise

}  // namespace carom::conformance
