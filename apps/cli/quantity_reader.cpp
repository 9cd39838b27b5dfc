#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/io/object_reader.h"
#include "carom/io/summary_json.h"
#include "carom/model/problems.h"
#include "quantity.h"

namespace carom::cli {

namespace {

using io::JsonValue;
using io::ObjectReader;

const std::vector<io::ObjectFormat>& formats() {
  static const std::vector<io::ObjectFormat> table = {
      {"state", {"state", "component", "time"}, {}},
      {"acceleration", {"acceleration", "component", "time"}, {}},
      {"force", {"force", "field", "time"}, {"at"}},
      {"contacts", {"contacts", "field"}, {}},
      {"event", {"event", "nth", "field"}, {"between"}},
      {"sum", {"sum", "nth", "field"}, {"between"}},
      {"count", {"count"}, {"between"}},
      {"summary", {"summary"}, {}},
      {"ratio", {"ratio"}, {"to"}},
  };
  return table;
}

// A value alone counts as a list of one.
std::vector<const JsonValue*> one_or_many(const JsonValue& value) {
  const auto* list = value.as<JsonValue::Array>();
  if (list == nullptr) return {&value};
  std::vector<const JsonValue*> values;
  for (const JsonValue& element : *list) values.push_back(&element);
  return values;
}

bool is_word(const JsonValue& value, std::string_view word) {
  const auto* text = value.as<std::string>();
  return text != nullptr && *text == word;
}

std::vector<std::string> read_names(const ObjectReader& reader, std::string_view key) {
  std::vector<std::string> names;
  const JsonValue* value = reader.find(key);
  if (value == nullptr) return names;
  for (const JsonValue* each : one_or_many(*value)) {
    if (const auto* name = each->as<std::string>()) {
      names.push_back(*name);
    } else {
      reader.fail(key, describe(*each), "a name or a list of names");
    }
  }
  if (names.empty()) reader.fail(key, "no name", "at least one");
  return names;
}

void check_known(const ObjectReader& reader, std::string_view key,
                 const std::vector<std::string>& names, const std::vector<std::string>& known) {
  for (const std::string& name : names) {
    if (std::ranges::count(known, name) > 0) continue;
    reader.fail(key, model::quoted(name), io::list_of(known), base::find_nearest_name(name, known));
  }
}

Times read_times(const ObjectReader& reader) {
  const JsonValue* value = reader.find("time");
  if (value == nullptr || is_word(*value, "all")) return {};
  if (is_word(*value, "end")) return {.each = {}, .at_end = true};
  Times times;
  for (const JsonValue* each : one_or_many(*value)) {
    if (const double* time = each->as<double>()) {
      times.each.push_back(*time);
    } else {
      reader.fail("time", describe(*each), R"(seconds, a list of them, "end" or "all")");
    }
  }
  if (one_or_many(*value).empty()) reader.fail("time", "an empty list", "at least one time");
  return times;
}

// Of states and accelerations.
template <typename BodyQuantity>
BodyQuantity read_body_quantity(const ObjectReader& reader, const std::string& head,
                                const std::vector<std::string>& components) {
  BodyQuantity quantity{.bodies = read_names(reader, head),
                        .components = read_names(reader, "component"),
                        .times = read_times(reader)};
  check_known(reader, "component", quantity.components, components);
  return quantity;
}

// One point or a list of points.
std::vector<Vec3> read_points(const ObjectReader& reader) {
  const JsonValue* value = reader.find("at");
  if (value == nullptr) return {};
  const auto* list = value->as<JsonValue::Array>();
  const bool many =
      list != nullptr && !list->empty() && list->front().as<JsonValue::Array>() != nullptr;
  std::vector<const JsonValue*> points{value};
  if (many) points = one_or_many(*value);
  std::vector<Vec3> read;
  for (const JsonValue* point : points) {
    const auto* numbers = point->as<JsonValue::Array>();
    const bool good = numbers != nullptr && numbers->size() == 3 &&
                      std::ranges::all_of(*numbers, [](const JsonValue& number) {
                        return number.as<double>() != nullptr;
                      });
    if (good) {
      read.emplace_back(*(*numbers)[0].as<double>(), *(*numbers)[1].as<double>(),
                        *(*numbers)[2].as<double>());
    } else {
      reader.fail("at", describe(*point), "a point [x, y, z] or a list of points");
    }
  }
  return read;
}

ForceQuantity read_force(const ObjectReader& reader) {
  ForceQuantity quantity;
  const std::vector<std::string> names = read_names(reader, "force");
  if (names.size() == 1) {
    quantity.by = names[0];
  } else if (names.size() == 2) {
    quantity.by = std::array{names[0], names[1]};
  } else {
    reader.fail("force", std::to_string(names.size()) + " names", "a joint or two bodies");
  }
  quantity.at = read_points(reader);
  if (reader.read("field", quantity.field))
    check_known(reader, "field", {quantity.field}, force_field_names());
  quantity.times = read_times(reader);
  return quantity;
}

ContactsQuantity read_contacts(const ObjectReader& reader) {
  ContactsQuantity quantity;
  const std::vector<std::string> names = read_names(reader, "contacts");
  if (names.size() == quantity.between.size()) {
    std::ranges::copy(names, quantity.between.begin());
  } else {
    reader.fail("contacts", std::to_string(names.size()) + " names", "two bodies");
  }
  quantity.fields = read_names(reader, "field");
  check_known(reader, "field", quantity.fields, contact_field_names());
  return quantity;
}

// A whole number from 1, small enough to be the number of an event; else 0.
std::size_t ordinal(const JsonValue& value) {
  constexpr double kMostCount = 1e9;
  const double* number = value.as<double>();
  const bool good =
      number != nullptr && *number >= 1 && *number <= kMostCount && *number == std::floor(*number);
  return good ? static_cast<std::size_t>(*number) : 0;
}

std::vector<std::size_t> read_range(const ObjectReader& reader, const JsonValue& range) {
  static const io::ObjectFormat format{"range", {"from", "to"}, {}};
  constexpr std::size_t kLongest = 1'000'000;
  const ObjectReader bounds(range, reader.at("nth"), format, reader.builder());
  const JsonValue *from = bounds.find("from"), *to = bounds.find("to");
  if (from == nullptr || to == nullptr) return {};
  const std::size_t first = ordinal(*from), last = ordinal(*to);
  if (first == 0 || last < first || last - first >= kLongest) {
    reader.fail("nth", describe(*from) + " to " + describe(*to),
                "whole numbers, from >= 1 and to >= from");
    return {};
  }
  std::vector<std::size_t> numbers;
  for (std::size_t n = first; n <= last; ++n) numbers.push_back(n);
  return numbers;
}

std::vector<std::size_t> read_nth(const ObjectReader& reader) {
  const JsonValue* value = reader.find("nth");
  if (value == nullptr || is_word(*value, "all")) return {};
  if (value->as<JsonValue::Object>() != nullptr) return read_range(reader, *value);
  std::vector<std::size_t> numbers;
  for (const JsonValue* each : one_or_many(*value)) {
    numbers.push_back(ordinal(*each));
    if (numbers.back() > 0) continue;
    reader.fail("nth", describe(*each),
                R"(1 for the first, a list, {"from": 1, "to": 20} or "all")");
  }
  if (numbers.empty()) reader.fail("nth", "an empty list", "at least one number");
  return numbers;
}

EventQuantity read_event(const ObjectReader& reader, const std::string& head) {
  EventQuantity quantity;
  if (head == "sum") quantity.reading = EventReading::Sum;
  if (head == "count") quantity.reading = EventReading::Count;
  const std::vector<std::string> kinds(record::kEventNames.begin(), record::kEventNames.end());
  if (const auto kind = reader.read_choice(head, kinds)) {
    quantity.kind = static_cast<record::EventKind>(*kind);
  }
  reader.read("between", quantity.between);
  quantity.nth = read_nth(reader);
  if (reader.read("field", quantity.field))
    check_known(reader, "field", {quantity.field}, field_names());
  return quantity;
}

std::vector<std::string> summary_pointers() {
  const auto summary = nlohmann::json::parse(io::to_json(record::Summary{})).flatten();
  std::vector<std::string> known;
  for (const auto& [pointer, value] : summary.items()) {
    if (value.is_boolean() || value.is_number()) known.push_back(pointer);
  }
  return known;
}

SummaryQuantity read_summary(const ObjectReader& reader) {
  SummaryQuantity quantity;
  if (reader.read("summary", quantity.pointer))
    check_known(reader, "summary", {quantity.pointer}, summary_pointers());
  return quantity;
}

RatioQuantity read_ratio(const ObjectReader& reader) {
  RatioQuantity quantity;
  const std::vector<std::string> pointers = read_names(reader, "ratio");
  check_known(reader, "ratio", pointers, summary_pointers());
  if (pointers.size() == quantity.pointers.size()) {
    std::ranges::copy(pointers, quantity.pointers.begin());
  } else {
    reader.fail("ratio", std::to_string(pointers.size()) + " names", "two");
  }
  if (reader.find("to") != nullptr) quantity.to = read_overrides(reader, "to");
  return quantity;
}

}  // namespace

std::vector<io::Override> read_overrides(const ObjectReader& reader, std::string_view key) {
  const JsonValue* overrides = reader.find(key);
  if (overrides == nullptr) return {};
  std::vector<io::Override> values;
  if (const auto* members = overrides->as<JsonValue::Object>()) {
    for (const auto& [pointer, value] : *members) values.push_back({pointer, dump_json(value)});
  } else {
    reader.fail(key, describe(*overrides), "an object of values by JSON pointer");
  }
  return values;
}

Quantity read_quantity(const JsonValue& value, const std::string& place,
                       model::SceneBuilder& problems) {
  std::vector<std::string> heads;
  for (const io::ObjectFormat& format : formats()) {
    heads.push_back(format.name);
    if (value.find(format.name) == nullptr) continue;
    const ObjectReader reader(value, place, format, problems);
    if (format.name == "state")
      return read_body_quantity<StateQuantity>(reader, "state", component_names());
    if (format.name == "acceleration")
      return read_body_quantity<AccelerationQuantity>(reader, "acceleration", acceleration_names());
    if (format.name == "force") return read_force(reader);
    if (format.name == "contacts") return read_contacts(reader);
    if (format.name == "summary") return read_summary(reader);
    if (format.name == "ratio") return read_ratio(reader);
    return read_event(reader, format.name);
  }
  const auto* members = value.as<JsonValue::Object>();
  const bool named = members != nullptr && !members->empty();
  problems.report({.place = place,
                   .found = named ? "no kind of quantity" : describe(value),
                   .expected = "an object with one of the keys " + io::list_of(heads),
                   .hint = named ? base::find_nearest_name(members->front().key, heads) : ""});
  return SummaryQuantity{};
}

}  // namespace carom::cli
