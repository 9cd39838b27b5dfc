// Expected: what a sink sees that is told directly.
#include "carom/io/writer_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace carom::io {
namespace {

// Notes what it is told, slowly now and then, and fails at a time.
class Notes : public record::Sink {
 public:
  explicit Notes(double fails_at = 1e9) : fails_at_(fails_at) {}
  void output(const State& state) override { note('o', state.t); }
  void forces(double t, std::span<const record::CarriedForce> forces) override {
    note('f', t + static_cast<double>(forces.size()));
  }
  void event(const record::ContactEvent& event) override { note('e', event.t); }
  void checkpoint(const record::Checkpoint& checkpoint) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    note('c', checkpoint.state.t);
  }
  void end(const record::Summary&) override { note('.', 0); }

  std::vector<std::pair<char, double>> notes;

 private:
  void note(char kind, double t) {
    if (t >= fails_at_) throw std::runtime_error("full");
    notes.emplace_back(kind, t);
  }
  double fails_at_;
};

void tell_step(record::Sink& sink, int k) {
  State state;
  state.t = k;
  state.bodies.resize(50);
  sink.event({.t = state.t});
  sink.output(state);
  sink.forces(state.t, std::vector<record::CarriedForce>(static_cast<std::size_t>(k % 3)));
  record::Checkpoint checkpoint;
  checkpoint.state = state;
  if (k % 7 == 0) sink.checkpoint(checkpoint);
}

TEST(WriterThread, TellsEverySinkTheSameInTheSameOrder) {
  Notes direct, first, second;
  WriterThread writer({&first, &second});
  for (record::Sink* sink :
       {static_cast<record::Sink*>(&direct), static_cast<record::Sink*>(&writer)}) {
    for (int k = 0; k < 2000; ++k) tell_step(*sink, k);
    sink->end({});
  }
  EXPECT_EQ(first.notes, direct.notes);
  EXPECT_EQ(second.notes, direct.notes);
}

TEST(WriterThread, ThrowsWhatASinkThrewAndWritesNothingAfterIt) {
  Notes notes(100);
  WriterThread writer({&notes});
  EXPECT_THROW(
      {
        for (int k = 0; k < 2000; ++k) tell_step(writer, k);
        writer.end({});
      },
      std::runtime_error);
  ASSERT_FALSE(notes.notes.empty());
  EXPECT_LT(notes.notes.back().second, 100);
}

TEST(WriterThread, ThrowsAtTheEndWhatFailedLast) {
  Notes notes(10);
  WriterThread writer({&notes});
  for (int k = 0; k < 12; ++k) writer.event({.t = 1.0 * k});
  EXPECT_THROW(writer.end({}), std::runtime_error);
}

TEST(WriterThread, WritesTheRestWhenARunBreaksOff) {
  Notes notes;
  {
    WriterThread writer({&notes});
    for (int k = 0; k < 5; ++k) writer.event({.t = 1.0 * k});
  }
  EXPECT_EQ(notes.notes.size(), 5U);
}

}  // namespace
}  // namespace carom::io
