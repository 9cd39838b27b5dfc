// What came of the claims: a table for a terminal, JSON for programs, a page for a browser.
#pragma once

#include <string>
#include <vector>

#include "claims.h"

namespace carom::cli {

void print_claims(const std::vector<Claim>& claims);  // before anything is measured
void print_outcomes(const std::vector<Claim>& claims, const std::vector<Outcome>& outcomes);

// A list of {paper, claim, expected, measured, tolerance, pass, scene}.
std::string outcomes_to_json(const std::vector<Claim>& claims,
                             const std::vector<Outcome>& outcomes);

// One page that needs nothing else.
std::string outcomes_to_html(const std::vector<Claim>& claims,
                             const std::vector<Outcome>& outcomes);

std::string count_line(const std::vector<Outcome>& outcomes);  // "12 passed, 0 failed"

}  // namespace carom::cli
