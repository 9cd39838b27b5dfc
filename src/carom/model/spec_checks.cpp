#include "carom/model/spec_checks.h"

#include <cmath>
#include <numbers>

#include "carom/geometry/shapes/mass_properties.h"
#include "carom/model/reach.h"

namespace carom::model {

namespace {

void check_name(const std::string& name, Problems& problems) {
  if (name.empty()) problems.add("name", "an empty name", "a name");
}

bool is_color(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  return text.size() == 7 && text[0] == '#' &&
         text.substr(1).find_first_not_of(kDigits) == std::string_view::npos;
}

struct ShapeCheck {
  Problems& problems;

  void operator()(const geometry::Sphere& s) const { check_round("radius", s.radius); }
  void operator()(const geometry::Box& box) const {
    check_reach("size", Vec3(2 * box.half), kPositive, kScale, problems);
  }
  void operator()(const geometry::Capsule& s) const { check_long(s.radius, s.length); }
  void operator()(const geometry::Cylinder& s) const { check_long(s.radius, s.length); }
  void operator()(const geometry::Cone& s) const { check_long(s.radius, s.length); }
  void operator()(const geometry::Ellipsoid& s) const {
    check_reach("radii", s.radii, kPositive, kScale, problems);
  }
  void operator()(const geometry::Plane& plane) const {
    problems.check_direction("normal", plane.normal);
    check_reach("offset", plane.offset, kFinite, kScale, problems);
  }
  void operator()(const geometry::Hull& hull) const {
    if (hull.polyhedron == nullptr) problems.add("points", "no hull", "points that have one");
  }
  void operator()(const geometry::Mesh& mesh) const {
    if (mesh.surface == nullptr) problems.add("file", "no surface", "triangles that make up one");
  }

  void check_round(std::string_view field, double radius) const {
    check_reach(field, radius, kPositive, kScale, problems);
  }
  void check_long(double radius, double length) const {
    check_round("radius", radius);
    check_reach("length", length, kPositive, kScale, problems);
  }
};

void check_inertia(const Mat3& inertia, Problems& problems) {
  if (!inertia.allFinite())
    return problems.add("inertia", "a number that is not finite", "a matrix");
  const double asymmetry = (inertia - inertia.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > 1e-9 * inertia.cwiseAbs().maxCoeff()) {
    return problems.add("inertia", "a matrix that is not symmetric", "a symmetric one");
  }
  const Mat3 symmetric = 0.5 * (inertia + inertia.transpose());
  if (geometry::is_physical_inertia(symmetric)) return;
  problems.add("inertia", "moments that no body can have",
               "positive principal moments, none larger than the sum of the other two");
}

void check_grid(const GridSpec& grid, Problems& problems) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (grid.count[i] >= 1) continue;
    problems.add("grid/count/" + std::to_string(i), std::to_string(grid.count[i]),
                 "a whole number >= 1");
  }
  check_reach("grid/spacing", grid.spacing, kFinite, kScale, problems);
  check_reach("grid/jitter", grid.jitter, kNotNegative, kScale, problems);
  check_reach("grid/velocity_jitter", grid.velocity_jitter, kNotNegative, kScale, problems);
}

void check_motion(const BodySpec& body, Problems& problems) {
  check_reach("position", body.position, kFinite, kScale, problems);
  problems.check_rotation("orientation", body.orientation);
  check_reach("velocity", body.velocity, kFinite, kScale, problems);
  check_reach("angular_velocity", body.angular_velocity, kFinite, kScale, problems);
  if (body.motion != Motion::Fixed || problems.any()) return;
  const std::string expected = R"(zero for a fixed body, or "motion": "driven")";
  if (!body.velocity.isZero(0)) problems.add("velocity", describe(body.velocity), expected);
  if (body.grid && body.grid->velocity_jitter != 0)
    problems.add("grid/velocity_jitter", describe(body.grid->velocity_jitter), expected);
  if (body.angular_velocity.isZero(0)) return;
  problems.add("angular_velocity", describe(body.angular_velocity), expected);
}

bool has_limits(JointType type) {
  return type == JointType::Hinge || type == JointType::Slider || type == JointType::Distance;
}

// What moves along or about one axis.
bool has_coordinate(JointType type) {
  return type == JointType::Hinge || type == JointType::Slider;
}

void check_limits(const JointSpec& joint, Problems& problems) {
  const auto [low, high] = *joint.limits;
  problems.check("limits/0", low, joint.type == JointType::Distance ? kNotNegative : kFinite);
  problems.check("limits/1", high, kFinite);
  if (low > high || (joint.type == JointType::Distance && high == 0)) {
    problems.add("limits", describe(low) + " before " + describe(high), "[low, high]");
  }
  if (joint.type == JointType::Hinge && high - low >= 2 * std::numbers::pi)
    problems.add("limits", describe(high - low) + " rad between them", "less than a whole turn");
  if (has_limits(joint.type)) return;
  problems.add("limits", "limits", "none: only hinge, slider and distance joints have limits");
}

