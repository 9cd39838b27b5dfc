// Turns the scene's `pairs` entries into the dense table over all materials. Each field comes from
// the most specific entry that sets it: ("*", "*"), then ("*", x), then (x, y); the later among
// equals.
#pragma once

#include "carom/model/scene_builder.h"

namespace carom::model {

PairTable make_pair_table(const std::vector<Material>& materials, std::vector<PairSpec> pairs);

}  // namespace carom::model
