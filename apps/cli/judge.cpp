#include <algorithm>
#include <cmath>

#include "claims.h"

namespace carom::cli {

namespace {

// Why the values cannot be compared at all, or empty.
std::string find_mismatch(const Claim& claim, const std::vector<double>& values) {
  if (std::holds_alternative<bool>(claim.expected)) return "a number instead of true or false";
  const auto* list = std::get_if<std::vector<double>>(&claim.expected);
  if (list == nullptr || list->size() == values.size()) return {};
  return std::to_string(values.size()) + " values instead of " + std::to_string(list->size());
}

Verdict verdict_of(const Claim& claim, bool good) {
  if (claim.compare == Comparison::Shown) return Verdict::Shown;
  return good ? Verdict::Pass : Verdict::Fail;
}

// How much of the tolerance a deviation uses up; more than 1 is too much.
double share_used(double deviation, double allowed) {
  if (std::isnan(deviation)) return HUGE_VAL;
  if (deviation <= allowed) return allowed > 0 ? deviation / allowed : 0;
  return allowed > 0 ? std::max(deviation / allowed, std::nextafter(1.0, 2.0)) : HUGE_VAL;
}

double deviation_of(double value, double expected, Comparison compare) {
  const double excess = value - expected;
  if (compare == Comparison::AtMost) return std::isnan(excess) ? excess : std::max(0.0, excess);
  if (compare == Comparison::AtLeast) return std::isnan(excess) ? excess : std::max(0.0, -excess);
  return std::abs(excess);
}

void compare(const Claim& claim, const std::vector<double>& values, Outcome& outcome) {
  const auto* list = std::get_if<std::vector<double>>(&claim.expected);
  double most = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = list != nullptr ? (*list)[i] : std::get<double>(claim.expected);
    const double allowed = claim.tolerance + claim.relative_tolerance * std::abs(expected);
    const double deviation = deviation_of(values[i], expected, claim.compare);
    const double share = share_used(deviation, allowed);
    if (share <= most) continue;
    most = share;
    outcome.worst = i;
    outcome.deviation = deviation;
  }
  outcome.verdict = verdict_of(claim, most <= 1);
}

}  // namespace

Outcome judge(const Claim& claim, Measured measured) {
  Outcome outcome{.measured = std::move(measured)};
  if (!outcome.measured.problem.empty()) return outcome;
  const auto* flag = std::get_if<bool>(&claim.expected);
  if (const auto* values = std::get_if<std::vector<double>>(&outcome.measured.values)) {
    outcome.measured.problem = find_mismatch(claim, *values);
    if (outcome.measured.problem.empty()) compare(claim, *values, outcome);
  } else if (flag != nullptr) {
    outcome.verdict = verdict_of(claim, std::get<bool>(outcome.measured.values) == *flag);
  } else {
    outcome.measured.problem = "true or false instead of a number";
  }
  return outcome;
}

}  // namespace carom::cli
