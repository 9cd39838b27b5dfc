// What bodies are made of, and what holds between two materials.
#pragma once

#include <string>
#include <vector>

#include "carom/base/ids.h"

namespace carom::model {

struct Material {
  std::string name{};
  double density = 1000;        // kg/m³
  double youngs_modulus = 1e9;  // Pa
  double poissons_ratio = 0.3;
  std::string color{};  // "#rrggbb", or empty: the viewer chooses
};

struct PairProperties {
  double restitution = 0;
  double friction = 0;
  double rolling_friction = 0, spinning_friction = 0;
};

// Dense table over all pairs of materials, resolved once from the scene's `pairs` entries.
class PairTable {
 public:
  explicit PairTable(std::size_t materials = 0)
      : materials_(materials), table_(materials * materials) {}

  const PairProperties& operator()(MaterialId a, MaterialId b) const {
    return table_[index(a) * materials_ + index(b)];
  }
  void set(MaterialId a, MaterialId b, const PairProperties& properties) {
    table_[index(a) * materials_ + index(b)] = properties;
    table_[index(b) * materials_ + index(a)] = properties;
  }

 private:
  std::size_t materials_;
  std::vector<PairProperties> table_;
};

}  // namespace carom::model
