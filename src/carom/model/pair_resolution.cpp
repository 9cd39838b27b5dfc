#include "carom/model/pair_resolution.h"

#include <algorithm>

#include "carom/model/material_library.h"

namespace carom::model {

namespace {

// How many of the two names are not "*".
int specificity(const PairSpec& pair) {
  return static_cast<int>(pair.materials[0] != "*") + static_cast<int>(pair.materials[1] != "*");
}

bool covers(const PairSpec& pair, const std::string& a, const std::string& b) {
  const auto [first, second] = pair.materials;
  const auto fits = [](const std::string& pattern, const std::string& name) {
    return pattern == "*" || pattern == name;
  };
  return (fits(first, a) && fits(second, b)) || (fits(first, b) && fits(second, a));
}

void apply_pair(const PairSpec& pair, const std::vector<Material>& materials, PairTable& table) {
  for (std::size_t i = 0; i < materials.size(); ++i) {
    for (std::size_t j = i; j < materials.size(); ++j) {
      if (!covers(pair, materials[i].name, materials[j].name)) continue;
      const auto a = id_of<MaterialId>(i), b = id_of<MaterialId>(j);
      PairProperties properties = table(a, b);
      properties.restitution = pair.restitution.value_or(properties.restitution);
      properties.friction = pair.friction.value_or(properties.friction);
      properties.rolling_friction = pair.rolling_friction.value_or(properties.rolling_friction);
      properties.spinning_friction = pair.spinning_friction.value_or(properties.spinning_friction);
      table.set(a, b, properties);
    }
  }
}

void apply_library(const std::vector<Material>& materials, std::size_t own, PairTable& table) {
  for (std::size_t i = own; i < materials.size(); ++i) {
    for (std::size_t j = i; j < materials.size(); ++j) {
      table.set(id_of<MaterialId>(i), id_of<MaterialId>(j),
                find_library_pair(materials[i].name, materials[j].name));
    }
  }
}

}  // namespace

PairTable make_pair_table(const std::vector<Material>& materials, std::size_t own,
                          std::vector<PairSpec> pairs) {
  std::ranges::stable_sort(pairs, {}, specificity);
  PairTable table(materials.size());
  apply_library(materials, own, table);
  for (const PairSpec& pair : pairs) apply_pair(pair, materials, table);
  return table;
}

}  // namespace carom::model
