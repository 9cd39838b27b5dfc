// Builds a Scene from specifications and checks it once. Every problem found is collected with its
// place; build() throws them all together as base::BadInput, or returns a Scene that is right.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/base/diagnostics.h"
#include "carom/model/scene.h"

namespace carom::model {

struct ShapeSpec {
  geometry::Shape shape = geometry::Sphere{1};
  Pose pose;
  std::string material;  // empty: the body's
  bool collide = true;
};

struct GridSpec {
  std::array<int, 3> count{1, 1, 1};
  Vec3 spacing = Vec3::Zero();
  double jitter = 0;
  std::uint64_t seed = 0;
};

struct BodySpec {
  std::string name;
  Motion motion = Motion::Dynamic;
  std::string material;                 // empty: the default material
  std::vector<ShapeSpec> shapes;
  std::optional<double> mass;           // else from the shapes and their materials' densities
  std::optional<Mat3> inertia;          // about the centre of mass; else from the shapes
  std::optional<Vec3> center_of_mass;   // body frame; else from the shapes
  Vec3 position = Vec3::Zero();         // of the body frame's origin
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();         // of the centre of mass
  Vec3 angular_velocity = Vec3::Zero(); // world frame
  std::optional<GridSpec> grid;
};

struct JointSpec {
  std::string name;
  JointType type = JointType::Ball;
  std::array<std::string, 2> between;
  Vec3 anchor = Vec3::Zero();           // world, at t = 0; a distance joint's on the first body
  std::optional<Vec3> anchor_b;         // distance joint: on the second body; else its centre of mass
  Vec3 axis = Vec3::UnitZ();            // world, at t = 0
  std::optional<Vec3> axis_b;           // universal joint: second axis
  std::optional<std::pair<double, double>> limits;
  std::optional<Motor> motor;
  bool collide = false;
};

struct PairSpec {
  std::array<std::string, 2> materials;  // "*" is any
  std::optional<double> restitution, friction, rolling_friction;
};

class SceneBuilder {
 public:
  // `place` is where the specification came from, a JSON pointer such as /bodies/2. A problem with
  // one field is reported at place + "/" + field.
  void set_name(std::string name, std::string source = {});
  void set_gravity(const Vec3& gravity);
  void set_method(MethodSettings settings);
  void set_duration(double seconds);
  void set_output_every(double seconds);
  void add_material(const Material& material, const std::string& place = {});
  void add_pair(const PairSpec& pair, const std::string& place = {});
  void add_body(const BodySpec& body, const std::string& place = {});
  void add_joint(const JointSpec& joint, const std::string& place = {});

  // For readers of files, which find problems of their own.
  void report(base::Diagnostic diagnostic);
  bool ok() const { return diagnostics_.empty(); }

  Scene build();  // throws base::BadInput with everything found

 private:
  struct Placed;  // a specification with its place
  std::vector<base::Diagnostic> diagnostics_;
  Scene scene_;
  std::vector<std::pair<PairSpec, std::string>> pairs_;
  std::vector<std::pair<BodySpec, std::string>> bodies_;
  std::vector<std::pair<JointSpec, std::string>> joints_;
};

}  // namespace carom::model
