// The colour that a shape is shown in, in animations and in the viewer.
#pragma once

#include <string>

#include "carom/model/scene.h"

namespace carom::io {

// "#rrggbb", sRGB: the material's; where it has none, grey for fixed bodies, and the others take
// turns through a palette.
std::string color_of(const Scene& scene, std::size_t body, const model::PlacedShape& shape);

}  // namespace carom::io
