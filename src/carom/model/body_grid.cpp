#include "carom/model/body_grid.h"

#include <algorithm>

#include "carom/base/random.h"

namespace carom::model {

double copies_of(const BodySpec& spec) {
  if (!spec.grid) return 1;
  double copies = 1;
  for (const int count : spec.grid->count) copies *= std::max(count, 0);
  return copies;
}

std::string copy_name(const std::string& name, const std::array<int, 3>& at) {
  return name + '[' + std::to_string(at[0]) + ',' + std::to_string(at[1]) + ',' +
         std::to_string(at[2]) + ']';
}

void for_each_copy(const BodySpec& spec,
                   const std::function<bool(const std::string&, const Shift&)>& add) {
  const GridSpec& grid = *spec.grid;
  base::Random places(grid.seed), velocities(~grid.seed);
  const auto jitter = [](base::Random& random, double most) {
    const double x = random.uniform(-most, most), y = random.uniform(-most, most);
    return Vec3(x, y, random.uniform(-most, most));
  };
  for (int i = 0; i < grid.count[0]; ++i) {
    for (int j = 0; j < grid.count[1]; ++j) {
      for (int k = 0; k < grid.count[2]; ++k) {
        const Vec3 x = grid.spacing.cwiseProduct(Vec3(i, j, k));
        const Shift shift{x + jitter(places, grid.jitter),
                          jitter(velocities, grid.velocity_jitter)};
        if (!add(copy_name(spec.name, {i, j, k}), shift)) return;
      }
    }
  }
}

}  // namespace carom::model
