// One object of a scene file, read key by key. Making the reader reports keys that the format does
// not have and required ones that are missing; reading a value reports a wrong type and leaves the
// target as it was. So a specification starts with its defaults and is filled in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/io/json_value.h"
#include "carom/io/scene_format.h"
#include "carom/model/scene_builder.h"

namespace carom::io {

class ObjectReader {
 public:
  ObjectReader(const JsonValue& object, std::string place, const ObjectFormat& format,
               model::SceneBuilder& problems);

  const JsonValue* find(std::string_view key) const { return object_.find(key); }
  std::string at(std::string_view key) const { return pointer_to(place_, key); }
  const std::string& place() const { return place_; }
  model::SceneBuilder& builder() const { return builder_; }

  void require(std::string_view key) const;
  void fail(std::string_view key, std::string found, std::string expected,
            std::string hint = {}) const;

  // True when the key is there and its value was read.
  bool read(std::string_view key, bool& out) const;
  bool read(std::string_view key, double& out) const;
  bool read(std::string_view key, std::string& out) const;
  bool read(std::string_view key, Vec3& out) const;
  bool read(std::string_view key, Quat& out) const;  // [w, x, y, z] or {"axis", "angle"}
  bool read(std::string_view key, std::array<std::string, 2>& out) const;
  bool read(std::string_view key, std::vector<std::string>& out) const;  // at least one name
  template <typename T>
  bool read(std::string_view key, std::optional<T>& out) const {
    T value{};
    if (!read(key, value)) return false;
    out = value;
    return true;
  }

  bool read_numbers(std::string_view key, std::vector<double>& out, std::size_t count) const;

  // The number of the choice, or nothing.
  std::optional<std::size_t> read_choice(std::string_view key,
                                         const std::vector<std::string>& choices) const;

  // The list under the key, or an empty one.
  const JsonValue::Array& list(std::string_view key) const;

 private:
  const JsonValue& object_;
  std::string place_;
  model::SceneBuilder& builder_;
};

// Reports `value` where it is no number.
bool read_number(const JsonValue& value, const std::string& place, double& out,
                 model::SceneBuilder& problems);
bool read_point(const JsonValue& value, const std::string& place, Vec3& out,
                model::SceneBuilder& problems);

// The type of an object, one of `names`: it decides which keys there are, so it is looked up before
// the object is read.
std::optional<std::string> read_type(const JsonValue& value, const std::string& place,
                                     const std::vector<std::string>& names,
                                     model::SceneBuilder& problems);

std::string list_of(const std::vector<std::string>& names);  // "a", "b" or "c"

}  // namespace carom::io
