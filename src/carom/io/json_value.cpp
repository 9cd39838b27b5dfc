#include "carom/io/json_value.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/model/problems.h"

namespace carom::io {

namespace {

template <typename Value>
Value* find_key(Value& object, std::string_view key) {
  auto* members = object.template as<JsonValue::Object>();
  if (members == nullptr) return nullptr;
  for (auto& [name, value] : *members) {
    if (name == key) return &value;
  }
  return nullptr;
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const { return find_key(*this, key); }
JsonValue* JsonValue::find(std::string_view key) { return find_key(*this, key); }

namespace {

using Json = nlohmann::ordered_json;

// Whole numbers are written without a fraction, as people write them; -0 keeps its sign.
Json number_to_json(double number) {
  constexpr double kExact = 0x1p53;
  const bool whole = std::abs(number) < kExact && number == std::trunc(number);
  if (!whole || (number == 0 && std::signbit(number))) return number;
  return static_cast<std::int64_t>(number);
}

struct ToJson {
  Json operator()(std::nullptr_t) const { return nullptr; }
  Json operator()(bool flag) const { return flag; }
  Json operator()(double number) const { return number_to_json(number); }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(const JsonValue::Array& array) const {
    Json json = Json::array();
    for (const JsonValue& element : array) json.push_back(std::visit(*this, element.data));
    return json;
  }
  Json operator()(const JsonValue::Object& object) const {
    Json json = Json::object();
    for (const auto& [key, value] : object) json[key] = std::visit(*this, value.data);
    return json;
  }
};

struct Describe {
  std::string operator()(std::nullptr_t) const { return "null"; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(double number) const { return model::describe(number); }
  std::string operator()(const std::string& text) const { return model::quoted(text); }
  std::string operator()(const JsonValue::Array& array) const {
    return "a list of " + std::to_string(array.size()) + (array.size() == 1 ? " value" : " values");
  }
  std::string operator()(const JsonValue::Object&) const { return "an object"; }
};

}  // namespace

std::string dump_json(const JsonValue& value) { return std::visit(ToJson{}, value.data).dump(2); }

std::string describe(const JsonValue& value) { return std::visit(Describe{}, value.data); }

}  // namespace carom::io
