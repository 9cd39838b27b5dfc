#include <algorithm>

#include "carom/io/json_value.h"
#include "carom/io/scene_file.h"

namespace carom::io {

using base::Diagnostic;

namespace {

using Differences = std::vector<Diagnostic>;

void compare(const JsonValue* found, const JsonValue* recorded, const std::string& place,
             Differences& differences);

void compare_members(const JsonValue& found, const JsonValue& recorded, const std::string& place,
                     Differences& differences) {
  for (const JsonMember& member : *found.as<JsonValue::Object>())
    compare(&member.value, recorded.find(member.key), pointer_to(place, member.key), differences);
  for (const JsonMember& member : *recorded.as<JsonValue::Object>()) {
    if (found.find(member.key) == nullptr)
      compare(nullptr, &member.value, pointer_to(place, member.key), differences);
  }
}

// How long a run lasts may change, and how uncertain its values are: what is simulated does not
// depend on it.
void compare(const JsonValue* found, const JsonValue* recorded, const std::string& place,
             Differences& differences) {
  const auto text = [](const JsonValue* value) { return value ? dump_json(*value) : ""; };
  if (place == "/duration" || place == "/uncertain" || text(found) == text(recorded)) return;
  const auto is_object = [](const JsonValue* value) {
    return value != nullptr && value->as<JsonValue::Object>() != nullptr;
  };
  const auto* list = found != nullptr ? found->as<JsonValue::Array>() : nullptr;
  const auto* old = recorded != nullptr ? recorded->as<JsonValue::Array>() : nullptr;
  if (is_object(found) && is_object(recorded))
    return compare_members(*found, *recorded, place, differences);
  if (list != nullptr && old != nullptr && list->size() == old->size()) {
    for (std::size_t i = 0; i < list->size(); ++i)
      compare(&(*list)[i], &(*old)[i], pointer_to(place, i), differences);
    return;
  }
  differences.push_back({.place = place,
                         .found = found != nullptr ? describe(*found) : "nothing",
                         .expected = (recorded != nullptr ? describe(*recorded) : "nothing") +
                                     std::string(", as recorded")});
}

}  // namespace

std::vector<Diagnostic> find_differences(const LoadedScene& found, const LoadedScene& recorded) {
  Differences differences;
  const JsonValue now = parse_json(found.json), then = parse_json(recorded.json);
  compare(&now, &then, "", differences);
  for (const record::SceneFile& file : recorded.files) {
    const auto same = std::ranges::find(found.files, file.name, &record::SceneFile::name);
    if (same != found.files.end() && same->bytes != file.bytes)
      differences.push_back(
          {.place = file.name, .found = "other contents", .expected = "the file as recorded"});
  }
  return differences;
}

}  // namespace carom::io
