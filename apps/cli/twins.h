// Twins of a run: the same scene but for what it cannot be known to better than.
#pragma once

#include <string>
#include <vector>

#include "carom/io/scene_file.h"

namespace carom::cli {

enum class TwinKind { RoundOff, Inputs, Step };
constexpr std::array<const char*, 3> kTwinNames = {"round-off", "inputs", "step"};

struct Twin {
  TwinKind kind;
  std::uint64_t seed;
};

// `each` of round-off and, where the scene says what is uncertain, as many of inputs; one of the
// step, where the method has a step or a tolerance that its error depends on.
std::vector<Twin> make_twins(const io::LoadedScene& loaded, int each);

// Round-off: places and attitudes of dynamic bodies off by one unit in the last place of their size
// or of the body's radius, velocities by one of their own, the signs by chance. Inputs: uncertain
// values normally distributed about theirs. Step: half as long, or a tenth of the tolerance.
// Throws base::BadInput where that is no scene, as with a mass below 0.
Scene make_scene(const Twin& twin, const io::LoadedScene& loaded, const std::string& file);

}  // namespace carom::cli
