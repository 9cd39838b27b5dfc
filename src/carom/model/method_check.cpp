#include "carom/model/method_check.h"

#include <algorithm>

#include "carom/base/diagnostics.h"
#include "carom/model/problems.h"

namespace carom::model {

namespace {

std::string describe_value(const SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return describe(*number);
  return quoted(std::get<std::string>(value));
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + quoted(name);
  return "one of " + list;
}

base::Diagnostic unknown_method(const std::string& name, const MethodCatalog& catalog) {
  std::vector<std::string> names;
  for (const MethodDescription& method : catalog) names.push_back(method.name);
  return {.place = "/method/name",
          .found = quoted(name),
          .expected = list_of(names),
          .hint = base::find_nearest_name(name, names)};
}

void add_choices(const std::vector<std::string>& more, std::vector<std::string>& choices) {
  for (const std::string& choice : more) {
    if (std::ranges::count(choices, choice) == 0) choices.push_back(choice);
  }
}

}  // namespace

std::vector<SettingDescription> known_settings(const MethodDescription& method,
                                               const MethodCatalog& catalog) {
  std::vector<SettingDescription> known = method.settings;
  for (const MethodDescription& other : catalog) {
    for (const SettingDescription& setting : other.settings) {
      const auto listed = std::ranges::find(known, setting.key, &SettingDescription::key);
      if (listed == known.end()) {
        known.push_back(setting);
      } else {
        add_choices(setting.choices, listed->choices);
      }
    }
  }
  return known;
}

bool is_allowed(const SettingDescription& setting, const SettingValue& value) {
  if (std::holds_alternative<bool>(value)) return setting.kind == SettingKind::Flag;
  if (const auto* name = std::get_if<std::string>(&value))
    return std::ranges::count(setting.choices, *name) > 0;
  const double number = std::get<double>(value);
  return setting.kind == SettingKind::Number && number > setting.above && number <= setting.at_most;
}

std::string describe_allowed(const SettingDescription& setting) {
  constexpr double kNoLimit = 1e300;
  if (setting.kind == SettingKind::Choice) return list_of(setting.choices);
  std::string allowed = "true or false";
  if (setting.kind == SettingKind::Number) {
    allowed =
        setting.above == kFromZero ? "a number >= 0" : "a number > " + describe(setting.above);
    if (setting.at_most < kNoLimit) allowed += " and <= " + describe(setting.at_most);
  }
  for (const std::string& word : setting.choices) allowed += ", or " + quoted(word);
  return allowed;
}

void check_method(const MethodSettings& settings, const MethodCatalog& catalog) {
  const MethodDescription* method = find_method(catalog, settings.name);
  if (method == nullptr) throw base::BadInput({unknown_method(settings.name, catalog)});
  std::vector<std::string> names;
  std::vector<base::Diagnostic> problems;
  const std::vector<SettingDescription> known = known_settings(*method, catalog);
  for (const SettingDescription& setting : known) names.push_back(setting.key);
  for (const auto& [key, value] : settings.options) {
    const auto setting = std::ranges::find(known, key, &SettingDescription::key);
    if (setting == known.end()) {
      problems.push_back({.place = "/method/" + key,
                          .found = "an unknown setting",
                          .expected = list_of(names),
                          .hint = base::find_nearest_name(key, names)});
    } else if (!is_allowed(*setting, value)) {
      problems.push_back({.place = "/method/" + key,
                          .found = describe_value(value),
                          .expected = describe_allowed(*setting)});
    }
  }
  if (!problems.empty()) throw base::BadInput(std::move(problems));
}

}  // namespace carom::model
