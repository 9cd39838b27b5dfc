// Tables of values by name, {"vz", how to compute it}, and bodies by theirs.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "carom/model/scene.h"

namespace carom::cli {

template <typename Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

template <typename Table>
const auto& entry_of(const Table& table, const std::string& name) {
  return *std::ranges::find(table, name, [](const auto& entry) { return std::string(entry.name); });
}

inline std::size_t index_of(const Scene& scene, const std::string& body) {
  return static_cast<std::size_t>(std::ranges::find(scene.bodies, body, &Body::name) -
                                  scene.bodies.begin());
}

}  // namespace carom::cli
