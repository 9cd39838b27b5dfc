// Random rows between bodies of six coordinates, and the same as a dense matrix.
#pragma once

#include "carom/base/random.h"
#include "carom/math/block_rows.h"

namespace carom::support {

// Every row joins two of the bodies, or one with the world.
inline math::BlockRows make_body_rows(base::Random& random, int bodies, int count) {
  std::vector<math::BlockRows::Stretch> stretches;
  for (int i = 0; i < bodies; ++i) stretches.push_back({math::Index{6} * i, 6});
  math::BlockRows rows;
  rows.reset(stretches);
  for (int k = 0; k < count; ++k) {
    const auto a = static_cast<std::int32_t>(random.uniform(0, bodies));
    const auto b = static_cast<std::int32_t>(random.uniform(-1, bodies));
    const math::Index row = rows.add(a, b == a || b < 0 ? math::BlockRows::kNone : b);
    for (const int part : {0, 1}) {
      math::VecView values = rows.part(row, part);
      for (math::Index i = 0; i < values.size(); ++i) values[i] = random.uniform(-1, 1);
    }
    const double length = std::sqrt(rows.squared_norm(row));
    for (const int part : {0, 1}) rows.part(row, part) /= length;
  }
  rows.index();
  return rows;
}

inline MatX dense(const math::BlockRows& rows) {
  MatX R = MatX::Zero(rows.size(), rows.dimension());
  for (math::Index i = 0; i < rows.size(); ++i) {
    for (const int part : {0, 1}) {
      const std::int32_t stretch = rows.stretch_of(i, part);
      if (stretch == math::BlockRows::kNone) continue;
      R.row(i).segment<6>(math::Index{6} * stretch) += rows.part(i, part).transpose();
    }
  }
  return R;
}

}  // namespace carom::support
