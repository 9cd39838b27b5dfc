// A run as one HTML file to look at, from disk and without a network: the viewer's page with the
// recording in it. Poses and velocities at the output times, energies, events, forces, the summary.
//
// Kept in memory until the run ends: 52 bytes for each output of a body that moves, and at most
// kMostEvents events and kMostForces forces. Where there were more, the page holds the events of
// greatest impulse, microcollisions last, and the forces of every second output, or fourth, …
#pragma once

#include <filesystem>
#include <memory>

#include "carom/record/sink.h"

namespace carom::io {

class PageSink : public record::Sink {
 public:
  static constexpr std::size_t kMostEvents = 100'000;
  static constexpr std::size_t kMostForces = 300'000;

  explicit PageSink(std::filesystem::path path);
  ~PageSink() override;
  void begin(const Scene& scene) override;
  void output(const State& state) override;
  void forces(double t, std::span<const record::CarriedForce> forces) override;
  void event(const record::ContactEvent& event) override;
  void end(const record::Summary& summary) override;

 private:
  struct Page;
  std::filesystem::path path_;
  std::unique_ptr<Page> page_;
};

}  // namespace carom::io
