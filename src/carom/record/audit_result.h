// Findings of the audit, the limits it judged them by, and the verdict.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>

namespace carom::record {

// Quantities that are judged, by the names of the summary and of `--tolerate`.
enum class Judged {
  Penetration,
  JointGap,
  JointTurn,
  EnergyGain,
  EnergyLedger,
  Momentum,
  AngularMomentum
};
constexpr std::size_t kJudged = 7;
struct JudgedName {
  std::string_view key, unit;
};
constexpr std::array<JudgedName, kJudged> kJudgedNames = {{{"max_penetration", "m"},
                                                           {"max_joint_gap", "m"},
                                                           {"max_joint_turn", "rad"},
                                                           {"energy_max_gain", "J"},
                                                           {"energy_ledger_error", "J"},
                                                           {"momentum_error", "N s"},
                                                           {"angular_momentum_error", "N m s"}}};

// One number for everything that is judged, in its unit.
struct JudgedNumbers : std::array<double, kJudged> {
  using std::array<double, kJudged>::operator[];
  double& operator[](Judged what) { return (*this)[static_cast<std::size_t>(what)]; }
  double operator[](Judged what) const { return (*this)[static_cast<std::size_t>(what)]; }
};
constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr JudgedNumbers kNoLimits{
    {kNoLimit, kNoLimit, kNoLimit, kNoLimit, kNoLimit, kNoLimit, kNoLimit}};

// Limits that a user sets; below 0: the method's own.
constexpr JudgedNumbers kAsPromised{{-1, -1, -1, -1, -1, -1, -1}};

// The part of the motion that is judged. Sampled: whether bodies overlap in one of kOneIn flights
// of each pair, which a hash of the pair and the time chooses; energy, momentum and joints in full.
enum class AuditCoverage { Full, Sampled, Off };
constexpr std::array<std::string_view, 3> kAuditCoverageNames = {"full", "sampled", "off"};
constexpr int kOneIn = 10;

struct AuditResult {
  double max_penetration = 0;                    // m
  double max_joint_gap = 0, max_joint_turn = 0;  // m, rad
  double max_joint_error = 0;                    // the larger of these two numbers
  double energy_initial = 0, energy_final = 0;
  double energy_max_gain = 0;      // J; beyond the work of driven bodies
  double energy_dissipated = 0;    // J; at impacts and by carried friction
  double energy_ledger_error = 0;  // J; what the ledger fails to explain
  double momentum_error = 0;       // N s
  double angular_momentum_error = 0;
  JudgedNumbers limits = kNoLimits;
  AuditCoverage coverage = AuditCoverage::Full;

  // The part of the flights of pairs that is judged for overlaps.
  double fraction() const {
    if (coverage == AuditCoverage::Off) return 0;
    return coverage == AuditCoverage::Full ? 1 : 1.0 / kOneIn;
  }
  JudgedNumbers found() const {
    return {{max_penetration, max_joint_gap, max_joint_turn, energy_max_gain, energy_ledger_error,
             momentum_error, angular_momentum_error}};
  }
  // A number that is not one exceeds every limit but none.
  bool exceeds(Judged what) const {
    return limits[what] < kNoLimit && !(found()[what] <= limits[what]);
  }
  bool passed() const {
    for (std::size_t i = 0; i < kJudged; ++i)
      if (exceeds(static_cast<Judged>(i))) return false;
    return true;
  }
  std::string_view verdict() const {
    if (coverage == AuditCoverage::Off) return "off";
    return passed() ? "passed" : "failed";
  }
};

}  // namespace carom::record
