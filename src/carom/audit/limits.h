// The limits that follow from what a method promises for one scene and the motion it had.
#pragma once

#include "carom/audit/ledger.h"
#include "carom/audit/promises.h"
#include "carom/audit/scales.h"
#include "carom/record/audit_result.h"

namespace carom::audit {

// indentation: m; as deep as the energy about can press what is elastic.
record::JudgedNumbers compute_limits(const Scene& scene, const Scales& scales, double indentation);

// For forces of the scene that a method of constant forces keeps over its steps as those of their
// middle, to second order.
void allow_held_forces(const Scene& scene, const LedgerTotals& totals,
                       record::JudgedNumbers& limits);

// For energy that only passes through: what driven bodies put in and impacts take out, be it far
// more than bodies ever have.
void allow_round_off(const LedgerTotals& totals, record::JudgedNumbers& limits);

// Takes the limits that a user sets.
void tolerate(const record::JudgedNumbers& tolerated, record::JudgedNumbers& limits);

}  // namespace carom::audit
