// How far twins of a run get from it, output by output and body by body.
#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "carom/record/sink.h"
#include "twins.h"

namespace carom::cli {

// What the twins are compared with: where bodies are at the outputs, and when they collide.
class BaseRun : public record::Sink {
 public:
  void begin(const Scene& scene) override;
  void output(const State& state) override;
  void event(const record::ContactEvent& event) override;

  const std::vector<BodyId>& bodies() const { return bodies_; }  // those that move
  std::size_t outputs() const { return times_.size(); }
  double time(std::size_t output) const { return times_[output]; }

  // Of a body at an output, m: how far its centre of mass is off, and what the turn by which it is
  // off moves the points at its radius by.
  double distance(std::size_t output, std::size_t track, const BodyState& other) const;
  // Impacts up to t, or where bodies give instead of colliding, touches that begin. Of two bodies
  // at one time there is one.
  std::size_t collisions(double t) const;

 private:
  struct Place {
    Vec3 x;
    Quat q;
  };
  std::vector<BodyId> bodies_;
  std::vector<double> radii_;  // m; of these bodies
  std::vector<double> times_;
  std::vector<Place> places_;  // of all bodies at an output, then of the next
  std::vector<double> impacts_, touches_;
  record::ContactEvent last_impact_, last_touch_;
};

// The greatest distance of all twins of a kind: which of them came first does not matter.
class Divergence {
 public:
  explicit Divergence(const BaseRun& base);
  // Thread-safe. Where the base run has no such output, nothing.
  void add(std::size_t output, const State& state);

  double greatest(std::size_t output) const;
  double of_body(std::size_t output, std::size_t track) const {
    return greatest_[output * base_.bodies().size() + track];
  }
  std::size_t outputs() const { return reached_; }  // that some twin has come to

 private:
  const BaseRun& base_;
  std::mutex mutex_;
  std::vector<double> greatest_;  // m; as places of the base run
  std::size_t reached_ = 0;
};

// A twin on its way.
class TwinSink : public record::Sink {
 public:
  explicit TwinSink(Divergence& divergence) : divergence_(divergence) {}
  void output(const State& state) override { divergence_.add(output_++, state); }

 private:
  Divergence& divergence_;
  std::size_t output_ = 0;
};

}  // namespace carom::cli
