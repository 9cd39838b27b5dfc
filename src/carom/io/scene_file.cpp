#include "carom/io/scene_file.h"

#include <algorithm>

#include "carom/io/body_reader.h"
#include "carom/io/file_bytes.h"
#include "carom/io/force_reader.h"
#include "carom/io/joint_reader.h"
#include "carom/io/method_reader.h"
#include "carom/io/scene_files.h"

namespace carom::io {

namespace {

using base::BadInput;
using base::Diagnostic;

void clear_lines(JsonValue& value) {
  value.line = 0;
  if (auto* array = value.as<JsonValue::Array>()) {
    for (JsonValue& element : *array) clear_lines(element);
  }
  if (auto* object = value.as<JsonValue::Object>()) {
    for (auto& [key, member] : *object) clear_lines(member);
  }
}

JsonValue parse_override(const std::string& text) {
  JsonValue value;
  try {
    value = parse_json(text);
  } catch (const BadInput&) {
    value.data = text;  // --set /method/name=naive needs no quotes
  }
  clear_lines(value);
  return value;
}

// The optional objects of a scene, so that --set /method/step works on a scene without a method.
void add_missing_parent(JsonValue& document, const std::string& pointer) {
  for (const std::string key : {"method", "output", "uncertain"}) {
    const bool inside = pointer.starts_with('/' + key + '/');
    if (!inside || document.find(key) != nullptr) continue;
    set_value(document, '/' + key, {JsonValue::Object{}, 0});
  }
}

void apply_overrides(JsonValue& document, std::span<const Override> overrides,
                     const std::string& file) {
  std::vector<Diagnostic> problems;
  for (const Override& change : overrides) {
    try {
      add_missing_parent(document, change.pointer);
      set_value(document, change.pointer, parse_override(change.value));
    } catch (const BadInput& bad) {
      problems.insert(problems.end(), bad.diagnostics().begin(), bad.diagnostics().end());
      problems.back().file = file + " (--set)";
    }
  }
  if (!problems.empty()) throw BadInput(std::move(problems));
}

void read_version(const ObjectReader& reader) {
  const JsonValue* version = reader.find("carom");
  if (version == nullptr) return;
  const double* number = version->as<double>();
  if (number != nullptr && *number == 1) return;
  reader.fail("carom", describe(*version), "1, the version of the scene format");
}

void read_materials(const ObjectReader& scene) {
  const JsonValue* materials = scene.find("materials");
  if (materials == nullptr) return;
  const auto* members = materials->as<JsonValue::Object>();
  if (members == nullptr) {
    return scene.fail("materials", describe(*materials), "an object of materials by name");
  }
  for (const auto& [name, value] : *members) {
    const std::string place = pointer_to(scene.at("materials"), name);
    const ObjectReader reader(value, place, format_of("material"), scene.builder());
    model::Material material{.name = name};
    reader.read("density", material.density);
    reader.read("youngs_modulus", material.youngs_modulus);
    reader.read("poissons_ratio", material.poissons_ratio);
    reader.read("color", material.color);
    scene.builder().add_material(material, place);
  }
}

void read_pairs(const ObjectReader& scene) {
  const JsonValue::Array& pairs = scene.list("pairs");
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string place = pointer_to(scene.at("pairs"), i);
    const ObjectReader reader(pairs[i], place, format_of("pair"), scene.builder());
    model::PairSpec pair;
    const bool named = reader.read("materials", pair.materials);
    reader.read("restitution", pair.restitution);
    reader.read("friction", pair.friction);
    reader.read("rolling_friction", pair.rolling_friction);
    reader.read("spinning_friction", pair.spinning_friction);
    if (named) scene.builder().add_pair(pair, place);
  }
}

void read_bodies(const ObjectReader& scene, SceneFiles& files) {
  const JsonValue::Array& bodies = scene.list("bodies");
  const JsonValue* given = scene.find("bodies");
  if (given != nullptr && given->as<JsonValue::Array>() != nullptr && bodies.empty()) {
    scene.fail("bodies", "an empty list", "at least one body");
  }
  const ReadContext context{scene.builder(), files};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string place = pointer_to(scene.at("bodies"), i);
    scene.builder().add_body(read_body(bodies[i], place, context), place);
  }
}

void read_joints(const ObjectReader& scene) {
  const JsonValue::Array& joints = scene.list("joints");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string place = pointer_to(scene.at("joints"), i);
    scene.builder().add_joint(read_joint(joints[i], place, scene.builder()), place);
  }
}

void read_forces(const ObjectReader& scene) {
  const JsonValue::Array& forces = scene.list("forces");
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const std::string place = pointer_to(scene.at("forces"), i);
    if (const auto force = read_force(forces[i], place, scene.builder()))
      scene.builder().add_force(*force, place);
  }
}

void read_run(const ObjectReader& scene, const model::MethodCatalog& catalog) {
  model::SceneBuilder& builder = scene.builder();
  if (const JsonValue* method = scene.find("method")) {
    builder.set_method(read_method(*method, scene.at("method"), catalog, builder));
  }
  double seconds = 0;
  if (scene.read("duration", seconds)) builder.set_duration(seconds);
  if (const JsonValue* output = scene.find("output")) {
    const ObjectReader reader(*output, scene.at("output"), format_of("output"), builder);
    if (reader.read("every", seconds)) builder.set_output_every(seconds);
  }
}

