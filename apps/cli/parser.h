// The words of a command line: commands and their options. CLI11 does the work, in parser.cpp
// alone: its headers cost a compiler more than most of what is written with them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace carom::cli {

class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& required();
  Option& one_at_a_time();  // for lists: the option again before each value
  Option& divided_at(char delimiter);
  Option& positive();
  Option& between(int least, int most);
  Option& needs(const Option& other);
  Option& shows_default();

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  // A value is one of those that parser.cpp lists, and outlives the parser.
  template <typename Value>
  Option add_option(const std::string& name, Value& value, const std::string& help);
  Option add_flag(const std::string& name, bool& value, const std::string& help);
  void add_footer(const std::string& text);
  void on_call(std::function<void()> action);

  std::string name() const;
  std::string help(const std::string& program) const;
  std::vector<std::string> options() const;  // those of the form --name

 private:
  CLI::App* app_;
};

// What was typed is no call of a command.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Parser {
 public:
  struct Program {
    std::string name, about, version, footer;
  };
  explicit Parser(const Program& program);
  ~Parser();

  Command add_command(const std::string& name, const std::string& about);
  std::optional<Command> find_command(const std::string& name) const;
  std::vector<std::string> command_names() const;
  std::string name() const;  // of the program
  std::string help() const;
  std::vector<std::string> options() const { return Command(*app_).options(); }

  // Calls a command, or prints the help or the version that is asked for. Throws UsageError.
  void parse(std::span<char*> arguments);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace carom::cli
