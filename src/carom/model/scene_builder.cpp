#include "carom/model/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "carom/model/body_assembly.h"
#include "carom/model/body_grid.h"
#include "carom/model/force_placement.h"
#include "carom/model/joint_placement.h"
#include "carom/model/material_library.h"
#include "carom/model/pair_resolution.h"
#include "carom/model/problems.h"
#include "carom/model/reach.h"
#include "carom/model/scene_tolerances.h"
#include "carom/model/spec_checks.h"

namespace carom::model {

namespace {

constexpr std::size_t kMaxDiagnostics = 1000;  // nobody reads more at once
constexpr double kMaxOutputs = 1e9;
constexpr double kOutputEvery = 0.01;       // s
constexpr double kCrowdOutputEvery = 0.04;  // s; of as many pictures a film is made
constexpr std::size_t kCrowd = 2000;        // bodies

// A grid is known by its first copy.
std::string nearest_body(const std::string& name,
                         const std::vector<std::pair<BodySpec, std::string>>& bodies) {
  std::vector<std::string> names;
  for (const auto& [spec, place] : bodies) {
    names.push_back(spec.grid ? copy_name(spec.name, {0, 0, 0}) : spec.name);
    if (spec.name == name) return names.back();
  }
  return base::find_nearest_name(name, names);
}

InitialMotion make_initial_motion(const BodySpec& spec, const Body& body) {
  const Quat q = spec.orientation.normalized();
  return {.x = spec.position + q * body.center_of_mass,
          .q = q,
          .v = spec.velocity,
          .w = spec.angular_velocity};
}

// Of the copies of one specification the first that is out of reach is told.
void check_reaches(const Scene& scene, const std::vector<std::pair<BodySpec, std::string>>& specs,
                   SceneBuilder& builder) {
  const Body* smallest = find_smallest_moving(scene);
  std::size_t i = 0;
  for (const auto& [spec, place] : specs) {
    Problems problems(builder, place);
    for (const std::size_t end = i + static_cast<std::size_t>(copies_of(spec)); i < end; ++i) {
      if (!problems.any()) check_body_reach(scene, i, smallest, problems);
    }
  }
}

}  // namespace

SceneBuilder::SceneBuilder() { scene_.materials.push_back({.name = "default"}); }

void SceneBuilder::report(base::Diagnostic diagnostic) {
  ++problem_count_;
  if (diagnostics_.size() < kMaxDiagnostics) return diagnostics_.push_back(std::move(diagnostic));
  if (diagnostics_.size() > kMaxDiagnostics) return;
  diagnostics_.push_back({.place = {},
                          .found = "more problems",
                          .expected = "these to be mended first",
                          .hint = {},
                          .file = {}});
}

void SceneBuilder::set_name(std::string name, std::string source) {
  scene_.name = std::move(name);
  scene_.source = std::move(source);
}

void SceneBuilder::set_gravity(const Vec3& gravity) {
  Problems problems(*this, "");
  check_reach("gravity", gravity, kFinite, kScale, problems);
  scene_.gravity = gravity;
}

void SceneBuilder::set_method(MethodSettings settings) { scene_.method = std::move(settings); }

void SceneBuilder::set_duration(double seconds) {
  Problems problems(*this, "");
  check_reach("duration", seconds, kPositive, kScale, problems);
  scene_.duration = seconds;
}

void SceneBuilder::set_output_every(double seconds) {
  Problems problems(*this, "");
  check_reach("output/every", seconds, kPositive, kScale, problems);
  output_every_ = seconds;
}

void SceneBuilder::add_material(const Material& material, const std::string& place) {
  Problems problems(*this, place);
  check_material(material, problems);
  const std::size_t slot = material.name == "default" ? 0 : scene_.materials.size();
  if (slot == kMaxMaterials) return problems.add("", "one material more", "at most 1000 materials");
  if (slot > kMaxMaterials || problems.any()) return;
  if (!material_ids_.emplace(material.name, id_of<MaterialId>(slot)).second) {
    return problems.add("", quoted(material.name), "a name that no other material has");
  }
  if (slot == 0) {
    scene_.materials[0] = material;
  } else {
    scene_.materials.push_back(material);
  }
}

void SceneBuilder::add_pair(const PairSpec& pair, const std::string& place) {
  pairs_.emplace_back(pair, place);
}

void SceneBuilder::add_body(const BodySpec& body, const std::string& place) {
  bodies_.emplace_back(body, place);
}

void SceneBuilder::add_joint(const JointSpec& joint, const std::string& place) {
  joints_.emplace_back(joint, place);
}

void SceneBuilder::add_force(const ForceSpec& force, const std::string& place) {
  forces_.emplace_back(force, place);
}

void SceneBuilder::add_library_materials() {
  const auto add = [&](const std::string& name) {
    if (material_ids_.contains(name)) return;
    const std::optional<Material> found = find_library_material(name);
    if (!found) return;
    material_ids_.emplace(name, id_of<MaterialId>(scene_.materials.size()));
    scene_.materials.push_back(*found);
  };
  for (const auto& [body, place] : bodies_) {
    add(body.material);
    for (const ShapeSpec& shape : body.shapes) add(shape.material);
  }
  for (const auto& [pair, place] : pairs_) {
    for (const std::string& name : pair.materials) add(name);
  }
}

void SceneBuilder::resolve_pairs(std::size_t own_materials) {
  const MaterialTable table{scene_.materials, material_ids_};
  std::vector<PairSpec> pairs;
  for (const auto& [pair, place] : pairs_) {
    Problems problems(*this, place);
    check_pair(pair, problems);
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string& name = pair.materials[side];
      const std::string field = "materials/" + std::to_string(side);
      if (name.empty()) problems.add(field, "an empty name", "the name of a material, or \"*\"");
      if (name != "*") check_material_name(name, table, field, problems);
    }
    pairs.push_back(pair);
  }
  scene_.pairs = make_pair_table(scene_.materials, own_materials, std::move(pairs));
}

