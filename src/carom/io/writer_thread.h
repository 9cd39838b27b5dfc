// Sinks that write, beside the computation: what they are told is copied and told to them on a
// thread of their own, in the same order, so that files have the same bytes. At most two batches
// wait, of some megabytes or up to one checkpoint each; who is faster waits for the other. What a
// sink throws is thrown from the next call that hands over a batch, end() at the latest, and
// nothing is written after it.
//
// For sinks of outputs, forces, events and checkpoints: they are told of nothing else.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <variant>

#include "carom/record/sink.h"

namespace carom::io {

class WriterThread : public record::Sink {
 public:
  explicit WriterThread(std::vector<record::Sink*> sinks);  // which outlive it
  ~WriterThread() override;                                 // writes what it was told

  bool reads_outputs() const override;
  void begin(const Scene& scene) override;  // at once, as end()
  void output(const State& state) override;
  void forces(double t, std::span<const record::CarriedForce> forces) override;
  void event(const record::ContactEvent& event) override;
  void checkpoint(const record::Checkpoint& checkpoint) override;
  void end(const record::Summary& summary) override;

 private:
  struct ForcesAt {
    double t;
    std::vector<record::CarriedForce> forces;
  };
  using Told = std::variant<State, ForcesAt, record::ContactEvent, record::Checkpoint>;

  template <typename What>
  void keep(What&& what, std::size_t bytes);
  void hand_over();
  void serve();
  void deliver(const std::vector<Told>& batch);

  std::vector<record::Sink*> sinks_;
  std::vector<Told> gathered_;
  std::size_t gathered_bytes_ = 0;
  // Below the mutex:
  std::vector<Told> waiting_;
  bool is_writing_ = false, stop_ = false;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace carom::io
