// Materials that a scene may name without defining them, and what holds between two of them where
// that has been measured. docs/materials.md has the same tables with their sources; a test compares
// the two.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "carom/model/material.h"

namespace carom::model {

struct LibraryMaterial {
  std::string_view name;
  double density;         // kg/m³
  double youngs_modulus;  // Pa
  double poissons_ratio;
  std::string_view color;
};

// Fields without a value are not known.
struct LibraryPair {
  std::string_view first, second;  // in any order
  std::optional<double> restitution, friction, rolling_friction{};
};

std::span<const LibraryMaterial> library_materials();
std::span<const LibraryPair> library_pairs();

std::optional<Material> find_library_material(std::string_view name);

// What is not known keeps its default.
PairProperties find_library_pair(std::string_view a, std::string_view b);

}  // namespace carom::model
