// What one call of a program that steps a simulation brought: its events and the forces at its end.
#pragma once

#include <vector>

#include "carom/record/sink.h"

namespace carom::simulation {

class LastCall : public record::Sink {
 public:
  explicit LastCall(const Scene& scene) : scene_(scene) {}

  void clear();

  bool reads_outputs() const override { return false; }
  void event(const record::ContactEvent& event) override { events_.push_back(event); }
  void segment(const record::Segment& segment) override;
  void frame(const record::Frame& frame) override;

  std::span<const record::ContactEvent> events() const { return events_; }
  std::span<const record::CarriedForce> carried() const { return forces_; }
  void find_forces(const State& end);  // at the end, which is `end`

 private:
  struct Acting {  // at the end of a flight or of a segment
    std::vector<record::CarriedForce> start, middle, end;
    double levers_at = 0;  // s
  };
  void keep(const record::Forces& forces);

  const Scene& scene_;
  std::vector<record::ContactEvent> events_;
  std::vector<Acting> acting_;
  std::size_t count_ = 0;  // of those in use; the rest is memory
  std::vector<record::CarriedForce> forces_;
};

}  // namespace carom::simulation
