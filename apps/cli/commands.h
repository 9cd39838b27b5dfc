// One function per command: each adds its options to the parser and, when called, sets the exit
// status.
#pragma once

#include <string>

#include "parser.h"

namespace carom::cli {

void add_run_command(Parser& parser, int& status);
void add_view_command(Parser& parser, int& status);
void add_check_command(Parser& parser, int& status);
void add_demo_command(Parser& parser, int& status);
void add_reproduce_command(Parser& parser, int& status);
void add_compare_command(Parser& parser, int& status);
void add_trust_command(Parser& parser, int& status);
void add_help_command(Parser& parser, int& status);

std::string list_methods();  // and impact laws, a line each, for a command's help

}  // namespace carom::cli
