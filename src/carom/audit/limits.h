// What each method promises, and the limits that follow for one scene and the motion it had. Every
// promise is a part of a scale of the scene's own, so that a scene in millimetres is judged as the
// same one in metres.
#pragma once

#include <string_view>

#include "carom/audit/ledger.h"
#include "carom/audit/scales.h"
#include "carom/record/audit_result.h"

namespace carom::audit {

// Parts of the scales, for one method. Where its error is controlled, joints and books are off by
// the errors of many steps: kManySteps times its `tolerance`.
struct Promise {
  std::string_view method;
  double penetration;          // of the length
  double joints;               // of the length, and in rad
  double books;                // of energy and momentum
  double angular_momentum;     // of that
  double gain;                 // of energy, beside that, where forces act
  double usual_tolerance = 0;  // of a step; 0: its error is not controlled
};
constexpr double kManySteps = 1000;
Promise promise_of(const model::MethodSettings& method);

// indentation: m; as deep as the energy about can press what is elastic.
record::JudgedNumbers compute_limits(const Scene& scene, const Scales& scales, double indentation);

// For forces of the scene that a method of constant forces keeps over its steps as those of their
// middle, to second order.
void allow_held_forces(const Scene& scene, const LedgerTotals& totals,
                       record::JudgedNumbers& limits);

// Takes the limits that a user sets.
void tolerate(const record::JudgedNumbers& tolerated, record::JudgedNumbers& limits);

}  // namespace carom::audit