bool SceneBuilder::check(const BodySpec& spec, const std::string& place) {
  const MaterialTable table{scene_.materials, material_ids_};
  Problems problems(*this, place);
  check_body(spec, problems);
  check_material_name(spec.material, table, "material", problems);
  for (std::size_t i = 0; i < spec.shapes.size(); ++i) {
    const ShapeSpec& shape = spec.shapes[i];
    Problems of_shape = problems.of_shape(spec, i);
    check_shape(shape, of_shape);
    check_material_name(shape.material, table, "material", of_shape);
    if (spec.motion == Motion::Dynamic && std::holds_alternative<geometry::Plane>(shape.shape)) {
      of_shape.add("type", "a plane on a dynamic body", R"("motion": "fixed" or "driven")");
    }
  }
  return !problems.any();
}

bool SceneBuilder::add_name(const std::string& name, const std::string& place) {
  if (body_ids_.emplace(name, id_of<BodyId>(scene_.bodies.size())).second) return true;
  Problems(*this, place).add("name", quoted(name), "a name that no other body has");
  return false;
}

void SceneBuilder::add_copies(const BodySpec& spec, const Body& body, const std::string& place) {
  const InitialMotion first = make_initial_motion(spec, body);
  const auto add = [&](const std::string& name, const Shift& shift) {
    if (!add_name(name, place)) return false;
    scene_.bodies.push_back(body);
    scene_.bodies.back().name = name;
    scene_.initial.push_back(first);
    scene_.initial.back().x += shift.x;
    scene_.initial.back().v += shift.v;
    return true;
  };
  if (!spec.grid) {
    add(spec.name, {});
    return;
  }
  for_each_copy(spec, add);
}

void SceneBuilder::place_bodies() {
  double total = 0;
  for (const auto& [spec, place] : bodies_) {
    total += copies_of(spec);
    Problems problems(*this, place);
    if (total > kMaxBodies) {
      return problems.add(spec.grid ? "grid/count" : "", describe(total) + " bodies up to here",
                          "at most 10 million");
    }
    Body body;
    if (check(spec, place)) body = make_body(spec, {scene_.materials, material_ids_}, problems);
    add_copies(spec, body, place);
  }
}

std::optional<BodyId> SceneBuilder::find_body(const JointSpec& joint, std::size_t side,
                                              const std::string& place) {
  const std::string& name = joint.between[side];
  if (const auto found = body_ids_.find(name); found != body_ids_.end()) return found->second;
  Problems(*this, place)
      .add("between/" + std::to_string(side), quoted(name), "the name of a body",
           nearest_body(name, bodies_));
  return std::nullopt;
}

void SceneBuilder::place_joints() {
  std::unordered_set<std::string> names;
  for (const auto& [spec, place] : joints_) {
    Problems problems(*this, place);
    check_joint(spec, problems);
    if (!names.insert(spec.name).second) {
      problems.add("name", quoted(spec.name), "a name that no other joint has");
    }
    const auto a = find_body(spec, 0, place);
    const auto b = find_body(spec, 1, place);
    if (!a || !b) continue;
    if (*a == *b) {
      problems.add("between", quoted(spec.between[0]) + " twice", "two different bodies");
    } else if (!scene_.body(*a).is_dynamic() && !scene_.body(*b).is_dynamic()) {
      problems.add("between", "two bodies that nothing moves", "at least one dynamic body");
    }
    if (problems.any()) continue;
    scene_.joints.push_back(make_joint(spec, *a, *b, scene_, problems));
  }
}

void SceneBuilder::place_forces() {
  const auto find = [&](const std::string& name) -> std::optional<BodyId> {
    const auto found = body_ids_.find(name);
    if (found == body_ids_.end()) return std::nullopt;
    return found->second;
  };
  const auto nearest = [&](const std::string& name) { return nearest_body(name, bodies_); };
  const ForcePlacement placement(scene_, find, nearest);
  for (const auto& [spec, place] : forces_) {
    Problems problems(*this, place);
    if (std::optional<Force> made = placement.place(spec, problems))
      scene_.forces.push_back(std::move(*made));
  }
}

// What a crowd records is large, and the audit looks at every output. The choice does not depend on
// the duration, which may grow when a run is resumed.
void SceneBuilder::choose_outputs() {
  scene_.output_every =
      output_every_.value_or(scene_.bodies.size() < kCrowd ? kOutputEvery : kCrowdOutputEvery);
  if (scene_.duration / scene_.output_every > kMaxOutputs) {
    Problems(*this, "").add("output/every", describe(scene_.output_every),
                            "at most a billion outputs in the scene's duration");
  }
}

Scene SceneBuilder::build() {
  material_ids_.emplace("default", MaterialId{});
  const std::size_t own_materials = scene_.materials.size();
  add_library_materials();
  resolve_pairs(own_materials);
  place_bodies();
  place_joints();
  if (ok()) place_forces();
  if (ok()) check_reaches(scene_, bodies_, *this);
  choose_outputs();
  if (!ok()) throw base::BadInput(diagnostics_);
  scene_.tolerances = compute_tolerances(scene_);
  return std::move(scene_);
}

}  // namespace carom::model
