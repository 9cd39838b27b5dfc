// How far a run has come: a bar on a terminal, a plain line now and then elsewhere. Written to
// stderr, so that it never mixes with results.
#pragma once

#include <chrono>
#include <string>

#include "carom/record/sink.h"

namespace carom::cli {

class Progress : public record::Sink {
 public:
  explicit Progress(double duration);
  void stretch(const record::Stretch& stretch) override;
  void frame(const record::Frame& frame) override;
  void end(const record::Summary& summary) override;

 private:
  using Clock = std::chrono::steady_clock;
  void move_on(double from, double to);
  void show(double t);

  double duration_;
  bool terminal_;
  bool started_ = false;
  double first_t_ = 0;
  Clock::time_point start_, last_;
  bool drawn_ = false;
};

}  // namespace carom::cli
