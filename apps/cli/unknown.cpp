#include "unknown.h"

#include <unistd.h>

#include <algorithm>

#include "carom/base/diagnostics.h"

namespace carom::cli {

namespace {

std::string question(const std::string& given, const std::vector<std::string>& names) {
  const std::string nearest = base::find_nearest_name(given, names);
  return nearest.empty() || nearest == given ? "" : "; did you mean \"" + nearest + "\"?";
}

}  // namespace

void run_other_program(const Parser& parser, std::span<char*> arguments) {
  if (arguments.size() < 2 || parser.find_command(arguments[1])) return;
  const std::string name = arguments[1];
  if (name.empty() || name.front() == '-' || name.find('/') != std::string::npos) return;
  const std::string program = "carom-" + name;
  std::vector<char*> rest(arguments.begin() + 1, arguments.end());
  rest.push_back(nullptr);
  execvp(program.c_str(), rest.data());
}

std::string nearest_name(const Parser& parser, std::span<char*> arguments) {
  if (arguments.size() < 2) return {};
  const auto command = parser.find_command(arguments[1]);
  if (!command && arguments[1][0] != '-') return question(arguments[1], parser.command_names());
  const std::vector<std::string> names = command ? command->options() : parser.options();
  for (const char* argument : arguments.subspan(1)) {
    const std::string name = std::string(argument).substr(0, std::string(argument).find('='));
    if (name.starts_with("--") && std::ranges::count(names, name) == 0)
      return question(name, names);
  }
  return {};
}

}  // namespace carom::cli