void check_motor(const JointSpec& joint, Problems& problems) {
  problems.check("motor/speed", joint.motor->speed, kFinite);
  problems.check("motor/max_torque", joint.motor->max_torque, kNotNegative);
  if (has_coordinate(joint.type)) return;
  problems.add("motor", "a motor", "none: only hinge and slider joints have motors");
}

void check_spring(const JointSpec& joint, Problems& problems) {
  problems.check("spring/stiffness", joint.spring->stiffness, kNotNegative);
  problems.check("spring/damping", joint.spring->damping, kNotNegative);
  problems.check("spring/rest", joint.spring->rest, kFinite);
  if (has_coordinate(joint.type)) return;
  problems.add("spring", "a spring", "none: only hinge and slider joints have springs");
}

void check_joint_friction(const JointSpec& joint, Problems& problems) {
  problems.check("friction", joint.friction, kNotNegative);
  if (has_coordinate(joint.type) || joint.friction == 0) return;
  problems.add("friction", describe(joint.friction),
               "none: only hinge and slider joints have friction");
}

void check_restitution(const JointSpec& joint, Problems& problems) {
  problems.check("restitution", joint.restitution, kFraction);
  if (joint.limits || joint.restitution == 0) return;
  problems.add("restitution", describe(joint.restitution), "limits, of which it is");
}

void check_second_axis(const JointSpec& joint, Problems& problems) {
  problems.check_direction("axis_b", *joint.axis_b);
  if (problems.any()) return;
  if (joint.type != JointType::Universal) {
    return problems.add("axis_b", "a second axis", "none: only universal joints have two");
  }
  const double cosine = joint.axis.normalized().dot(joint.axis_b->normalized());
  if (std::abs(cosine) > 1e-6) {
    problems.add("axis_b", describe(*joint.axis_b), "a vector perpendicular to axis");
  }
}

}  // namespace

void check_material(const Material& material, Problems& problems) {
  if (material.name.empty() || material.name == "*") {
    problems.add("", quoted(material.name), R"(a name other than "" and "*", which means any)");
  }
  check_reach("density", material.density, kPositive, kMass, problems);
  check_reach("youngs_modulus", material.youngs_modulus, kPositive, kMass, problems);
  constexpr NumberRule kPoisson{[](double x) { return x > -1 && x <= 0.5; },
                                "a number > -1 and <= 0.5"};
  problems.check("poissons_ratio", material.poissons_ratio, kPoisson);
  if (material.color.empty() || is_color(material.color)) return;
  problems.add("color", quoted(material.color), "a colour such as \"#b5803c\"");
}

void check_pair(const PairSpec& pair, Problems& problems) {
  if (pair.restitution) problems.check("restitution", *pair.restitution, kFraction);
  if (pair.friction) problems.check("friction", *pair.friction, kNotNegative);
  if (pair.rolling_friction)
    problems.check("rolling_friction", *pair.rolling_friction, kNotNegative);
  if (pair.spinning_friction)
    problems.check("spinning_friction", *pair.spinning_friction, kNotNegative);
}

void check_shape(const ShapeSpec& shape, Problems& problems) {
  std::visit(ShapeCheck{problems}, shape.shape);
  check_reach("position", shape.pose.p, kFinite, kScale, problems);
  problems.check_rotation("orientation", shape.pose.q);
}

void check_body(const BodySpec& body, Problems& problems) {
  check_name(body.name, problems);
  check_motion(body, problems);
  if (body.mass) check_reach("mass", *body.mass, kPositive, kMass, problems);
  if (body.inertia) check_inertia(*body.inertia, problems);
  if (body.center_of_mass)
    check_reach("center_of_mass", *body.center_of_mass, kFinite, kScale, problems);
  if (body.grid) check_grid(*body.grid, problems);
}

void check_joint(const JointSpec& joint, Problems& problems) {
  check_name(joint.name, problems);
  if (joint.anchor) check_reach("anchor", *joint.anchor, kFinite, kScale, problems);
  if (joint.anchor_b) check_reach("anchor_b", *joint.anchor_b, kFinite, kScale, problems);
  if (joint.anchor_b && joint.type != JointType::Distance) {
    problems.add("anchor_b", "a second anchor", "none: only distance joints have two");
  }
  problems.check_direction("axis", joint.axis);
  if (joint.axis_b) check_second_axis(joint, problems);
  if (joint.limits) check_limits(joint, problems);
  check_restitution(joint, problems);
  if (joint.motor) check_motor(joint, problems);
  if (joint.spring) check_spring(joint, problems);
  check_joint_friction(joint, problems);
}

}  // namespace carom::model
