// Notices collisions that follow one another without end while time stands still: a ball that just
// fits between two walls, or a collapse that no hop speed ends.
#pragma once

#include <cmath>
#include <cstdint>

namespace carom::methods {

class ZenoDetector {
 public:
  explicit ZenoDetector(std::size_t bodies)
      : most_(kMostAtOnce * static_cast<std::int64_t>(bodies)) {}

  // There is one more collision at time t, s.
  bool is_endless(double t) {
    if (t > since_ + kInstant) {
      since_ = t;
      count_ = 0;
    }
    return ++count_ > most_;
  }

 private:
  static constexpr double kInstant = 1e-9;  // s
  static constexpr std::int64_t kMostAtOnce = 500;

  std::int64_t most_, count_ = 0;
  double since_ = -HUGE_VAL;
};

}  // namespace carom::methods
