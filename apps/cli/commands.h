// One function per command: each adds its options to the parser and, when called, sets the exit
// status.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace carom::cli {

void add_run_command(CLI::App& app, int& status);
void add_view_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_demo_command(CLI::App& app, int& status);
void add_reproduce_command(CLI::App& app, int& status);
void add_compare_command(CLI::App& app, int& status);
void add_trust_command(CLI::App& app, int& status);
void add_help_command(CLI::App& app, int& status);

std::string list_methods();  // and impact laws, a line each, for a command's help
const CLI::App* find_command(const CLI::App& app, const std::string& name);  // or null
std::vector<std::string> command_names(const CLI::App& app);

}  // namespace carom::cli
