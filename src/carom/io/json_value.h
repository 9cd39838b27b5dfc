// JSON as the scene reader needs it: values that know the line they stand on, keys in the order of
// the file, // comments allowed. Parsing is strict: duplicate keys, numbers outside the range of a
// double, invalid UTF-8, nesting deeper than 64 and texts over 256 MB are errors.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace carom::io {

struct JsonMember;

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;

  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> data;
  int line = 0;  // 1-based; 0 for a value that came from the command line

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  template <typename T>
  T* as() {
    return std::get_if<T>(&data);
  }
  const JsonValue* find(std::string_view key) const;  // null: no object, or no such key
  JsonValue* find(std::string_view key);
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

// Throws base::BadInput with the line, where the text is not JSON.
JsonValue parse_json(std::string_view text);

std::string dump_json(const JsonValue& value);  // two spaces an indent

// What stands there, for a message: -1, "heavy", a list of 3 values.
std::string describe(const JsonValue& value);

// JSON pointers (RFC 6901). A '/' in a key is written ~1, a '~' is written ~0.
std::string pointer_to(const std::string& parent, std::string_view key);
std::string pointer_to(const std::string& parent, std::size_t index);

// The line of the value at the pointer, or of its nearest enclosing value that exists.
int find_line(const JsonValue& document, std::string_view pointer);

// Null where there is nothing.
const JsonValue* find_value(const JsonValue& document, std::string_view pointer);

// Replaces or adds one value. Throws base::BadInput where the pointer's parent does not exist.
void set_value(JsonValue& document, const std::string& pointer, JsonValue value);

}  // namespace carom::io
