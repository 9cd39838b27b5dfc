#include "carom/model/material_library.h"

#include <algorithm>
#include <array>
#include <string>

namespace carom::model {

namespace {

constexpr auto kMaterials = std::to_array<LibraryMaterial>({
    {"steel", 7850, 2.07e11, 0.3, "#8d949b"},
    {"cast iron", 7300, 1e11, 0.26, "#4c4f52"},
    {"aluminium", 2700, 6.9e10, 0.33, "#c3c8cc"},
    {"brass", 8530, 1.1e11, 0.35, "#c9a545"},
    {"glass", 2500, 6.9e10, 0.23, "#a9cfcb"},
    {"concrete", 2400, 3e10, 0.2, "#9b9890"},
    {"granite", 2650, 5e10, 0.21, "#8a7f7b"},
    {"ice", 917, 9.2e9, 0.33, "#cfe6f2"},
    {"wood", 640, 1.25e10, 0.35, "#b5803c"},
    {"leather", 930, 2e8, 0.4, "#7a4a2b"},
    {"rubber", 1100, 2.5e6, 0.49, "#2f2f31"},
    {"acrylic", 1190, 2.7e9, 0.35, "#dfe9ee"},
    {"nylon", 1140, 2.7e9, 0.41, "#ece6d4"},
    {"ptfe", 2170, 4.75e8, 0.46, "#f4f4f2"},
    {"billiard ball", 1700, 9e9, 0.34, "#f1e9d2"},
    {"billiard cloth", 2700, 1e8, 0.3, "#1f7a4d"},
    {"billiard cushion", 950, 2.5e6, 0.49, "#186040"},
});

constexpr std::nullopt_t kUnknown = std::nullopt;
constexpr auto kPairs = std::to_array<LibraryPair>({
    {"steel", "steel", 0.9, 0.42},
    {"steel", "cast iron", kUnknown, 0.23},
    {"steel", "aluminium", kUnknown, 0.47},
    {"steel", "brass", kUnknown, 0.44},
    {"steel", "glass", 0.9, 0.5},
    {"steel", "ice", kUnknown, 0.02},
    {"steel", "wood", 0.5, 0.3},
    {"steel", "leather", kUnknown, 0.6},
    {"steel", "rubber", 0.8, 1},
    {"steel", "acrylic", kUnknown, 0.45},
    {"steel", "nylon", kUnknown, 0.3},
    {"steel", "ptfe", kUnknown, 0.04},
    {"cast iron", "cast iron", kUnknown, 0.15},
    {"cast iron", "brass", kUnknown, 0.3},
    {"cast iron", "wood", kUnknown, 0.49},
    {"brass", "ice", kUnknown, 0.02},
    {"glass", "glass", 0.94, 0.4},
    {"glass", "rubber", 0.8, 1},
    {"concrete", "granite", kUnknown, 0.75},
    {"concrete", "wood", kUnknown, 0.62},
    {"concrete", "rubber", 0.8, 0.7},
    {"granite", "granite", 0.83, 0.6},
    {"ice", "ice", kUnknown, 0.03},
    {"ice", "rubber", kUnknown, 0.15},
    {"wood", "wood", 0.5, 0.3},
    {"wood", "leather", kUnknown, 0.52},
    {"wood", "rubber", 0.8, 1},
    {"acrylic", "acrylic", kUnknown, 0.8},
    {"nylon", "nylon", kUnknown, 0.2},
    {"nylon", "ptfe", kUnknown, 0.05},
    {"ptfe", "ptfe", kUnknown, 0.04},
    {"billiard ball", "billiard ball", 0.95, 0.06},
    {"billiard ball", "billiard cloth", 0.5, 0.2, 0.014},
    {"billiard ball", "billiard cushion", 0.75, 0.14},
    {"billiard ball", "leather", 0.73, 0.6},
});

}  // namespace

std::span<const LibraryMaterial> library_materials() { return kMaterials; }
std::span<const LibraryPair> library_pairs() { return kPairs; }

std::optional<Material> find_library_material(std::string_view name) {
  const auto* found = std::ranges::find(kMaterials, name, &LibraryMaterial::name);
  if (found == kMaterials.end()) return std::nullopt;
  return Material{.name = std::string(found->name),
                  .density = found->density,
                  .youngs_modulus = found->youngs_modulus,
                  .poissons_ratio = found->poissons_ratio,
                  .color = std::string(found->color)};
}

PairProperties find_library_pair(std::string_view a, std::string_view b) {
  const auto is_of = [&](const LibraryPair& pair) {
    return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
  };
  const auto* found = std::ranges::find_if(kPairs, is_of);
  if (found == kPairs.end()) return {};
  return {.restitution = found->restitution.value_or(0),
          .friction = found->friction.value_or(0),
          .rolling_friction = found->rolling_friction.value_or(0)};
}

}  // namespace carom::model
