#include "carom/io/shape_mesh.h"

#include <cmath>
#include <numbers>

#include "carom/geometry/shapes/mesh.h"

namespace carom::io {

namespace {

constexpr int kSlices = 32;        // around the axis
constexpr int kArcSteps = 8;       // per quarter circle of a profile
constexpr int kPlaneSquares = 24;  // along an edge

// A point of a profile curve in the (r, z) half plane, with the outward normal there.
struct ProfilePoint {
  double r, z, normal_r, normal_z;
};
using Profile = std::vector<ProfilePoint>;

void add_quad(ShownMesh& mesh, const std::array<std::uint32_t, 4>& corners) {
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Vec3 &p = mesh.positions[a], &q = mesh.positions[b], &s = mesh.positions[c];
    if (p != q && q != s && s != p) mesh.triangles.push_back({a, b, c});  // poles and sharp edges
  };
  add(corners[0], corners[1], corners[2]);
  add(corners[0], corners[2], corners[3]);
}

// The profile runs from the bottom to the top; the surface is what it sweeps about z.
ShownMesh revolve(const Profile& profile) {
  ShownMesh mesh;
  for (const ProfilePoint& point : profile) {
    for (int slice = 0; slice < kSlices; ++slice) {
      const double angle = 2 * std::numbers::pi * slice / kSlices;
      const double c = std::cos(angle), s = std::sin(angle);
      mesh.positions.emplace_back(point.r * c, point.r * s, point.z);
      mesh.normals.emplace_back(point.normal_r * c, point.normal_r * s, point.normal_z);
    }
  }
  const auto at = [](std::size_t ring, int slice) {
    return static_cast<std::uint32_t>(ring) * kSlices + static_cast<std::uint32_t>(slice % kSlices);
  };
  for (std::size_t ring = 0; ring + 1 < profile.size(); ++ring)
    for (int slice = 0; slice < kSlices; ++slice)
      add_quad(mesh, {at(ring, slice), at(ring, slice + 1), at(ring + 1, slice + 1),
                      at(ring + 1, slice)});
  return mesh;
}

// A quarter circle about (0, z), from `start` quarter turns below the equator upwards.
void add_arc(Profile& profile, double radius, double z, int start) {
  for (int i = 0; i <= kArcSteps; ++i) {
    const double angle = 0.5 * std::numbers::pi * (start + static_cast<double>(i) / kArcSteps);
    const bool at_pole = (start < 0 && i == 0) || (start >= 0 && i == kArcSteps);
    const double c = at_pole ? 0 : std::cos(angle);
    profile.push_back({radius * c, z + radius * std::sin(angle), c, std::sin(angle)});
  }
}

ShownMesh mesh_of(const geometry::Capsule& capsule, double /*plane_extent*/) {
  Profile profile;
  add_arc(profile, capsule.radius, -0.5 * capsule.length, -1);
  add_arc(profile, capsule.radius, 0.5 * capsule.length, 0);
  return revolve(profile);
}

ShownMesh mesh_of(const geometry::Sphere& sphere, double plane_extent) {
  return mesh_of(geometry::Capsule{sphere.radius, 0}, plane_extent);
}

ShownMesh mesh_of(const geometry::Ellipsoid& ellipsoid, double plane_extent) {
  ShownMesh mesh = mesh_of(geometry::Sphere{1}, plane_extent);
  for (Vec3& position : mesh.positions) position = position.cwiseProduct(ellipsoid.radii);
  for (Vec3& normal : mesh.normals) normal = normal.cwiseQuotient(ellipsoid.radii).normalized();
  return mesh;
}

ShownMesh mesh_of(const geometry::Cylinder& cylinder, double /*plane_extent*/) {
  const double r = cylinder.radius, h = 0.5 * cylinder.length;
  return revolve(
      {{0, -h, 0, -1}, {r, -h, 0, -1}, {r, -h, 1, 0}, {r, h, 1, 0}, {r, h, 0, 1}, {0, h, 0, 1}});
}

ShownMesh mesh_of(const geometry::Cone& cone, double /*plane_extent*/) {
  const double r = cone.radius, h = 0.5 * cone.length;
  const double slant = std::hypot(cone.radius, cone.length);
  const double normal_r = cone.length / slant, normal_z = cone.radius / slant;
  return revolve(
      {{0, -h, 0, -1}, {r, -h, 0, -1}, {r, -h, normal_r, normal_z}, {0, h, normal_r, normal_z}});
}

Vec3 facet_normal(const geometry::Polyhedron& polyhedron, const std::vector<int>& facet) {
  Vec3 area = Vec3::Zero();  // Newell: right also where three corners lie on a line
  for (std::size_t i = 0; i < facet.size(); ++i) {
    const Vec3& p = polyhedron.vertices[static_cast<std::size_t>(facet[i])];
    area += p.cross(polyhedron.vertices[static_cast<std::size_t>(facet[(i + 1) % facet.size()])]);
  }
  return area.normalized();
}

ShownMesh flat_mesh(const geometry::Polyhedron& polyhedron) {
  ShownMesh mesh;
  for (const std::vector<int>& facet : polyhedron.facets) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const Vec3 normal = facet_normal(polyhedron, facet);
    for (const int vertex : facet) {
      mesh.positions.push_back(polyhedron.vertices[static_cast<std::size_t>(vertex)]);
      mesh.normals.push_back(normal);
    }
    for (std::uint32_t i = 2; i < facet.size(); ++i)
      mesh.triangles.push_back({first, first + i - 1, first + i});
  }
  return mesh;
}

ShownMesh mesh_of(const geometry::Hull& hull, double /*plane_extent*/) {
  return flat_mesh(*hull.polyhedron);
}

ShownMesh mesh_of(const geometry::Mesh& shape, double /*plane_extent*/) {
  const geometry::TriangleMesh& surface = *shape.surface;
  ShownMesh mesh;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int k = 0; k < 3; ++k) {
      mesh.positions.push_back(surface.corner(static_cast<std::int32_t>(t), k));
      mesh.normals.push_back(surface.normals[t]);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

ShownMesh mesh_of(const geometry::Box& box, double /*plane_extent*/) {
  geometry::Polyhedron cuboid;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 signs(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    cuboid.vertices.push_back(box.half.cwiseProduct(signs));
  }
  cuboid.facets = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return flat_mesh(cuboid);
}

ShownMesh mesh_of(const geometry::Plane& plane, double extent) {
  ShownMesh mesh;
  const math::Tangents tangents = math::make_tangents(plane.normal);
  const double edge = 2 * extent / kPlaneSquares;
  for (int i = 0; i < kPlaneSquares; ++i) {
    for (int j = 0; j < kPlaneSquares; ++j) {
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      for (const auto& [u, v] : {std::pair{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}) {
        mesh.positions.push_back(plane.offset * plane.normal +
                                 (u * edge - extent) * tangents.first +
                                 (v * edge - extent) * tangents.second);
        mesh.normals.push_back(plane.normal);
        mesh.shades.push_back((i + j) % 2 == 0 ? 1.0F : 0.82F);
      }
      add_quad(mesh, {first, first + 1, first + 2, first + 3});
    }
  }
  return mesh;
}

}  // namespace

ShownMesh make_mesh(const geometry::Shape& shape, double plane_extent) {
  return std::visit([&](const auto& s) { return mesh_of(s, plane_extent); }, shape);
}

}  // namespace carom::io
