#include <charconv>
#include <optional>

#include "carom/base/diagnostics.h"
#include "carom/io/json_value.h"

namespace carom::io {

namespace {

// The parts of "/bodies/2/mass", unescaped.
std::vector<std::string> split(std::string_view pointer) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    const char c = pointer[i];
    if (c == '/') {
      parts.emplace_back();
    } else if (c == '~' && i + 1 < pointer.size()) {
      parts.back() += pointer[++i] == '1' ? '/' : '~';
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::optional<std::size_t> find_index(const std::string& part, std::size_t size) {
  std::size_t index = 0;
  const char* end = part.data() + part.size();
  const auto [stop, error] = std::from_chars(part.data(), end, index);
  if (part.empty() || error != std::errc() || stop != end || index >= size) return std::nullopt;
  return index;
}

template <typename Value>
Value* find_child(Value& value, const std::string& part) {
  auto* array = value.template as<JsonValue::Array>();
  if (array == nullptr) return value.find(part);
  const auto index = find_index(part, array->size());
  return index ? &(*array)[*index] : nullptr;
}

std::vector<std::string> keys_of(const JsonValue& value) {
  std::vector<std::string> keys;
  if (const auto* object = value.as<JsonValue::Object>()) {
    for (const auto& [key, child] : *object) keys.push_back(key);
  }
  return keys;
}

[[noreturn]] void fail(const std::string& pointer, std::string found, std::string expected,
                       std::string hint = {}) {
  throw base::BadInput({{pointer, std::move(found), std::move(expected), std::move(hint), {}}});
}

std::string range_of(const JsonValue::Array& array) {
  if (array.empty()) return "index 0 (the list is empty)";
  return "an index from 0 to " + std::to_string(array.size() - 1);
}

void set_element(JsonValue& list, const std::string& part, const std::string& pointer,
                 JsonValue value) {
  auto& array = *list.as<JsonValue::Array>();
  if (part == "-" || part == std::to_string(array.size())) {
    list.line = value.line;  // how long the list is was now said there
    array.push_back(std::move(value));
    return;
  }
  const auto index = find_index(part, array.size());
  if (!index) fail(pointer, "index \"" + part + "\"", range_of(array) + ", or - to append");
  array[*index] = std::move(value);
}

JsonValue& step_into(JsonValue& value, const std::string& part, const std::string& pointer) {
  if (JsonValue* child = find_child(value, part)) return *child;
  if (const auto* array = value.as<JsonValue::Array>()) {
    fail(pointer, "no element \"" + part + "\"", range_of(*array));
  }
  if (value.as<JsonValue::Object>() == nullptr) {
    fail(pointer, describe(value) + " before \"" + part + "\"", "an object or a list");
  }
  fail(pointer, "no key \"" + part + "\"", "a pointer to a value of an existing object",
       base::find_nearest_name(part, keys_of(value)));
}

}  // namespace

std::string pointer_to(const std::string& parent, std::string_view key) {
  std::string pointer = parent + '/';
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::string pointer_to(const std::string& parent, std::size_t index) {
  return parent + '/' + std::to_string(index);
}

int find_line(const JsonValue& document, std::string_view pointer) {
  const JsonValue* value = &document;
  if (!pointer.starts_with('/')) return value->line;
  for (const std::string& part : split(pointer)) {
    const JsonValue* child = find_child(*value, part);
    if (child == nullptr) break;
    value = child;
  }
  return value->line;
}

const JsonValue* find_value(const JsonValue& document, std::string_view pointer) {
  if (!pointer.starts_with('/')) return pointer.empty() ? &document : nullptr;
  const JsonValue* value = &document;
  for (const std::string& part : split(pointer)) {
    if (value == nullptr) break;
    value = find_child(*value, part);
  }
  return value;
}

void set_value(JsonValue& document, const std::string& pointer, JsonValue value) {
  if (!pointer.starts_with('/'))
    fail(pointer, "\"" + pointer + "\"", "a pointer such as /bodies/0/mass");
  const std::vector<std::string> parts = split(pointer);
  JsonValue* parent = &document;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    parent = &step_into(*parent, parts[i], pointer);
  }
  if (parent->as<JsonValue::Array>() != nullptr) {
    return set_element(*parent, parts.back(), pointer, std::move(value));
  }
  auto* object = parent->as<JsonValue::Object>();
  if (object == nullptr) fail(pointer, describe(*parent), "an object or a list to set a value in");
  if (JsonValue* old = parent->find(parts.back())) {
    *old = std::move(value);
  } else {
    object->emplace_back(parts.back(), std::move(value));
  }
}

}  // namespace carom::io
