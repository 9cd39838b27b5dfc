#include "carom/io/method_reader.h"

#include <algorithm>

#include "carom/model/problems.h"

namespace carom::io {

namespace {

using model::SettingDescription;
using model::SettingKind;

std::string range_of(const SettingDescription& setting) {
  constexpr double kNoLimit = 1e300;
  std::string above = "a number > " + model::describe(setting.above);
  if (setting.at_most >= kNoLimit) return above;
  return above + " and <= " + model::describe(setting.at_most);
}

void read_number(const ObjectReader& reader, const SettingDescription& setting,
                 model::MethodSettings& settings) {
  double number = 0;
  if (!reader.read(setting.key, number)) return;
  if (number > setting.above && number <= setting.at_most) {
    settings.options[setting.key] = number;
  } else {
    reader.fail(setting.key, model::describe(number), range_of(setting));
  }
}

void read_setting(const ObjectReader& reader, const SettingDescription& setting,
                  model::MethodSettings& settings) {
  switch (setting.kind) {
    case SettingKind::Flag: {
      bool flag = false;
      if (reader.read(setting.key, flag)) settings.options[setting.key] = flag;
      return;
    }
    case SettingKind::Number:
      return read_number(reader, setting, settings);
    case SettingKind::Choice: {
      const auto choice = reader.read_choice(setting.key, setting.choices);
      if (choice) settings.options[setting.key] = setting.choices[*choice];
      return;
    }
  }
}

// The name decides which settings there are, so it is looked up before the object is read.
const model::MethodDescription* find_description(const JsonValue& value, const std::string& place,
                                                 const model::MethodCatalog& catalog,
                                                 model::SceneBuilder& problems) {
  std::string name = model::MethodSettings{}.name;
  std::vector<std::string> names;
  for (const model::MethodDescription& method : catalog) names.push_back(method.name);
  if (const JsonValue* given = value.find("name")) {
    const auto* text = given->as<std::string>();
    if (text == nullptr) {
      problems.report({place + "/name", describe(*given), list_of(names), {}, {}});
      return nullptr;
    }
    name = *text;
  }
  const model::MethodDescription* method = model::find_method(catalog, name);
  if (method != nullptr) return method;
  problems.report({place + "/name",
                   model::quoted(name),
                   list_of(names),
                   base::find_nearest_name(name, names),
                   {}});
  return nullptr;
}

// The method's own settings, then those of the others: one scene runs under every method, so a
// setting that only another method knows is checked all the same, and waits for it.
std::vector<SettingDescription> known_settings(const model::MethodDescription& method,
                                               const model::MethodCatalog& catalog) {
  std::vector<SettingDescription> known = method.settings;
  for (const model::MethodDescription& other : catalog) {
    for (const SettingDescription& setting : other.settings) {
      const bool listed =
          std::any_of(known.begin(), known.end(),
                      [&](const SettingDescription& one) { return one.key == setting.key; });
      if (!listed) known.push_back(setting);
    }
  }
  return known;
}

}  // namespace

model::MethodSettings read_method(const JsonValue& value, const std::string& place,
                                  const model::MethodCatalog& catalog,
                                  model::SceneBuilder& problems) {
  model::MethodSettings settings;
  const auto* method = find_description(value, place, catalog, problems);
  if (method == nullptr) return settings;
  settings.name = method->name;
  const std::vector<SettingDescription> known = known_settings(*method, catalog);
  ObjectFormat format{"method", {}, {"name"}};
  for (const SettingDescription& setting : known) format.optional.push_back(setting.key);
  const ObjectReader reader(value, place, format, problems);
  for (const SettingDescription& setting : known) read_setting(reader, setting, settings);
  return settings;
}

}  // namespace carom::io
