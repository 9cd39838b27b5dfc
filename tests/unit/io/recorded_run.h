// A small made-up run for the tests of outputs: no physics, only values that differ from each
// other.
#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "carom/record/trace.h"

namespace carom::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "carom-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Scene make_scene(const std::vector<std::string>& names) {
  Scene scene;
  scene.name = "made up";
  scene.materials.resize(1);
  for (const std::string& name : names) {
    Body body;
    body.name = name;
    body.mass = 2;
    body.inertia = Mat3::Identity();
    body.shapes.push_back({geometry::Sphere{0.5}, Pose{}, MaterialId{0}, true});
    scene.bodies.push_back(body);
    scene.initial.emplace_back();
  }
  return scene;
}

inline State make_state(const Scene& scene, double t) {
  State state;
  state.t = t;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const double s = t + static_cast<double>(i);
    state.bodies.push_back({Vec3(s, 2 * s, 3 * s), Quat(std::cos(s), std::sin(s), 0, 0),
                            Vec3(1, -s, s * s), Vec3(0, s, 1 / (1 + s))});
  }
  return state;
}

inline record::ContactEvent make_event(double t) {
  return {.t = t,
          .kind = record::EventKind::Microcollision,
          .a = BodyId{1},
          .b = BodyId{0},
          .point = Vec3(t, 1, 2),
          .normal = Vec3(0, 0, 1),
          .approach_speed = 3 + t,
          .separation_speed = 4,
          .impulse = Vec3(5, 6, t),
          .iterations = 7,
          .lineality = 2};
}

inline std::vector<record::CarriedForce> make_forces(double t) {
  return {{BodyId{1}, BodyId{0}, Vec3(t, 1, 2), Vec3(3, t, 4), Vec3::Zero()},
          {BodyId{0}, BodyId{1}, Vec3(5, t, 6), Vec3(7, 8, t), Vec3(t, 9, 1 / (1 + t)), 3}};
}

inline record::Checkpoint make_checkpoint(const State& state, std::int64_t next_output,
                                          std::int64_t sequence) {
  record::Checkpoint checkpoint;
  checkpoint.state = state;
  checkpoint.next_output = next_output;
  checkpoint.sequence = sequence;
  checkpoint.counters.steps = 10 * next_output;
  checkpoint.counters.events = {1, 2, 3, 4, 5, next_output};
  checkpoint.counters.impact_iterations_total = 7;
  checkpoint.counters.impact_iterations_max = 3;
  checkpoint.counters.lineality_detected = 2;
  checkpoint.counters.lineality_dimension_max = 9;
  checkpoint.memory =
      std::string("audit\0bytes ", 12) + std::string(3 * static_cast<std::size_t>(next_output),
                                                     'a');  // grows, as resting contacts do
  return checkpoint;
}

}  // namespace carom::test
