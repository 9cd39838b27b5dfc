// What the viewer's page shows of a run: poses, velocities and energies at the output times,
// events, forces, gathered as the run tells them. As bytes they are the columns of page_columns.h
// with a header; viewer/src/embedded.ts reads them.
//
// In memory: 52 bytes for each output of a body that moves, and at most kMostEvents events and
// kMostForces forces. Where there were more, it holds the events of greatest impulse,
// microcollisions last, and the forces of every second output, or fourth, …
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "carom/record/sink.h"

namespace carom::io {

class PageData : public record::Sink {
 public:
  static constexpr std::size_t kMostEvents = 100'000;
  static constexpr std::size_t kMostForces = 300'000;

  explicit PageData(double start = 0);  // s; added to the run's times
  ~PageData() override;
  void begin(const Scene& scene) override;
  void output(const State& state) override;  // later than the last, else it is passed over
  void forces(double t, std::span<const record::CarriedForce> forces) override;
  void event(const record::ContactEvent& event) override;

  // With the scene. `more` is a JSON object, which joins the header.
  std::string to_bytes(const std::string& more);
  // What came since the last call, without the scene, for a page that has it. Forces of an output
  // that was taken before have its number, -1.
  std::string take_bytes(const std::string& more);
  void forget();  // what came so far: time may go back

 private:
  struct Gathered;
  double start_;
  double last_ = -std::numeric_limits<double>::infinity();  // s; of the last output
  std::unique_ptr<Gathered> gathered_;
};

}  // namespace carom::io
