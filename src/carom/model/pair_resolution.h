// Turns the scene's `pairs` entries into the dense table over all materials. Each field comes from
// the most specific entry that sets it: ("*", "*"), then ("*", x), then (x, y); the later among
// equals. Before all of them come the library's pairs, between materials that are the library's.
#pragma once

#include "carom/model/scene_builder.h"

namespace carom::model {

// The scene's own materials are the first `own` ones, the library's the others.
PairTable make_pair_table(const std::vector<Material>& materials, std::size_t own,
                          std::vector<PairSpec> pairs);

}  // namespace carom::model
