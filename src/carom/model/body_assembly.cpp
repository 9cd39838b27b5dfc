#include "carom/model/body_assembly.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/shapes/mass_properties.h"
#include "carom/model/material_library.h"
#include "carom/model/reach.h"
#include "carom/model/solid_mesh.h"

namespace carom::model {

namespace {

using geometry::MassProperties;

// A plane's normal becomes a unit vector; n·x < offset stays the same half space.
geometry::Shape normalized(geometry::Shape shape) {
  if (auto* plane = std::get_if<geometry::Plane>(&shape)) {
    const double length = plane->normal.norm();
    plane->normal /= length;
    plane->offset /= length;
  }
  return shape;
}

PlacedShape place_shape(const ShapeSpec& spec, MaterialId material) {
  return {.shape = normalized(spec.shape),
          .X_BS = {spec.pose.p, spec.pose.q.normalized()},
          .material = material,
          .collide = spec.collide};
}

MassProperties compute_mass_properties(const std::vector<PlacedShape>& shapes,
                                       const std::vector<Material>& materials) {
  MassProperties total;
  for (const PlacedShape& placed : shapes) {
    const double density = materials[index(placed.material)].density;
    const MassProperties own = geometry::compute_mass_properties(placed.shape, density);
    if (own.mass == 0) continue;
    const MassProperties piece = geometry::transformed(own, placed.X_BS);
    total = total.mass > 0 ? geometry::combined(total, piece) : piece;
  }
  return total;
}

MaterialId material_of(const ShapeSpec& shape, const BodySpec& body, const MaterialIds& ids) {
  const std::string& name = shape.material.empty() ? body.material : shape.material;
  return name.empty() ? MaterialId{} : ids.at(name);
}

double compute_radius(const std::vector<PlacedShape>& shapes) {
  double radius = 0;
  for (const PlacedShape& placed : shapes) {
    radius = std::max(radius, placed.X_BS.p.norm() + geometry::bounding_radius(placed.shape));
  }
  return radius;
}

void set_inverses(Body& body) {
  body.inverse_mass = 1 / body.mass;
  body.principal = math::make_principal_inertia(body.inertia);
  const Mat3 axes = body.principal.q_BP.toRotationMatrix();
  const Vec3 inverse_moments = body.principal.moments.cwiseInverse();
  body.inverse_inertia = axes * inverse_moments.asDiagonal() * axes.transpose();
}

// Of what shapes and densities give, or of what is given.
void check_mass_reach(const Body& body, std::string_view inertia, Problems& problems) {
  if (!kMass.holds(body.mass))
    problems.add("", "a mass of " + describe(body.mass) + " kg", "one from 1e-60 to 1e60 kg");
  const Vec3& moments = body.principal.moments;
  const double least = moments.minCoeff(), most = moments.maxCoeff();
  const std::string found = "principal moments " + describe(moments) + " kg m²";
  if (!kMoments.holds(least) || !kMoments.holds(most))
    return problems.add(inertia, found, "moments from 1e-120 to 1e120 kg m²");
  if (most <= kMomentsApart * least) return;
  problems.add(inertia, found,
               "moments that are at most 1e14 apart: round-off of the greatest hides others");
}

void set_mass(const BodySpec& spec, const MassProperties& shapes, Body& body, Problems& problems) {
  const bool has_volume = shapes.mass > 0;
  if (!has_volume && !(spec.mass && spec.inertia)) {
    return problems.add("", "no volume",
                        "a solid shape for a dynamic body, or its mass and its inertia");
  }
  body.mass = spec.mass.value_or(shapes.mass);
  body.inertia = spec.inertia ? Mat3(0.5 * (*spec.inertia + spec.inertia->transpose()))
                              : Mat3(shapes.inertia * (body.mass / shapes.mass));
  if (!std::isfinite(body.mass) || !body.inertia.allFinite()) {
    return problems.add("", "a mass or an inertia too large for a number", "a smaller mass");
  }
  if (!geometry::is_physical_inertia(body.inertia)) {
    return problems.add("", "an inertia too small for a number", "larger shapes or a larger mass");
  }
  set_inverses(body);
  check_mass_reach(body, spec.inertia ? "inertia" : "", problems);
}

// What moves must be solid, and what moves and collides convex.
std::vector<PlacedShape> make_movable(const BodySpec& spec, std::vector<PlacedShape> shapes,
                                      const Problems& problems) {
  std::vector<PlacedShape> movable;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto* mesh = std::get_if<geometry::Mesh>(&shapes[i].shape);
    if (mesh == nullptr) {
      movable.push_back(std::move(shapes[i]));
      continue;
    }
    Problems of_shape = problems.of_shape(spec, i);
    for (geometry::Shape& piece : make_solid_shapes(*mesh, shapes[i].collide, of_shape)) {
      movable.push_back(shapes[i]);
      movable.back().shape = std::move(piece);
    }
  }
  return movable;
}

}  // namespace

void check_material_name(const std::string& name, const MaterialTable& table,
                         std::string_view field, Problems& problems) {
  if (name.empty() || table.ids.contains(name)) return;
  std::vector<std::string> names;
  for (const Material& material : table.materials) names.push_back(material.name);
  for (const LibraryMaterial& material : library_materials()) names.emplace_back(material.name);
  problems.add(field, quoted(name),
               "the name of a material, of the scene or of the library (docs/materials.md)",
               base::find_nearest_name(name, names));
}

Body make_body(const BodySpec& spec, const MaterialTable& table, Problems& problems) {
  Body body;
  body.name = spec.name;
  body.motion = spec.motion;
  for (const ShapeSpec& shape : spec.shapes) {
    body.shapes.push_back(place_shape(shape, material_of(shape, spec, table.ids)));
  }
  const MassProperties shapes = compute_mass_properties(body.shapes, table.materials);
  if (!std::isfinite(shapes.mass) || !shapes.center.allFinite() || !shapes.inertia.allFinite()) {
    problems.add("", "a volume too large for a number", "smaller shapes");
    return body;
  }
  if (body.is_dynamic()) body.shapes = make_movable(spec, std::move(body.shapes), problems);
  body.center_of_mass = spec.center_of_mass.value_or(shapes.center);
  for (PlacedShape& placed : body.shapes) placed.X_BS.p -= body.center_of_mass;
  body.radius = compute_radius(body.shapes);
  if (body.is_dynamic()) set_mass(spec, shapes, body, problems);
  return body;
}

}  // namespace carom::model
