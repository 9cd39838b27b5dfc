#include "carom/io/shape_reader.h"

#include "carom/geometry/shapes/convex_hull.h"
#include "carom/geometry/shapes/mesh.h"
#include "carom/io/mesh_file.h"
#include "carom/model/problems.h"

namespace carom::io {

namespace {

using geometry::Shape;

template <typename LongShape>
std::optional<Shape> read_long(const ObjectReader& reader) {
  LongShape shape{};
  const bool has_radius = reader.read("radius", shape.radius);
  const bool has_length = reader.read("length", shape.length);
  return has_radius && has_length ? std::optional<Shape>(shape) : std::nullopt;
}

std::optional<Shape> read_sphere(const ObjectReader& reader) {
  geometry::Sphere sphere{};
  return reader.read("radius", sphere.radius) ? std::optional<Shape>(sphere) : std::nullopt;
}

std::optional<Shape> read_box(const ObjectReader& reader) {
  Vec3 size;
  if (!reader.read("size", size)) return std::nullopt;
  return geometry::Box{0.5 * size};
}

std::optional<Shape> read_ellipsoid(const ObjectReader& reader) {
  geometry::Ellipsoid ellipsoid{};
  return reader.read("radii", ellipsoid.radii) ? std::optional<Shape>(ellipsoid) : std::nullopt;
}

std::optional<Shape> read_plane(const ObjectReader& reader) {
  geometry::Plane plane{};
  const bool has_normal = reader.read("normal", plane.normal);
  const bool has_offset = reader.read("offset", plane.offset);
  return has_normal && has_offset ? std::optional<Shape>(plane) : std::nullopt;
}

std::optional<std::vector<Vec3>> read_point_list(const ObjectReader& reader) {
  const JsonValue::Array& list = reader.list("points");
  std::vector<Vec3> points(list.size());
  bool good = reader.find("points")->as<JsonValue::Array>() != nullptr;
  for (std::size_t i = 0; i < list.size(); ++i) {
    good &= read_point(list[i], pointer_to(reader.at("points"), i), points[i], reader.builder());
  }
  return good ? std::optional(std::move(points)) : std::nullopt;
}

constexpr const char* kMeshFile = "an OBJ, STL or text PLY file, relative to the scene";

std::optional<MeshFile> read_file(const ObjectReader& reader, const ReadContext& context) {
  std::string name;
  if (!reader.read("file", name)) return std::nullopt;
  const FileBytes bytes = context.files.read(name);
  MeshFile file = parse_mesh_file(name, bytes.bytes);
  const std::string& problem = bytes.problem.empty() ? file.problem : bytes.problem;
  if (problem.empty()) return file;
  reader.fail("file", model::quoted(name) + ", " + problem, kMeshFile);
  return std::nullopt;
}

std::optional<std::vector<Vec3>> read_point_file(const ObjectReader& reader,
                                                 const ReadContext& context) {
  std::optional<MeshFile> file = read_file(reader, context);
  return file ? std::optional(std::move(file->vertices)) : std::nullopt;
}

std::optional<Shape> read_mesh(const ObjectReader& reader, const ReadContext& context) {
  const std::optional<MeshFile> file = read_file(reader, context);
  if (!file) return std::nullopt;
  const auto result = geometry::make_triangle_mesh(file->vertices, file->triangles);
  if (result.mesh != nullptr) return geometry::Mesh{result.mesh};
  reader.fail("file", result.problem,
              "triangles that make up a surface, at most two at an edge and facing the same way");
  return std::nullopt;
}

std::optional<Shape> read_hull(const ObjectReader& reader, const ReadContext& context) {
  const bool from_file = reader.find("file") != nullptr;
  if (from_file == (reader.find("points") != nullptr)) {
    reader.builder().report({reader.place(),
                             from_file ? "points and a file" : "neither points nor a file",
                             R"(one of "points" and "file")",
                             {},
                             {}});
    return std::nullopt;
  }
  const auto points = from_file ? read_point_file(reader, context) : read_point_list(reader);
  if (!points) return std::nullopt;
  const geometry::HullResult hull = geometry::make_convex_hull(*points);
  if (hull.polyhedron != nullptr) return geometry::Hull{hull.polyhedron};
  reader.fail(from_file ? "file" : "points", "points without a hull (" + hull.problem + ")",
              "at least four points that are not all in one plane");
  return std::nullopt;
}

std::optional<Shape> read_dimensions(const std::string& type, const ObjectReader& reader,
                                     const ReadContext& context) {
  if (type == "sphere") return read_sphere(reader);
  if (type == "box") return read_box(reader);
  if (type == "capsule") return read_long<geometry::Capsule>(reader);
  if (type == "cylinder") return read_long<geometry::Cylinder>(reader);
  if (type == "cone") return read_long<geometry::Cone>(reader);
  if (type == "ellipsoid") return read_ellipsoid(reader);
  if (type == "plane") return read_plane(reader);
  if (type == "hull") return read_hull(reader, context);
  return read_mesh(reader, context);
}

}  // namespace

std::optional<model::ShapeSpec> read_shape(const JsonValue& value, const std::string& place,
                                           const ReadContext& context) {
  const auto type = read_type(value, place, shape_names(), context.problems);
  if (!type) return std::nullopt;
  const ObjectReader reader(value, place, format_of(*type), context.problems);
  const std::optional<Shape> shape = read_dimensions(*type, reader, context);
  model::ShapeSpec spec;
  reader.read("position", spec.pose.p);
  reader.read("orientation", spec.pose.q);
  reader.read("material", spec.material);
  reader.read("collide", spec.collide);
  if (!shape) return std::nullopt;
  spec.shape = *shape;
  spec.place = place;
  return spec;
}

}  // namespace carom::io
