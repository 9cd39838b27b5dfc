#include "carom/io/force_reader.h"

namespace carom::io {

namespace {

model::SpringSpec read_spring(const ObjectReader& reader) {
  model::SpringSpec spec;
  reader.read("between", spec.between);
  reader.read("anchor", spec.anchor);
  reader.read("anchor_b", spec.anchor_b);
  reader.read("stiffness", spec.stiffness);
  reader.read("damping", spec.damping);
  reader.read("rest", spec.rest);
  return spec;
}

model::DragSpec read_drag(const ObjectReader& reader) {
  model::DragSpec spec;
  reader.read("bodies", spec.bodies);
  reader.read("linear", spec.linear);
  reader.read("quadratic", spec.quadratic);
  reader.read("angular", spec.angular);
  return spec;
}

model::FieldSpec read_field(const ObjectReader& reader) {
  model::FieldSpec spec;
  reader.read("bodies", spec.bodies);
  reader.read("acceleration", spec.acceleration);
  const JsonValue::Array& corners = reader.list("region");
  if (corners.size() == 2) {
    read_point(corners[0], pointer_to(reader.at("region"), 0), spec.low, reader.builder());
    read_point(corners[1], pointer_to(reader.at("region"), 1), spec.high, reader.builder());
  } else if (const JsonValue* region = reader.find("region");
             region && region->as<JsonValue::Array>()) {
    reader.fail("region", describe(*region), "two corners, [[x, y, z], [x, y, z]]");
  }
  return spec;
}

model::PushSpec read_wrench(const ObjectReader& reader) {
  model::PushSpec spec;
  reader.read("body", spec.body);
  reader.read("force", spec.force);
  reader.read("torque", spec.torque);
  reader.read("anchor", spec.anchor);
  reader.read("turns", spec.turns);
  return spec;
}

model::GravitationSpec read_gravitation(const ObjectReader& reader) {
  model::GravitationSpec spec;
  reader.read("bodies", spec.bodies);
  reader.read("constant", spec.constant);
  reader.read("softening", spec.softening);
  return spec;
}

}  // namespace

std::optional<model::ForceSpec> read_force(const JsonValue& value, const std::string& place,
                                           model::SceneBuilder& problems) {
  const auto type = read_type(value, place, force_names(), problems);
  if (!type) return std::nullopt;
  const ObjectReader reader(value, place, format_of(*type), problems);
  if (*type == "spring") return read_spring(reader);
  if (*type == "drag") return read_drag(reader);
  if (*type == "field") return read_field(reader);
  if (*type == "wrench") return read_wrench(reader);
  return read_gravitation(reader);
}

}  // namespace carom::io
