// Where all bodies of a frame without segments are at times within it: each flies freely from its
// last collision, or from the frame's start. A pass over the collisions for all samples of a frame
// together, a pass over the bodies for each; nothing for a frame that no sample falls into.
#pragma once

#include <vector>

#include "carom/record/frame.h"

namespace carom::record {

class FrameSampler {
 public:
  void begin() { passed_ = kNone; }  // a new frame

  // The first `passed` collisions are those up to t; no fewer than in the frame's samples before.
  void sample(const Scene& scene, const Frame& frame, std::size_t passed, double t, State& out);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void pass(const Frame& frame, std::size_t passed);

  std::size_t passed_ = kNone;
  std::vector<std::size_t> last_;  // per body, its last collision up to now
};

}  // namespace carom::record
