#include "carom/simulation/checkpoint_bytes.h"

#include "carom/base/bytes.h"
#include "carom/base/checksum.h"
#include "carom/base/diagnostics.h"
#include "carom/dynamics/state_bytes.h"
#include "carom/simulation/simulation.h"

namespace carom::simulation {

namespace {

std::int64_t checksum(std::string_view bytes) {
  base::Checksum sum;
  sum.add(bytes);
  return sum.value();
}

void add(base::Checksum& sum, const auto& number) {
  std::string bytes;
  base::append_bytes(bytes, number);
  sum.add(bytes);
}

void add_bodies(base::Checksum& sum, const Scene& scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    sum.add(body.name);
    for (const double number : {body.mass, body.radius, static_cast<double>(body.motion)})
      add(sum, number);
    for (const double number : body.inertia.reshaped()) add(sum, number);
    const model::InitialMotion& m = scene.initial[i];
    for (const Vec3& vector : {m.x, m.v, m.w})
      for (const double number : vector) add(sum, number);
    for (const double number : m.q.coeffs()) add(sum, number);
  }
}

void add_materials(base::Checksum& sum, const Scene& scene) {
  for (std::size_t a = 0; a < scene.materials.size(); ++a) {
    add(sum, scene.materials[a].youngs_modulus);
    add(sum, scene.materials[a].poissons_ratio);
    for (std::size_t b = 0; b <= a; ++b) {
      const model::PairProperties& pair = scene.pairs(id_of<MaterialId>(a), id_of<MaterialId>(b));
      for (const double number : {pair.restitution, pair.friction, pair.rolling_friction})
        add(sum, number);
      // Checkpoints from before there was any stay good.
      if (pair.spinning_friction > 0) add(sum, pair.spinning_friction);
    }
  }
}

// Of what decides how bodies move; meshes and hulls by their masses.
std::int64_t checksum(const Scene& scene) {
  base::Checksum sum;
  for (const double number : scene.gravity) add(sum, number);
  add_bodies(sum, scene);
  add_materials(sum, scene);
  for (const auto& [key, value] : scene.method.options) {
    sum.add(key);
    if (const auto* text = std::get_if<std::string>(&value)) sum.add(*text);
    if (const auto* number = std::get_if<double>(&value)) add(sum, *number);
    if (const auto* flag = std::get_if<bool>(&value)) add(sum, *flag);
  }
  return sum.value();
}

// What must be the same for the bytes to make sense.
std::string describe(const Scene& scene) {
  return "carom " + version() + ", \"" + scene.name + "\" under " + scene.method.name + ", " +
         std::to_string(scene.bodies.size()) + " bodies and " +
         std::to_string(scene.joints.size()) + " joints, checksum " +
         std::to_string(checksum(scene));
}

[[noreturn]] void refuse(const std::string& found, const std::string& expected) {
  throw base::BadInput({{.place = "restore()", .found = found, .expected = expected}});
}

}  // namespace

std::string to_bytes(const record::Checkpoint& checkpoint, const Scene& scene) {
  const std::string of = describe(scene);
  std::string body;
  base::append_bytes(body, std::vector<char>(of.begin(), of.end()));
  base::append_bytes(body, checkpoint.state.t);
  for (const BodyState& each : checkpoint.state.bodies) dynamics::append_bytes(body, each);
  base::append_bytes(body, checkpoint.counters);
  base::append_bytes(body, checkpoint.next_output);
  base::append_bytes(body, checkpoint.sequence);
  body += checkpoint.memory;
  std::string bytes;
  base::append_bytes(bytes, checksum(body));
  return bytes + body;
}

record::Checkpoint from_bytes(std::string_view bytes, const Scene& scene) {
  std::int64_t sum = 0;
  if (bytes.size() < sizeof sum) refuse("too few bytes", "what save() wrote");
  base::take_bytes(bytes, sum);
  if (sum != checksum(bytes)) refuse("bytes that were changed", "what save() wrote");
  std::vector<char> of;
  base::take_bytes(bytes, of);
  const std::string found(of.begin(), of.end());
  if (found != describe(scene)) refuse(found, describe(scene));
  record::Checkpoint checkpoint;
  base::take_bytes(bytes, checkpoint.state.t);
  checkpoint.state.bodies.resize(scene.bodies.size());
  for (BodyState& each : checkpoint.state.bodies) dynamics::take_bytes(bytes, each);
  base::take_bytes(bytes, checkpoint.counters);
  base::take_bytes(bytes, checkpoint.next_output);
  base::take_bytes(bytes, checkpoint.sequence);
  checkpoint.memory = bytes;
  return checkpoint;
}

}  // namespace carom::simulation