void read_uncertain(const ObjectReader& scene, const JsonValue& document,
                    std::vector<Uncertain>& uncertain) {
  const JsonValue* given = scene.find("uncertain");
  if (given == nullptr) return;
  const auto* members = given->as<JsonValue::Object>();
  if (members == nullptr)
    return scene.fail("uncertain", describe(*given), "an object: JSON pointer -> deviation");
  for (const auto& [pointer, value] : *members) {
    const std::string place = pointer_to(scene.at("uncertain"), pointer);
    const JsonValue* target = find_value(document, pointer);
    const auto* number = target != nullptr ? target->as<double>() : nullptr;
    double deviation = 0;
    if (number == nullptr)
      scene.builder().report({.place = place,
                              .found = target != nullptr ? describe(*target) : "nothing there",
                              .expected = "a pointer to a number that stands in the scene, such as "
                                          "/bodies/1/velocity/0"});
    if (!read_number(value, place, deviation, scene.builder())) continue;
    if (deviation < 0)
      scene.builder().report({.place = place,
                              .found = describe(value),
                              .expected = "a standard deviation, at least 0"});
    else if (number != nullptr)
      uncertain.push_back({pointer, *number, deviation});
  }
}

void read_scene(const ObjectReader& scene, const std::string& file, SceneFiles& files,
                const model::MethodCatalog& catalog) {
  read_version(scene);
  std::string schema, name = std::filesystem::path(file).stem().string(), source;
  scene.read("$schema", schema);
  scene.read("name", name);
  scene.read("source", source);
  scene.builder().set_name(name, source);
  Vec3 gravity;
  if (scene.read("gravity", gravity)) scene.builder().set_gravity(gravity);
  read_materials(scene);
  read_pairs(scene);
  read_bodies(scene, files);
  read_joints(scene);
  read_forces(scene);
  read_run(scene, catalog);
}

bool is_within(const std::string& place, const std::string& outer) {
  return place == outer || place.starts_with(outer + '/');
}

// The builder cannot know that a value is missing because it could not be read. What it finds
// around a place that the reader has reported is such an echo.
void drop_echoes(std::vector<Diagnostic>& diagnostics, std::size_t by_reader) {
  by_reader = std::min(by_reader, diagnostics.size());
  const auto first = diagnostics.begin() + static_cast<std::ptrdiff_t>(by_reader);
  const auto is_echo = [&](const Diagnostic& late) {
    return std::any_of(diagnostics.begin(), first, [&](const Diagnostic& early) {
      return is_within(early.place, late.place) || is_within(late.place, early.place);
    });
  };
  diagnostics.erase(std::remove_if(first, diagnostics.end(), is_echo), diagnostics.end());
}

void add_lines(std::vector<Diagnostic>& diagnostics, const JsonValue& document,
               const std::string& file) {
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.line = find_line(document, diagnostic.place);
    diagnostic.file = diagnostic.line > 0 ? file : file + " (--set)";
  }
  std::ranges::stable_sort(diagnostics, {}, &Diagnostic::line);
}

JsonValue parse_document(std::string_view text, const std::string& file) {
  try {
    return parse_json(text);
  } catch (const BadInput& bad) {
    std::vector<Diagnostic> problems = bad.diagnostics();
    for (Diagnostic& problem : problems) problem.file = file;
    throw BadInput(std::move(problems));
  }
}

LoadedScene parse_with_files(std::string_view text, const std::string& file,
                             std::span<const Override> overrides,
                             const model::MethodCatalog& catalog, SceneFiles files) {
  JsonValue document = parse_document(text, file);
  apply_overrides(document, overrides, file);
  model::SceneBuilder builder;
  const ObjectReader reader(document, "", format_of("scene"), builder);
  read_scene(reader, file, files, catalog);
  std::vector<Uncertain> uncertain;
  read_uncertain(reader, document, uncertain);
  const std::size_t by_reader = builder.problem_count();
  try {
    return {builder.build(), dump_json(document), files.all_read(), std::move(uncertain)};
  } catch (const BadInput& bad) {
    std::vector<Diagnostic> problems = bad.diagnostics();
    drop_echoes(problems, by_reader);
    add_lines(problems, document, file);
    throw BadInput(std::move(problems));
  }
}

}  // namespace

LoadedScene parse_scene(std::string_view text, const std::string& file,
                        std::span<const Override> overrides, const model::MethodCatalog& catalog,
                        const std::filesystem::path& directory) {
  return parse_with_files(text, file, overrides, catalog, SceneFiles(directory));
}

LoadedScene parse_recorded_scene(const record::Trace& recorded, const std::string& file,
                                 std::span<const Override> overrides,
                                 const model::MethodCatalog& catalog) {
  return parse_with_files(recorded.scene_json, file, overrides, catalog,
                          SceneFiles(recorded.scene_files));
}

LoadedScene load_scene(const std::filesystem::path& file, std::span<const Override> overrides,
                       const model::MethodCatalog& catalog) {
  const FileBytes bytes = read_bytes(file);
  if (!bytes.problem.empty()) {
    throw BadInput({{{}, bytes.problem, "a scene file", {}, file.string()}});
  }
  return parse_scene(bytes.bytes, file.string(), overrides, catalog, file.parent_path());
}

}  // namespace carom::io
