#include "carom/record/trace.h"

#include <gmock/gmock.h>

namespace carom::record {
namespace {

using testing::ElementsAre;

Checkpoint checkpoint_at(const State& state, const std::string& memory) {
  Checkpoint checkpoint;
  checkpoint.state = state;
  checkpoint.memory = memory;
  return checkpoint;
}

ContactEvent event_at(double t) {
  ContactEvent event;
  event.t = t;
  return event;
}

State state_at(double t) {
  State state;
  state.t = t;
  return state;
}

TEST(TraceSink, CountsTheEventsBeforeEachOutput) {
  TraceSink sink;
  sink.output(state_at(0));
  sink.event(event_at(0.1));
  sink.event(event_at(0.2));
  sink.output(state_at(1));
  EXPECT_THAT(sink.trace().events_before, ElementsAre(0, 2));
  EXPECT_EQ(sink.trace().outputs[1].t, 1);
  EXPECT_EQ(sink.trace().events[1].t, 0.2);
}

TEST(TraceSink, KeepsTheLastCheckpointAndWhatItCovers) {
  TraceSink sink;
  sink.output(state_at(0));
  sink.checkpoint(checkpoint_at(state_at(0), "first"));
  sink.event(event_at(0.5));
  sink.output(state_at(1));
  sink.checkpoint(checkpoint_at(state_at(1), "second"));
  sink.output(state_at(2));
  const Trace& trace = sink.trace();
  ASSERT_TRUE(trace.checkpoint);
  EXPECT_EQ(trace.checkpoint->memory, "second");
  EXPECT_EQ(trace.outputs_at_checkpoint, 2);
  EXPECT_EQ(trace.events_at_checkpoint, 1);
  EXPECT_EQ(trace.outputs.size(), 3);
}

TEST(TraceSink, KeepsTheSummary) {
  TraceSink sink;
  Summary summary;
  summary.scene = "two balls";
  sink.end(summary);
  EXPECT_EQ(sink.summary().scene, "two balls");
}

}  // namespace
}  // namespace carom::record
