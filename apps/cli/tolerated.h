// `--tolerate NAME=VALUE`: limits of the audit that a user sets.
#pragma once

#include <string>

#include "carom/record/audit_result.h"

namespace carom::cli {

// Throws base::BadInput for a name that nothing has, or a value that is no limit.
void parse_tolerated(const std::string& text, record::JudgedNumbers& tolerated);

}  // namespace carom::cli
