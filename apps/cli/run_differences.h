// How far two runs of one scene are from each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/model/scene.h"
#include "carom/record/trace.h"

namespace carom::cli {

struct Parting {
  double t = 0;  // s
  BodyId body{};
};

struct RunDifferences {
  // At the outputs that both have: of the body for which it is greatest, between its places, m.
  std::vector<double> times, greatest;
  BodyId furthest{};                 // at the last of them
  std::optional<Parting> parting{};  // when the first body was off by more than the size

  // Collisions are those of the first run faster than a hundredth of its fastest, up to the
  // parting. Of each, the nearest time at which the second run has the same bodies touch.
  int collisions = 0, missed = 0;  // missed: the second run never has these bodies touch
  double collision_times = 0;      // s; the greatest distance of those
};

RunDifferences find_differences(const Scene& scene, const record::Trace& first,
                                const record::Trace& second, double size);

// A difference that can be seen: the greatest power of ten, m, that is no more than a tenth of the
// smallest body that moves.
double visible_size(const Scene& scene);

// 0.001 -> "1 mm"
std::string length_text(double length);

}  // namespace carom::cli
