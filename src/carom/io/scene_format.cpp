#include "carom/io/scene_format.h"

#include "carom/base/check.h"

namespace carom::io {

namespace {

ObjectFormat shape(std::string name, std::vector<std::string> dimensions) {
  dimensions.insert(dimensions.begin(), "type");
  return {
      std::move(name), std::move(dimensions), {"position", "orientation", "material", "collide"}};
}

ObjectFormat force(std::string name, std::vector<std::string> required,
                   std::vector<std::string> optional) {
  required.insert(required.begin(), "type");
  return {std::move(name), std::move(required), std::move(optional)};
}

std::vector<ObjectFormat> make_format() {
  std::vector<ObjectFormat> format{
      {"scene",
       {"carom", "bodies"},
       {"$schema", "name", "source", "gravity", "materials", "pairs", "joints", "forces", "method",
        "duration", "output", "uncertain"}},
      {"material", {}, {"density", "youngs_modulus", "poissons_ratio", "color"}},
      {"pair", {"materials"}, {"restitution", "friction", "rolling_friction", "spinning_friction"}},
      {"body",
       {"name"},
       {"motion", "material", "shape", "shapes", "mass", "inertia", "center_of_mass", "position",
        "orientation", "velocity", "angular_velocity", "grid"}},
      {"axis_angle", {"axis", "angle"}, {}},
      {"grid", {"count", "spacing"}, {"jitter", "velocity_jitter", "seed"}},
      {"joint",
       {"name", "type", "between"},
       {"anchor", "anchor_b", "axis", "axis_b", "limits", "restitution", "motor", "spring",
        "friction", "collide"}},
      {"motor", {"speed", "max_torque"}, {}},
      {"joint_spring", {}, {"stiffness", "damping", "rest"}},
      force("spring", {"between"}, {"anchor", "anchor_b", "stiffness", "damping", "rest"}),
      force("drag", {}, {"bodies", "linear", "quadratic", "angular"}),
      force("field", {"acceleration"}, {"bodies", "region"}),
      force("wrench", {"body"}, {"force", "torque", "anchor", "turns"}),
      force("gravitation", {}, {"bodies", "constant", "softening"}),
      {"output", {"every"}, {}},
      shape("sphere", {"radius"}),
      shape("box", {"size"}),
      shape("capsule", {"radius", "length"}),
      shape("cylinder", {"radius", "length"}),
      shape("cone", {"radius", "length"}),
      shape("ellipsoid", {"radii"}),
      shape("plane", {"normal", "offset"}),
      shape("hull", {}),
      shape("mesh", {"file"}),
  };
  for (ObjectFormat& object : format) {
    if (object.name != "hull") continue;
    object.optional.insert(object.optional.begin(), {"points", "file"});  // exactly one of the two
  }
  return format;
}

}  // namespace

std::vector<std::string> ObjectFormat::keys() const {
  std::vector<std::string> all = required;
  all.insert(all.end(), optional.begin(), optional.end());
  return all;
}

const std::vector<ObjectFormat>& scene_format() {
  static const std::vector<ObjectFormat> format = make_format();
  return format;
}

const ObjectFormat& format_of(std::string_view object) {
  for (const ObjectFormat& format : scene_format()) {
    if (format.name == object) return format;
  }
  base::fail_check("the scene format has this object", std::string(object),
                   std::source_location::current());
}

const std::vector<std::string>& force_names() {
  static const std::vector<std::string> names{"spring", "drag", "field", "wrench", "gravitation"};
  return names;
}

const std::vector<std::string>& shape_names() {
  static const std::vector<std::string> names{"sphere",    "box",   "capsule", "cylinder", "cone",
                                              "ellipsoid", "plane", "hull",    "mesh"};
  return names;
}

}  // namespace carom::io
