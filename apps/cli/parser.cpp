#include "parser.h"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace carom::cli {

namespace {

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::one_at_a_time() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::divided_at(char delimiter) {
  option_->delimiter(delimiter);
  return *this;
}

Option& Option::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}

Option& Option::between(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::needs(const Option& other) {
  option_->needs(other.option_);
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

template <typename Value>
Option Command::add_option(const std::string& name, Value& value, const std::string& help) {
  return Option(*app_->add_option(name, value, help));
}
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::filesystem::path&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::string>&,
                                    const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::filesystem::path>&,
                                    const std::string&);
template Option Command::add_option(const std::string&, std::vector<double>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&,
                                    const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::filesystem::path>&,
                                    const std::string&);

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Option(*app_->add_flag(name, value, help));
}

void Command::add_footer(const std::string& text) { app_->footer(text); }

void Command::on_call(std::function<void()> action) { app_->callback(std::move(action)); }

std::string Command::name() const { return app_->get_name(); }

std::string Command::help(const std::string& program) const { return app_->help(program); }

std::vector<std::string> Command::options() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

Parser::Parser(const Program& program)
    : app_(std::make_unique<CLI::App>(program.about, program.name)) {
  app_->set_version_flag("--version", program.version);
  app_->footer(program.footer);
  app_->require_subcommand(1);
}

Parser::~Parser() = default;

Command Parser::add_command(const std::string& name, const std::string& about) {
  return Command(*app_->add_subcommand(name, about));
}

std::optional<Command> Parser::find_command(const std::string& name) const {
  for (CLI::App* command : commands_of(*app_))
    if (command->get_name() == name) return Command(*command);
  return std::nullopt;
}

std::vector<std::string> Parser::command_names() const {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(*app_)) names.push_back(command->get_name());
  return names;
}

std::string Parser::name() const { return app_->get_name(); }

std::string Parser::help() const {
  return app_->get_formatter()->make_help(app_.get(), name(), CLI::AppFormatMode::Normal);
}

void Parser::parse(std::span<char*> arguments) {
  try {
    app_->parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success))
      throw UsageError(error.what());
    app_->exit(error);
  }
}

}  // namespace carom::cli
