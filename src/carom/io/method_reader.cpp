#include "carom/io/method_reader.h"

#include "carom/model/method_check.h"
#include "carom/model/problems.h"

namespace carom::io {

namespace {

using model::SettingDescription;
using model::SettingKind;

// A word in the place of a number; false where it is no word.
bool read_word(const ObjectReader& reader, const SettingDescription& setting,
               model::MethodSettings& settings) {
  const JsonValue* given = reader.find(setting.key);
  const auto* text = given != nullptr ? given->as<std::string>() : nullptr;
  if (text == nullptr) return false;
  if (model::is_allowed(setting, *text)) {
    settings.options[setting.key] = *text;
  } else {
    reader.fail(setting.key, model::quoted(*text), model::describe_allowed(setting));
  }
  return true;
}

void read_number(const ObjectReader& reader, const SettingDescription& setting,
                 model::MethodSettings& settings) {
  if (!setting.choices.empty() && read_word(reader, setting, settings)) return;
  double number = 0;
  if (!reader.read(setting.key, number)) return;
  if (model::is_allowed(setting, number)) {
    settings.options[setting.key] = number;
  } else {
    reader.fail(setting.key, model::describe(number), model::describe_allowed(setting));
  }
}

// Where words are allowed as well, a message names them beside true and false.
void read_flag(const ObjectReader& reader, const SettingDescription& setting,
               model::MethodSettings& settings) {
  const JsonValue* given = reader.find(setting.key);
  if (given == nullptr) return;
  const auto* word = given->as<std::string>();
  if (const auto* flag = given->as<bool>()) {
    settings.options[setting.key] = *flag;
  } else if (word != nullptr && model::is_allowed(setting, *word)) {
    settings.options[setting.key] = *word;
  } else {
    reader.fail(setting.key, describe(*given), model::describe_allowed(setting));
  }
}

void read_setting(const ObjectReader& reader, const SettingDescription& setting,
                  model::MethodSettings& settings) {
  switch (setting.kind) {
    case SettingKind::Flag:
      return read_flag(reader, setting, settings);
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

}  // namespace

model::MethodSettings read_method(const JsonValue& value, const std::string& place,
                                  const model::MethodCatalog& catalog,
                                  model::SceneBuilder& problems) {
  model::MethodSettings settings;
  const auto* method = find_description(value, place, catalog, problems);
  if (method == nullptr) return settings;
  settings.name = method->name;
  const std::vector<SettingDescription> known = model::known_settings(*method, catalog);
  ObjectFormat format{"method", {}, {"name"}};
  for (const SettingDescription& setting : known) format.optional.push_back(setting.key);
  const ObjectReader reader(value, place, format, problems);
  for (const SettingDescription& setting : known) read_setting(reader, setting, settings);
  return settings;
}

}  // namespace carom::io
