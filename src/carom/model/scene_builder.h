// Builds a Scene from specifications and checks it once. Every problem found is collected with its
// place; build() throws them all together as base::BadInput, or returns a Scene that is right.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "carom/base/diagnostics.h"
#include "carom/model/scene.h"

namespace carom::model {

// Every member has an initializer, so that {.name = …} names only what differs from the defaults.
struct ShapeSpec {
  geometry::Shape shape = geometry::Sphere{1};
  Pose pose{};
  std::string material{};  // empty: the body's
  bool collide = true;
  std::string place{};  // a JSON pointer; empty: the body's place + "/shapes/" + its number
};

// Copies named bead[i,j,k], shifted along the world's axes by i, j, k times the spacing.
struct GridSpec {
  std::array<int, 3> count{1, 1, 1};
  Vec3 spacing = Vec3::Zero();
  double jitter = 0;  // m; each coordinate moves by a uniform number in [-jitter, jitter]
  std::uint64_t seed = 0;
  double velocity_jitter = 0;  // m/s; the same for each component of the velocity
};

struct BodySpec {
  std::string name{};
  Motion motion = Motion::Dynamic;
  std::string material{};  // empty: the default material
  std::vector<ShapeSpec> shapes{};
  std::optional<double> mass{};          // else from the shapes and their materials' densities
  std::optional<Mat3> inertia{};         // about the centre of mass; else from the shapes
  std::optional<Vec3> center_of_mass{};  // body frame; else from the shapes
  Vec3 position = Vec3::Zero();          // m; of the body frame's origin
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          // m/s; of the centre of mass
  Vec3 angular_velocity = Vec3::Zero();  // world frame
  std::optional<GridSpec> grid{};
};

struct JointSpec {
  std::string name{};
  JointType type = JointType::Ball;
  std::array<std::string, 2> between{};
  std::optional<Vec3> anchor{};    // world, at t = 0; else the first body's centre of mass
  std::optional<Vec3> anchor_b{};  // distance joint: on the second body; else its centre of mass
  Vec3 axis = Vec3::UnitZ();       // world, at t = 0
  std::optional<Vec3> axis_b{};    // universal joint: second axis, perpendicular to the first
  std::optional<std::pair<double, double>> limits{};
  double restitution = 0;
  std::optional<Motor> motor{};
  std::optional<JointSpring> spring{};
  double friction = 0;
  bool collide = false;
};

// Forces as the scene's file has them: bodies by name, where the name of a grid stands for all its
// copies, and anchors in the world at t = 0.
struct SpringSpec {
  std::vector<std::string> between{};  // two bodies; or one, and anchor_b is a point of the world
  std::optional<Vec3> anchor{}, anchor_b{};  // else centres of mass
  double stiffness = 0, damping = 0;
  std::optional<double> rest{};  // else the distance at t = 0
};
struct DragSpec {
  std::vector<std::string> bodies{};  // none: every dynamic one
  double linear = 0, quadratic = 0, angular = 0;
};
struct FieldSpec {
  std::vector<std::string> bodies{};  // none: every dynamic one
  Vec3 acceleration = Vec3::Zero();
  Vec3 low = Vec3::Constant(-HUGE_VAL), high = Vec3::Constant(HUGE_VAL);
};
struct PushSpec {
  std::string body{};
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // world axes at t = 0
  std::optional<Vec3> anchor{};                      // else the centre of mass
  bool turns = false;                                // whether they turn with the body
};
struct GravitationSpec {
  std::vector<std::string> bodies{};  // none: every dynamic one
  double constant = Gravitation{}.constant, softening = 0;
};
using ForceSpec = std::variant<SpringSpec, DragSpec, FieldSpec, PushSpec, GravitationSpec>;

struct PairSpec {
  std::array<std::string, 2> materials{};  // "*" is any
  std::optional<double> restitution{}, friction{}, rolling_friction{}, spinning_friction{};
};

using MaterialIds = std::map<std::string, MaterialId, std::less<>>;

class SceneBuilder {
 public:
  SceneBuilder();  // with the material "default", which add_material may redefine

  // `place` is where the specification came from, a JSON pointer such as /bodies/2. A problem with
  // one field is reported at place + "/" + field. A material that is named but never added is the
  // library's (material_library.h).
  void set_name(std::string name, std::string source = {});
  void set_gravity(const Vec3& gravity);
  void set_method(MethodSettings settings);
  void set_duration(double seconds);
  void set_output_every(double seconds);  // by default 0.01, of a crowd 0.04
  void add_material(const Material& material, const std::string& place = {});
  void add_pair(const PairSpec& pair, const std::string& place = {});
  void add_body(const BodySpec& body, const std::string& place = {});
  void add_joint(const JointSpec& joint, const std::string& place = {});
  void add_force(const ForceSpec& force, const std::string& place = {});

  // Readers of files report problems of their own here.
  void report(base::Diagnostic diagnostic);
  std::size_t problem_count() const { return problem_count_; }
  bool ok() const { return problem_count_ == 0; }

  Scene build();  // once; throws base::BadInput with everything found

 private:
  void add_library_materials();
  void resolve_pairs(std::size_t own_materials);
  void place_bodies();
  bool check(const BodySpec& spec, const std::string& place);
  void add_copies(const BodySpec& spec, const Body& body, const std::string& place);
  bool add_name(const std::string& name, const std::string& place);
  void place_joints();
  void place_forces();
  void choose_outputs();
  std::optional<BodyId> find_body(const JointSpec& joint, std::size_t side,
                                  const std::string& place);

  std::vector<base::Diagnostic> diagnostics_;
  std::size_t problem_count_ = 0;
  Scene scene_;
  std::optional<double> output_every_;  // s, as asked for
  MaterialIds material_ids_;
  std::unordered_map<std::string, BodyId> body_ids_;  // looked up, never walked
  std::vector<std::pair<PairSpec, std::string>> pairs_;
  std::vector<std::pair<BodySpec, std::string>> bodies_;
  std::vector<std::pair<JointSpec, std::string>> joints_;
  std::vector<std::pair<ForceSpec, std::string>> forces_;
};

}  // namespace carom::model
