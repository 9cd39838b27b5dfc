// What to do with a command or an option that carom does not have.
#pragma once

#include <span>
#include <string>

#include "parser.h"

namespace carom::cli {

// carom NAME …: where NAME is no command, becomes the program carom-NAME on the path, as git does,
// with all that follows. Returns where there is none.
void run_other_program(const Parser& parser, std::span<char*> arguments);

// The nearest command to the first argument, or the nearest option of that command to the first
// that it does not have, as a question; empty where nothing is near.
std::string nearest_name(const Parser& parser, std::span<char*> arguments);

}  // namespace carom::cli
