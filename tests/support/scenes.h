// Scenes for tests, in the words of the scene builder.
#pragma once

#include "carom/model/scene_builder.h"

namespace carom::support {

inline model::BodySpec make_plane(const std::string& name, const Vec3& normal, double offset = 0) {
  return {.name = name,
          .motion = model::Motion::Fixed,
          .shapes = {{.shape = geometry::Plane{normal.normalized(), offset}}}};
}
inline model::BodySpec make_ground() { return make_plane("ground", Vec3::UnitZ()); }

inline model::BodySpec make_ball(const std::string& name, double radius, const Vec3& position,
                                 const Vec3& velocity = Vec3::Zero()) {
  return {.name = name,
          .shapes = {{.shape = geometry::Sphere{radius}}},
          .mass = 1,
          .position = position,
          .velocity = velocity};
}

inline model::BodySpec make_box(const std::string& name, const Vec3& size, const Vec3& position) {
  return {.name = name,
          .shapes = {{.shape = geometry::Box{0.5 * size}}},
          .mass = 1,
          .position = position};
}

// A block at `radius` from the axis that goes round with the turntable it lies on.
inline std::vector<model::BodySpec> make_turntable(double spin, double radius) {
  model::BodySpec table{.name = "table",
                        .motion = model::Motion::Driven,
                        .shapes = {{.shape = geometry::Cylinder{1, 0.1}}},
                        .position = Vec3(0, 0, -0.05),
                        .angular_velocity = spin * Vec3::UnitZ()};
  model::BodySpec block = make_box("block", Vec3(0.1, 0.1, 0.1), Vec3(radius, 0, 0.05));
  block.velocity = Vec3(0, spin * radius, 0);
  block.angular_velocity = spin * Vec3::UnitZ();
  return {table, block};
}

struct Coefficients {
  double restitution = 0, friction = 0;
};

// What a scene is made of, for tests that vary one thing at a time.
struct SceneParts {
  Vec3 gravity{0, 0, -9.81};
  Coefficients between{};
  std::vector<model::BodySpec> bodies{};
  std::vector<model::JointSpec> joints{};
  model::MethodSettings method{};
  double duration = 1;
  double output_every = 0.01;
  std::vector<model::ForceSpec> forces{};
};

inline Scene build(const SceneParts& parts) {
  model::SceneBuilder builder;
  builder.set_name("test");
  builder.set_gravity(parts.gravity);
  builder.set_method(parts.method);
  builder.set_duration(parts.duration);
  builder.set_output_every(parts.output_every);
  builder.add_pair({.materials = {"*", "*"},
                    .restitution = parts.between.restitution,
                    .friction = parts.between.friction});
  for (const model::BodySpec& body : parts.bodies) builder.add_body(body);
  for (const model::JointSpec& joint : parts.joints) builder.add_joint(joint);
  for (const model::ForceSpec& force : parts.forces) builder.add_force(force);
  return builder.build();
}

inline model::MethodSettings zeno_free(double step) { return {"zeno-free", {{"step", step}}}; }

}  // namespace carom::support
