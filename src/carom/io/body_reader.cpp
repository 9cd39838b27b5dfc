#include "carom/io/body_reader.h"

#include <cmath>
#include <limits>

#include "carom/io/shape_reader.h"

namespace carom::io {

namespace {

void read_shapes(const ObjectReader& reader, const ReadContext& context, model::BodySpec& spec) {
  const JsonValue* single = reader.find("shape");
  if ((single != nullptr) == (reader.find("shapes") != nullptr)) {
    return context.problems.report(
        {reader.place(),
         single != nullptr ? "both \"shape\" and \"shapes\"" : "no shape",
         R"(either "shape" or "shapes")",
         {},
         {}});
  }
  const auto add = [&](const JsonValue& value, const std::string& place) {
    if (auto shape = read_shape(value, place, context)) spec.shapes.push_back(std::move(*shape));
  };
  if (single != nullptr) return add(*single, reader.at("shape"));
  const JsonValue::Array& list = reader.list("shapes");
  for (std::size_t i = 0; i < list.size(); ++i) add(list[i], pointer_to(reader.at("shapes"), i));
}

// Three principal moments along the body's axes, or a matrix by rows.
void read_inertia(const ObjectReader& reader, model::BodySpec& spec) {
  const JsonValue* value = reader.find("inertia");
  if (value == nullptr) return;
  const auto* rows = value->as<JsonValue::Array>();
  if (rows == nullptr || rows->size() != 3) {
    return reader.fail("inertia", describe(*value), "3 numbers, or 3 lists of 3 numbers");
  }
  if ((*rows)[0].as<JsonValue::Array>() == nullptr) {
    Vec3 diagonal;
    if (reader.read("inertia", diagonal)) spec.inertia = diagonal.asDiagonal();
    return;
  }
  Mat3 matrix;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 row;
    const std::string place = pointer_to(reader.at("inertia"), i);
    if (!read_point((*rows)[i], place, row, reader.builder())) return;
    matrix.row(static_cast<int>(i)) = row.transpose();
  }
  spec.inertia = matrix;
}

bool is_whole(double number, double limit) {
  return number == std::trunc(number) && std::abs(number) <= limit;
}

void read_count(const ObjectReader& grid, std::array<int, 3>& out) {
  std::vector<double> count;
  if (!grid.read_numbers("count", count, 3)) return;
  for (std::size_t i = 0; i < 3; ++i) {
    if (is_whole(count[i], std::numeric_limits<int>::max())) {
      out[i] = static_cast<int>(count[i]);
    } else {
      grid.builder().report({pointer_to(grid.at("count"), i),
                             describe(JsonValue{count[i]}),
                             "a whole number >= 1",
                             {},
                             {}});
    }
  }
}

model::GridSpec read_grid(const JsonValue& value, const std::string& place,
                          model::SceneBuilder& problems) {
  constexpr double kExact = 0x1p53;  // whole numbers up to here survive being a JSON number
  const ObjectReader reader(value, place, format_of("grid"), problems);
  model::GridSpec grid;
  read_count(reader, grid.count);
  reader.read("spacing", grid.spacing);
  reader.read("jitter", grid.jitter);
  reader.read("velocity_jitter", grid.velocity_jitter);
  double seed = 0;
  reader.read("seed", seed);
  if (seed >= 0 && is_whole(seed, kExact)) {
    grid.seed = static_cast<std::uint64_t>(seed);
  } else {
    reader.fail("seed", describe(JsonValue{seed}), "a whole number from 0 to 2^53");
  }
  return grid;
}

}  // namespace

model::BodySpec read_body(const JsonValue& value, const std::string& place,
                          const ReadContext& context) {
  const ObjectReader reader(value, place, format_of("body"), context.problems);
  model::BodySpec spec;
  if (value.as<JsonValue::Object>() == nullptr) return spec;
  reader.read("name", spec.name);
  if (const auto motion = reader.read_choice("motion", {"dynamic", "fixed", "driven"})) {
    spec.motion = static_cast<model::Motion>(*motion);
  }
  reader.read("material", spec.material);
  read_shapes(reader, context, spec);
  reader.read("mass", spec.mass);
  read_inertia(reader, spec);
  reader.read("center_of_mass", spec.center_of_mass);
  reader.read("position", spec.position);
  reader.read("orientation", spec.orientation);
  reader.read("velocity", spec.velocity);
  reader.read("angular_velocity", spec.angular_velocity);
  if (const JsonValue* grid = reader.find("grid")) {
    spec.grid = read_grid(*grid, reader.at("grid"), context.problems);
  }
  return spec;
}

}  // namespace carom::io
