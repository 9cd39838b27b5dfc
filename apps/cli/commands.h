// One function per command: each adds its options to the parser and, when called, sets the exit
// status.
#pragma once

#include <CLI/CLI.hpp>

namespace carom::cli {

void add_run_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_demo_command(CLI::App& app, int& status);
void add_reproduce_command(CLI::App& app, int& status);

}  // namespace carom::cli
