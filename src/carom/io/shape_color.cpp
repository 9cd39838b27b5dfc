#include "carom/io/shape_color.h"

#include <array>

namespace carom::io {

namespace {

constexpr std::array<const char*, 8> kPalette = {"#4c78a8", "#f58518", "#54a24b", "#e45756",
                                                 "#72b7b2", "#b279a2", "#eeca3b", "#9d755d"};
constexpr const char* kFixedColor = "#d8d8d4";

}  // namespace

std::string color_of(const Scene& scene, std::size_t body, const model::PlacedShape& shape) {
  const std::string& color = scene.materials[index(shape.material)].color;
  if (!color.empty()) return color;
  if (scene.bodies[body].motion == model::Motion::Fixed) return kFixedColor;
  return kPalette[body % kPalette.size()];
}

}  // namespace carom::io
