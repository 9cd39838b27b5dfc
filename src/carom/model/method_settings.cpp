#include "carom/model/method_settings.h"

#include "carom/base/check.h"

namespace carom::model {

namespace {

template <typename T>
T value_or(const MethodSettings& settings, const std::string& key, const T& fallback) {
  const auto found = settings.options.find(key);
  if (found == settings.options.end()) return fallback;
  const T* value = std::get_if<T>(&found->second);
  base::check(value != nullptr, "a setting has the kind its catalog entry states");
  return *value;
}

}  // namespace

double MethodSettings::number(const std::string& key, double fallback) const {
  return value_or(*this, key, fallback);
}

bool MethodSettings::flag(const std::string& key, bool fallback) const {
  return !word(key).empty() || value_or(*this, key, fallback);
}

std::string MethodSettings::text(const std::string& key, const std::string& fallback) const {
  return value_or(*this, key, fallback);
}

std::string MethodSettings::word(const std::string& key) const {
  const auto found = options.find(key);
  const auto* value = found != options.end() ? std::get_if<std::string>(&found->second) : nullptr;
  return value != nullptr ? *value : std::string();
}

const MethodDescription* find_method(const MethodCatalog& catalog, std::string_view name) {
  for (const MethodDescription& method : catalog) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

}  // namespace carom::model
