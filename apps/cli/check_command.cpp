#include <fmt/format.h>

#include <fstream>

#include "carom/base/workers.h"
#include "carom/contact/separation.h"
#include "carom/io/output_error.h"
#include "carom/io/scene_edit.h"
#include "carom/methods/notes.h"
#include "carom/simulation/simulation.h"
#include "commands.h"
#include "session.h"

namespace carom::cli {

namespace {

namespace fs = std::filesystem;

struct CheckArguments {
  fs::path scene;
  bool separate = false;
  std::optional<fs::path> out;
};

// Builds the simulation, which refuses what no run can start from.
io::LoadedScene load_checked(const fs::path& file) {
  io::LoadedScene loaded = io::load_scene(file, {}, simulation::catalog());
  with_file_named(file.string(),
                  [&] { return std::make_unique<simulation::Simulation>(loaded.scene); });
  return loaded;
}

void check(const fs::path& file) {
  const io::LoadedScene loaded = load_checked(file);
  print_notes(methods::notes_on(loaded.scene));
  fmt::print("{}: fine; {} bodies, {} joints, {} materials, method {}\n", file.string(),
             loaded.scene.bodies.size(), loaded.scene.joints.size(), loaded.scene.materials.size(),
             loaded.scene.method.name);
}

fs::path file_beside(const fs::path& scene) {
  return scene.parent_path() / (scene.stem().string() + "-separated.json");
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw io::make_output_error(path, errno);
}

[[noreturn]] void refuse(const fs::path& file, const Scene& scene,
                         const contact::Separation& result) {
  const std::string who = fmt::format("\"{}\" and \"{}\"", scene.body(result.left->a).name,
                                      scene.body(result.left->b).name);
  const std::string why = result.joined ? "which joints or fixed bodies hold together"
                                        : "which others keep from moving apart";
  throw base::BadInput(
      {{.place = "/bodies",
        .found = fmt::format("{} overlapping by {:g} m, {}", who, result.left->depth, why),
        .expected = "bodies that translations can bring apart",
        .file = file.string()}});
}

void print_moves(const Scene& scene, const std::vector<Vec3>& shifts) {
  std::size_t moved = 0;
  double farthest = 0;
  for (const Vec3& shift : shifts) {
    if (!shift.isZero(0)) ++moved;
    farthest = std::max(farthest, shift.norm());
  }
  fmt::print("{} of {} bodies moved, by at most {:g} m\n", moved, scene.bodies.size(), farthest);
}

// Writes the scene with its bodies moved apart, and checks what it wrote.
void separate(const CheckArguments& arguments) {
  const io::LoadedScene loaded = io::load_scene(arguments.scene, {}, simulation::catalog());
  base::Workers workers(1);
  const contact::Separation result = contact::separate(loaded.scene, workers);
  if (result.left) refuse(arguments.scene, loaded.scene, result);
  const fs::path out = arguments.out.value_or(file_beside(arguments.scene));
  std::error_code ignored;
  if (fs::equivalent(out, arguments.scene, ignored)) {
    throw base::BadInput({{.place = "--out",
                           .found = "the scene itself",
                           .expected = "another file",
                           .file = out.string()}});
  }
  write_text(out, io::shift_bodies(loaded, result.shifts, arguments.scene.parent_path(),
                                   out.parent_path()));
  print_moves(loaded.scene, result.shifts);
  check(out);
}

}  // namespace

void add_check_command(Parser& parser, int& status) {
  auto arguments = std::make_shared<CheckArguments>();
  Command command = parser.add_command(
      "check",
      "Validate a scene: format, names, inertias, overlap at t = 0; exit 2 if anything is wrong");
  command.add_option("SCENE", arguments->scene, "Scene file").required();
  const Option separate_flag = command.add_flag(
      "--separate", arguments->separate,
      "Move bodies that overlap apart, as little as possible, and write the scene anew");
  command
      .add_option("--out", arguments->out,
                  "Where that scene goes; else SCENE's name with -separated, beside it")
      .needs(separate_flag);
  command.on_call([arguments, &status] {
    if (arguments->separate) {
      separate(*arguments);
    } else {
      check(arguments->scene);
    }
    status = 0;
  });
}

}  // namespace carom::cli
