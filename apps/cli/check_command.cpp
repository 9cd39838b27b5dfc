#include <fmt/format.h>

#include "carom/io/scene_file.h"
#include "carom/simulation/simulation.h"
#include "commands.h"
#include "session.h"

namespace carom::cli {

void add_check_command(CLI::App& app, int& status) {
  auto scene = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "check",
      "Validate a scene: format, names, inertias, overlap at t = 0; exit 2 if anything is wrong");
  command->add_option("SCENE", *scene, "Scene file")->required();
  command->callback([scene, &status] {
    const io::LoadedScene loaded = io::load_scene(*scene, {}, methods::catalog());
    with_file_named(*scene, [&] { return std::make_unique<simulation::Simulation>(loaded.scene); });
    fmt::print("{}: fine; {} bodies, {} joints, {} materials, method {}\n", *scene,
               loaded.scene.bodies.size(), loaded.scene.joints.size(),
               loaded.scene.materials.size(), loaded.scene.method.name);
    status = 0;
  });
}

}  // namespace carom::cli
