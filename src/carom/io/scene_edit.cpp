#include "carom/io/scene_edit.h"

#include <algorithm>

#include "carom/io/json_value.h"

namespace carom::io {

namespace {

void set_member(JsonValue& object, const std::string& key, JsonValue value) {
  set_value(object, pointer_to("", key), std::move(value));
}

JsonValue to_json(const Vec3& v) { return {JsonValue::Array{{v.x()}, {v.y()}, {v.z()}}}; }

// The document has been read and checked: what stands there is a list of three numbers.
Vec3 read_vector(const JsonValue* value) {
  Vec3 v = Vec3::Zero();
  if (value == nullptr) return v;
  const auto& numbers = *value->as<JsonValue::Array>();
  for (int i = 0; i < 3; ++i) v[i] = *numbers[static_cast<std::size_t>(i)].as<double>();
  return v;
}

void shift_vector(JsonValue& object, const std::string& key, const Vec3& shift) {
  set_member(object, key, to_json(read_vector(object.find(key)) + shift));
}

std::size_t copies_of(const JsonValue& body) {
  const JsonValue* grid = body.find("grid");
  if (grid == nullptr) return 1;
  const Vec3 count = read_vector(grid->find("count"));
  return static_cast<std::size_t>(count.prod());
}

JsonValue make_copy(const JsonValue& body, const Scene& scene, std::size_t number,
                    const Vec3& shift) {
  JsonValue copy = body;
  std::erase_if(*copy.as<JsonValue::Object>(),
                [](const JsonMember& member) { return member.key == "grid"; });
  const model::InitialMotion& motion = scene.initial[number];
  set_member(copy, "name", {scene.bodies[number].name});
  const Vec3 origin = motion.x - motion.q * scene.bodies[number].center_of_mass;
  set_member(copy, "position", to_json(origin + shift));
  if (!motion.v.isZero(0)) set_member(copy, "velocity", to_json(motion.v));
  return copy;
}

JsonValue::Array shift_all(const JsonValue::Array& bodies, const Scene& scene,
                           std::span<const Vec3> shifts) {
  JsonValue::Array moved;
  std::size_t first = 0;
  for (const JsonValue& body : bodies) {
    const std::size_t copies = copies_of(body);
    const auto own = shifts.subspan(first, copies);
    const bool stays = std::ranges::all_of(own, [](const Vec3& s) { return s.isZero(0); });
    if (stays) moved.push_back(body);
    if (!stays && body.find("grid") == nullptr) {
      moved.push_back(body);
      shift_vector(moved.back(), "position", own[0]);
    } else if (!stays) {
      for (std::size_t i = 0; i < copies; ++i)
        moved.push_back(make_copy(body, scene, first + i, own[i]));
    }
    first += copies;
  }
  return moved;
}

// Bodies that a joint connects have the same shift.
void shift_joints(JsonValue::Array& joints, const Scene& scene, std::span<const Vec3> shifts) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Vec3& shift = shifts[index(scene.joints[i].a)];
    for (const std::string key : {"anchor", "anchor_b"}) {
      if (joints[i].find(key) != nullptr && !shift.isZero(0)) shift_vector(joints[i], key, shift);
    }
  }
}

// Every value of the key, wherever it stands.
void rename_files(JsonValue& value, const std::string& key, const std::filesystem::path& from,
                  const std::filesystem::path& to) {
  if (auto* array = value.as<JsonValue::Array>()) {
    for (JsonValue& element : *array) rename_files(element, key, from, to);
  }
  auto* object = value.as<JsonValue::Object>();
  if (object == nullptr) return;
  for (JsonMember& member : *object) {
    auto* name = member.key == key ? member.value.as<std::string>() : nullptr;
    if (name != nullptr) *name = std::filesystem::proximate(from / *name, to).string();
    rename_files(member.value, key, from, to);
  }
}

}  // namespace

std::string shift_bodies(const LoadedScene& loaded, std::span<const Vec3> shifts,
                         const std::filesystem::path& from, const std::filesystem::path& to) {
  JsonValue document = parse_json(loaded.json);
  JsonValue* bodies = document.find("bodies");
  bodies->data = shift_all(*bodies->as<JsonValue::Array>(), loaded.scene, shifts);
  if (JsonValue* joints = document.find("joints"))
    shift_joints(*joints->as<JsonValue::Array>(), loaded.scene, shifts);
  rename_files(*bodies, "file", from, to);
  return dump_json(document) + '\n';
}

}  // namespace carom::io
