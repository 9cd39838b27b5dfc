#include "twins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/random.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"

namespace carom::cli {

namespace {

double sign(base::Random& random) { return random.uniform() < 0.5 ? -1 : 1; }

double last_place(double value, double scale) {
  return std::exp2(-52) * std::max(std::abs(value), scale);
}

void move_by_last_place(Vec3& value, double scale, base::Random& random) {
  for (int i = 0; i < 3; ++i) value[i] += sign(random) * last_place(value[i], scale);
}

void round_off(Scene& scene, base::Random& random) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].is_dynamic()) continue;
    model::InitialMotion& motion = scene.initial[i];
    move_by_last_place(motion.x, scene.bodies[i].radius, random);
    move_by_last_place(motion.v, 0, random);
    move_by_last_place(motion.w, 0, random);
    Vec3 half_turn = Vec3::Zero();
    move_by_last_place(half_turn, 0.5, random);
    motion.q = (Quat(1, half_turn.x(), half_turn.y(), half_turn.z()) * motion.q).normalized();
  }
}

// Box and Muller's; of a uniform number in (0, 1].
double normal(base::Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

std::vector<io::Override> draw_inputs(const io::LoadedScene& loaded, base::Random& random) {
  std::vector<io::Override> drawn;
  for (const io::Uncertain& each : loaded.uncertain)
    drawn.push_back(
        {each.pointer, fmt::format("{}", each.value + each.deviation * normal(random))});
  return drawn;
}

// The setting that a method's error falls with; none where its motion is exact within a step.
std::optional<io::Override> refinement(const Scene& scene) {
  if (methods::has_fixed_step(scene) && !methods::has_automatic_step(scene))
    return io::Override{"/method/step", fmt::format("{}", methods::step_of(scene) / 2)};
  const auto* method = model::find_method(simulation::catalog(), scene.method.name);
  const auto found =
      std::ranges::find(method->settings, "tolerance", &model::SettingDescription::key);
  if (found == method->settings.end()) return {};
  const double usual = std::get<double>(found->fallback);
  return io::Override{"/method/tolerance",
                      fmt::format("{}", scene.method.number("tolerance", usual) / 10)};
}

}  // namespace

std::vector<Twin> make_twins(const io::LoadedScene& loaded, int each) {
  std::vector<Twin> twins;
  const auto add = [&](TwinKind kind, int count) {
    for (int i = 0; i < count; ++i) twins.push_back({kind, static_cast<std::uint64_t>(i + 1)});
  };
  add(TwinKind::RoundOff, each);
  if (!loaded.uncertain.empty()) add(TwinKind::Inputs, each);
  if (refinement(loaded.scene)) add(TwinKind::Step, 1);
  return twins;
}

Scene make_scene(const Twin& twin, const io::LoadedScene& loaded, const std::string& file) {
  base::Random random(twin.seed);
  std::vector<io::Override> changes;
  switch (twin.kind) {
    case TwinKind::RoundOff: {
      Scene scene = loaded.scene;
      round_off(scene, random);
      return scene;
    }
    case TwinKind::Inputs:
      changes = draw_inputs(loaded, random);
      break;
    case TwinKind::Step:
      changes = {*refinement(loaded.scene)};
      break;
  }
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  return io::parse_scene(loaded.json, file, changes, simulation::catalog(), folder).scene;
}

}  // namespace carom::cli
