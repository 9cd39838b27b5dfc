#include "carom/io/page_scene.h"

#include <map>
#include <nlohmann/json.hpp>

#include "carom/io/shape_color.h"
#include "carom/io/shape_mesh.h"

namespace carom::io {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json to_json(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }

class ShapeWriter {
 public:
  explicit ShapeWriter(PageColumns& columns) : columns_(columns) {}

  Json operator()(const geometry::Sphere& s) const {
    return {{"type", "ellipsoid"}, {"size", {s.radius, s.radius, s.radius}}};
  }
  Json operator()(const geometry::Ellipsoid& s) const {
    return {{"type", "ellipsoid"}, {"size", to_json(s.radii)}};
  }
  Json operator()(const geometry::Box& s) const {
    return {{"type", "box"}, {"size", to_json(s.half)}};
  }
  Json operator()(const geometry::Capsule& s) const { return round("capsule", s); }
  Json operator()(const geometry::Cylinder& s) const { return round("cylinder", s); }
  Json operator()(const geometry::Cone& s) const { return round("cone", s); }
  Json operator()(const geometry::Plane& s) const {
    return {{"type", "plane"}, {"normal", to_json(s.normal)}, {"offset", s.offset}};
  }
  Json operator()(const geometry::Hull& s) { return triangles(s, s.polyhedron.get()); }
  Json operator()(const geometry::Mesh& s) { return triangles(s, s.surface.get()); }

 private:
  template <typename Round>
  static Json round(const char* type, const Round& s) {
    return {{"type", type}, {"radius", s.radius}, {"length", s.length}};
  }

  Json triangles(const geometry::Shape& shape, const void* surface) {
    const auto [entry, is_new] =
        surfaces_.try_emplace(surface, "triangles " + std::to_string(surfaces_.size()));
    if (is_new) add_corners(make_mesh(shape, 0), entry->second);
    return {{"type", "triangles"}, {"corners", entry->second}};
  }

  void add_corners(const ShownMesh& mesh, const std::string& name) {
    std::vector<float> corners;
    for (const auto& triangle : mesh.triangles)
      for (const std::uint32_t corner : triangle)
        for (const double coordinate : mesh.positions[corner])
          corners.push_back(static_cast<float>(coordinate));
    columns_.add(name, corners);
  }

  PageColumns& columns_;
  std::map<const void*, std::string> surfaces_;
};

Json describe(const Scene& scene, std::size_t body, ShapeWriter& shapes) {
  constexpr std::array<const char*, 3> kMotions = {"dynamic", "fixed", "driven"};
  const Body& described = scene.bodies[body];
  Json parts = Json::array();
  for (const model::PlacedShape& shape : described.shapes)
    parts.push_back({{"shape", std::visit(shapes, shape.shape)},
                     {"position", to_json(shape.X_BS.p)},
                     {"rotation", to_json(shape.X_BS.q)},
                     {"color", color_of(scene, body, shape)}});
  return {{"name", described.name},
          {"motion", kMotions[static_cast<std::size_t>(described.motion)]},
          {"mass", described.mass},
          {"position", to_json(scene.initial[body].x)},
          {"rotation", to_json(scene.initial[body].q)},
          {"parts", parts}};
}

}  // namespace

std::string describe_for_page(const Scene& scene, PageColumns& columns) {
  ShapeWriter shapes(columns);
  Json bodies = Json::array(), joints = Json::array();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    bodies.push_back(describe(scene, i, shapes));
  for (const model::Joint& joint : scene.joints) joints.push_back(joint.name);
  const Json json = {{"name", scene.name},
                     {"gravity", to_json(scene.gravity)},
                     {"bodies", bodies},
                     {"joints", joints}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace carom::io
