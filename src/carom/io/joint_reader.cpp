#include "carom/io/joint_reader.h"

namespace carom::io {

namespace {

using model::JointType;

bool needs_anchor(JointType type) {
  return type == JointType::Ball || type == JointType::Hinge || type == JointType::Universal;
}

bool needs_axis(JointType type) {
  return type == JointType::Hinge || type == JointType::Slider || type == JointType::Universal;
}

void read_place(const ObjectReader& reader, model::JointSpec& spec) {
  if (needs_anchor(spec.type)) reader.require("anchor");
  if (needs_axis(spec.type)) reader.require("axis");
  reader.read("anchor", spec.anchor);
  reader.read("anchor_b", spec.anchor_b);
  if (reader.read("axis", spec.axis) && !needs_axis(spec.type)) {
    reader.fail("axis", "an axis", "none: only hinge, slider and universal joints have one");
  }
  reader.read("axis_b", spec.axis_b);
}

model::Motor read_motor(const JsonValue& value, const std::string& place,
                        model::SceneBuilder& problems) {
  const ObjectReader reader(value, place, format_of("motor"), problems);
  model::Motor motor;
  reader.read("speed", motor.speed);
  reader.read("max_torque", motor.max_torque);
  return motor;
}

model::JointSpring read_spring(const JsonValue& value, const std::string& place,
                               model::SceneBuilder& problems) {
  const ObjectReader reader(value, place, format_of("joint_spring"), problems);
  model::JointSpring spring;
  reader.read("stiffness", spring.stiffness);
  reader.read("damping", spring.damping);
  reader.read("rest", spring.rest);
  return spring;
}

}  // namespace

model::JointSpec read_joint(const JsonValue& value, const std::string& place,
                            model::SceneBuilder& problems) {
  const ObjectReader reader(value, place, format_of("joint"), problems);
  model::JointSpec spec;
  reader.read("name", spec.name);
  const auto type =
      reader.read_choice("type", {"ball", "hinge", "slider", "universal", "fixed", "distance"});
  if (type) {
    spec.type = static_cast<JointType>(*type);
    read_place(reader, spec);
  }
  reader.read("between", spec.between);
  std::vector<double> limits;
  if (reader.read_numbers("limits", limits, 2)) spec.limits = {limits[0], limits[1]};
  if (const JsonValue* motor = reader.find("motor")) {
    spec.motor = read_motor(*motor, reader.at("motor"), problems);
  }
  if (const JsonValue* spring = reader.find("spring")) {
    spec.spring = read_spring(*spring, reader.at("spring"), problems);
  }
  reader.read("restitution", spec.restitution);
  reader.read("friction", spec.friction);
  reader.read("collide", spec.collide);
  return spec;
}

}  // namespace carom::io
