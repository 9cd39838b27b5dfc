// carom help TOPIC: a command, a method or an impact law, all from the tables that also make them.
#include <fmt/format.h>

#include <algorithm>

#include "carom/base/diagnostics.h"
#include "carom/methods/abilities.h"
#include "carom/methods/registry.h"
#include "carom/model/method_check.h"
#include "carom/simulation/simulation.h"
#include "commands.h"

namespace carom::cli {

namespace {

using model::MethodDescription;
using model::SettingDescription;

std::string value_text(const model::SettingValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{:g}", *number);
  return std::get<std::string>(value);
}

std::string condition_of(const model::Condition& condition) {
  if (condition.key.empty()) return "";
  return fmt::format("; {} with {} = {}", condition.differs ? "not" : "only", condition.key,
                     condition.value);
}

void print_setting(const SettingDescription& setting) {
  fmt::print("  {} = {}  ({})\n      {}{}\n", setting.key, value_text(setting.fallback),
             model::describe_allowed(setting), setting.help, condition_of(setting.only_if));
}

std::string abilities_of(const MethodDescription& method) {
  std::string can, cannot;
  for (const methods::Ability ability : methods::kAbilities) {
    std::string& list = methods::has({method.name, {}}, ability) ? can : cannot;
    list += (list.empty() ? "" : ", ") + std::string(methods::name_of(ability));
  }
  return fmt::format("Beside contacts and friction it simulates: {}. It refuses: {}.\n",
                     can.empty() ? "nothing" : can, cannot.empty() ? "nothing" : cannot);
}

bool has_law(const MethodDescription& method, const std::string& law) {
  const auto impact = std::ranges::find(method.settings, "impact", &SettingDescription::key);
  return impact != method.settings.end() && std::ranges::count(impact->choices, law) > 0;
}

void print_method(const MethodDescription& method) {
  fmt::print("{}: {}\n\n", method.name, method.summary);
  fmt::print(
      "Settings, with defaults; in a scene under \"method\", or by --set /method/KEY=VALUE:\n");
  for (const SettingDescription& setting : methods::own_settings(method)) print_setting(setting);
  bool any = false;
  for (const impact::LawDescription& law : impact::laws()) {
    if (!has_law(method, law.name)) continue;
    if (!any) fmt::print("\nImpact laws; carom help LAW lists the settings of one:\n");
    any = true;
    fmt::print("  {:<13} {}\n", law.name, law.summary);
  }
  fmt::print("\n{}More: docs/methods/{}.md\n", abilities_of(method), method.name);
}

void print_law(const impact::LawDescription& law) {
  std::vector<std::string> users;
  for (const MethodDescription& method : simulation::catalog()) {
    if (has_law(method, law.name)) users.push_back(method.name);
  }
  fmt::print("{}: {}\n\nAn impact law of {}; chosen by --impact {}.\n\nSettings, with defaults:\n",
             law.name, law.summary, fmt::join(users, ", "), law.name);
  for (const SettingDescription& setting : law.settings) print_setting(setting);
  fmt::print("\nMore: docs/methods/{}.md\n", law.name);
}

std::vector<std::string> topics(const Parser& parser) {
  std::vector<std::string> names = parser.command_names();
  for (const MethodDescription& method : simulation::catalog()) names.push_back(method.name);
  std::ranges::copy(impact::law_names(), std::back_inserter(names));
  return names;
}

void print_topic(const Parser& parser, const std::string& topic) {
  const auto& laws = impact::laws();
  const auto law = std::ranges::find(laws, topic, &impact::LawDescription::name);
  if (const auto command = parser.find_command(topic)) {
    fmt::print("{}", command->help(parser.name()));
  } else if (const auto* method = model::find_method(simulation::catalog(), topic)) {
    print_method(*method);
  } else if (law != laws.end()) {
    print_law(*law);
  } else {
    throw base::BadInput({{.place = "carom help " + topic,
                           .found = '"' + topic + '"',
                           .expected = "a command, a method or an impact law: " +
                                       fmt::format("{}", fmt::join(topics(parser), ", ")),
                           .hint = base::find_nearest_name(topic, topics(parser))}});
  }
}

}  // namespace

std::string list_methods() {
  std::string text = "Methods (carom help METHOD: its settings, defaults and limits):\n";
  for (const MethodDescription& method : simulation::catalog())
    text += fmt::format("  {:<15} {}\n", method.name, method.summary);
  return text +
         fmt::format("Impact laws (carom help LAW): {}\n", fmt::join(impact::law_names(), ", "));
}

void add_help_command(Parser& parser, int& status) {
  auto topic = std::make_shared<std::string>();
  Command command = parser.add_command("help", "Explain a command, a method or an impact law");
  command.add_option("TOPIC", *topic, "Its name; without one, the commands");
  command.add_footer(list_methods());
  command.on_call([topic, &parser, &status] {
    if (topic->empty()) {
      fmt::print("{}", parser.help());
    } else {
      print_topic(parser, *topic);
    }
    status = 0;
  });
}

}  // namespace carom::cli
