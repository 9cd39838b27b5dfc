#include "carom/io/object_reader.h"

#include <algorithm>

#include "carom/math/rotation.h"
#include "carom/model/problems.h"

namespace carom::io {

namespace {

bool read_numbers_at(const JsonValue& value, const std::string& place, std::size_t count,
                     std::vector<double>& out, model::SceneBuilder& problems) {
  const auto* list = value.as<JsonValue::Array>();
  if (list == nullptr || list->size() != count) {
    problems.report(
        {place, describe(value), "a list of " + std::to_string(count) + " numbers", {}, {}});
    return false;
  }
  std::vector<double> numbers(count);
  bool good = true;
  for (std::size_t i = 0; i < count; ++i) {
    good &= read_number((*list)[i], pointer_to(place, i), numbers[i], problems);
  }
  if (good) out = std::move(numbers);
  return good;
}

}  // namespace

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += model::quoted(names[i]);
  }
  return text;
}

bool read_number(const JsonValue& value, const std::string& place, double& out,
                 model::SceneBuilder& problems) {
  if (const double* number = value.as<double>()) {
    out = *number;
    return true;
  }
  problems.report({place, describe(value), "a number", {}, {}});
  return false;
}

bool read_point(const JsonValue& value, const std::string& place, Vec3& out,
                model::SceneBuilder& problems) {
  std::vector<double> numbers;
  if (!read_numbers_at(value, place, 3, numbers, problems)) return false;
  out = {numbers[0], numbers[1], numbers[2]};
  return true;
}

std::optional<std::string> read_type(const JsonValue& value, const std::string& place,
                                     const std::vector<std::string>& names,
                                     model::SceneBuilder& problems) {
  const std::string expected = list_of(names);
  if (value.as<JsonValue::Object>() == nullptr) {
    problems.report({place,
                     describe(value),
                     "an object such as {\"type\": \"" + names.front() + "\", …}",
                     {},
                     {}});
    return std::nullopt;
  }
  const JsonValue* type = value.find("type");
  const std::string* name = type != nullptr ? type->as<std::string>() : nullptr;
  if (name == nullptr) {
    problems.report(
        {place + "/type", type != nullptr ? describe(*type) : "nothing", expected, {}, {}});
    return std::nullopt;
  }
  if (std::ranges::count(names, *name) > 0) return *name;
  problems.report(
      {place + "/type", describe(*type), expected, base::find_nearest_name(*name, names), {}});
  return std::nullopt;
}

ObjectReader::ObjectReader(const JsonValue& object, std::string place, const ObjectFormat& format,
                           model::SceneBuilder& problems)
    : object_(object), place_(std::move(place)), builder_(problems) {
  const auto* members = object.as<JsonValue::Object>();
  if (members == nullptr) {
    builder_.report({place_, describe(object), "an object", {}, {}});
    return;
  }
  const std::vector<std::string> keys = format.keys();
  for (const auto& [key, value] : *members) {
    if (std::ranges::count(keys, key) > 0) continue;
    fail(key, "an unknown key", list_of(keys), base::find_nearest_name(key, keys));
  }
  for (const std::string& key : format.required) require(key);
}

void ObjectReader::require(std::string_view key) const {
  if (object_.as<JsonValue::Object>() == nullptr || find(key) != nullptr) return;
  fail(key, "nothing", "a value: " + model::quoted(key) + " is required");
}

void ObjectReader::fail(std::string_view key, std::string found, std::string expected,
                        std::string hint) const {
  builder_.report({at(key), std::move(found), std::move(expected), std::move(hint), {}});
}

bool ObjectReader::read(std::string_view key, bool& out) const {
  const JsonValue* value = find(key);
  if (value == nullptr) return false;
  const bool* flag = value->as<bool>();
  if (flag == nullptr) {
    fail(key, describe(*value), "true or false");
    return false;
  }
  out = *flag;
  return true;
}

bool ObjectReader::read(std::string_view key, double& out) const {
  const JsonValue* value = find(key);
  return value != nullptr && read_number(*value, at(key), out, builder_);
}

bool ObjectReader::read(std::string_view key, std::string& out) const {
  const JsonValue* value = find(key);
  if (value == nullptr) return false;
  const auto* text = value->as<std::string>();
  if (text == nullptr) {
    fail(key, describe(*value), "a text in quotes");
    return false;
  }
  out = *text;
  return true;
}

bool ObjectReader::read(std::string_view key, Vec3& out) const {
  const JsonValue* value = find(key);
  return value != nullptr && read_point(*value, at(key), out, builder_);
}

bool ObjectReader::read(std::string_view key, Quat& out) const {
  const JsonValue* value = find(key);
  if (value == nullptr) return false;
  if (value->as<JsonValue::Object>() != nullptr) {
    const ObjectReader turn(*value, at(key), format_of("axis_angle"), builder_);
    Vec3 axis;
    double angle = 0;
    const bool has_axis = turn.read("axis", axis);
    const bool has_angle = turn.read("angle", angle);
    if (!has_axis || !has_angle) return false;
    model::Problems checks(builder_, at(key));
    checks.check_direction("axis", axis);
    if (checks.any()) return false;
    out = math::quat_exp(angle * axis.normalized());
    return true;
  }
  if (value->as<JsonValue::Array>() == nullptr) {
    fail(key, describe(*value), R"([w, x, y, z] or {"axis": [x, y, z], "angle": radians})");
    return false;
  }
  std::vector<double> q;
  if (!read_numbers(key, q, 4)) return false;
  out = Quat(q[0], q[1], q[2], q[3]);
  return true;
}

bool ObjectReader::read(std::string_view key, std::vector<std::string>& out) const {
  const JsonValue* value = find(key);
  if (value == nullptr) return false;
  const auto* list = value->as<JsonValue::Array>();
  if (list == nullptr || list->empty()) {
    fail(key, describe(*value), "a list of names");
    return false;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto* name = (*list)[i].as<std::string>();
    if (name == nullptr) {
      builder_.report({pointer_to(at(key), i), describe((*list)[i]), "a name in quotes", {}, {}});
      return false;
    }
    names.push_back(*name);
  }
  out = std::move(names);
  return true;
}

bool ObjectReader::read(std::string_view key, std::array<std::string, 2>& out) const {
  const JsonValue* value = find(key);
  if (value == nullptr) return false;
  const auto* list = value->as<JsonValue::Array>();
  if (list == nullptr || list->size() != 2) {
    fail(key, describe(*value), "a list of 2 names");
    return false;
  }
  std::vector<std::string> names;
  if (!read(key, names)) return false;
  std::ranges::move(names, out.begin());
  return true;
}

bool ObjectReader::read_numbers(std::string_view key, std::vector<double>& out,
                                std::size_t count) const {
  const JsonValue* value = find(key);
  return value != nullptr && read_numbers_at(*value, at(key), count, out, builder_);
}

std::optional<std::size_t> ObjectReader::read_choice(
    std::string_view key, const std::vector<std::string>& choices) const {
  std::string name;
  if (!read(key, name)) return std::nullopt;
  const auto found = std::ranges::find(choices, name);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  fail(key, model::quoted(name), list_of(choices), base::find_nearest_name(name, choices));
  return std::nullopt;
}

const JsonValue::Array& ObjectReader::list(std::string_view key) const {
  static const JsonValue::Array kNone;
  const JsonValue* value = find(key);
  if (value == nullptr) return kNone;
  if (const auto* list = value->as<JsonValue::Array>()) return *list;
  fail(key, describe(*value), "a list");
  return kNone;
}

}  // namespace carom::io
