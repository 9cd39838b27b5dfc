// How the scene wants to be simulated, as plain data. The model does not know the methods: whoever
// reads a scene is handed a catalog of what exists, which also feeds the help and the
// documentation.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace carom::model {

using SettingValue = std::variant<bool, double, std::string>;

struct MethodSettings {
  std::string name = "zeno-free";
  std::map<std::string, SettingValue> options;  // every key is in the method's catalog entry

  // The value set in the scene, else the fallback. A word in the place of a flag says how, so that
  // the flag is true.
  double number(const std::string& key, double fallback) const;
  bool flag(const std::string& key, bool fallback) const;
  std::string text(const std::string& key, const std::string& fallback) const;
  // The word set in the scene, of a choice or in the place of a flag or a number; else empty.
  std::string word(const std::string& key) const;
};

enum class SettingKind { Flag, Number, Choice };

// A setting that counts only where another has a certain value, or where it has another one.
struct Condition {
  std::string key{}, value{};
  bool differs = false;
};

struct SettingDescription {
  std::string key;
  SettingKind kind = SettingKind::Number;
  SettingValue fallback;
  double above = 0;                    // numbers: must be > above
  double at_most = 1e300;              // and <= at_most
  std::vector<std::string> choices{};  // choices: one of these; flags, numbers: or one of these
  std::string help{};
  Condition only_if{};  // without a key: always
};

struct MethodDescription {
  std::string name;
  std::string summary;
  std::vector<SettingDescription> settings;
};

using MethodCatalog = std::vector<MethodDescription>;

const MethodDescription* find_method(const MethodCatalog& catalog, std::string_view name);

}  // namespace carom::model
