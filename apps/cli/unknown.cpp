#include "unknown.h"

#include <unistd.h>

#include <algorithm>

#include "carom/base/diagnostics.h"
#include "commands.h"

namespace carom::cli {

namespace {

std::string question(const std::string& given, const std::vector<std::string>& names) {
  const std::string nearest = base::find_nearest_name(given, names);
  return nearest.empty() || nearest == given ? "" : "; did you mean \"" + nearest + "\"?";
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

void run_other_program(const CLI::App& app, std::span<char*> arguments) {
  if (arguments.size() < 2 || find_command(app, arguments[1]) != nullptr) return;
  const std::string name = arguments[1];
  if (name.empty() || name.front() == '-' || name.find('/') != std::string::npos) return;
  const std::string program = "carom-" + name;
  std::vector<char*> rest(arguments.begin() + 1, arguments.end());
  rest.push_back(nullptr);
  execvp(program.c_str(), rest.data());
}

std::string nearest_name(const CLI::App& app, std::span<char*> arguments) {
  if (arguments.size() < 2) return {};
  const CLI::App* command = find_command(app, arguments[1]);
  if (command == nullptr && arguments[1][0] != '-')
    return question(arguments[1], command_names(app));
  const std::vector<std::string> names = options_of(command == nullptr ? app : *command);
  for (const char* argument : arguments.subspan(1)) {
    const std::string name = std::string(argument).substr(0, std::string(argument).find('='));
    if (name.starts_with("--") && std::ranges::count(names, name) == 0)
      return question(name, names);
  }
  return {};
}

}  // namespace carom::cli
