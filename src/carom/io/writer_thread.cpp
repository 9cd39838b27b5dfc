#include "carom/io/writer_thread.h"

#include <algorithm>
#include <utility>

namespace carom::io {

namespace {

constexpr std::size_t kBatch = 4 << 20;  // bytes

// Calls the member of a sink that takes what was told.
struct Tell {
  record::Sink& sink;
  void operator()(const State& state) const { sink.output(state); }
  void operator()(const record::ContactEvent& event) const { sink.event(event); }
  void operator()(const record::Checkpoint& checkpoint) const { sink.checkpoint(checkpoint); }
  void operator()(const auto& at) const { sink.forces(at.t, at.forces); }
};

}  // namespace

WriterThread::WriterThread(std::vector<record::Sink*> sinks)
    : sinks_(std::move(sinks)), thread_([this] { serve(); }) {}

WriterThread::~WriterThread() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty(); });
    waiting_ = std::move(gathered_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool WriterThread::reads_outputs() const {
  return std::ranges::any_of(sinks_, &record::Sink::reads_outputs);
}

void WriterThread::begin(const Scene& scene) {
  for (record::Sink* sink : sinks_) sink->begin(scene);
}

void WriterThread::output(const State& state) {
  keep(state, state.bodies.size() * sizeof(BodyState));
}

void WriterThread::forces(double t, std::span<const record::CarriedForce> forces) {
  keep(ForcesAt{t, {forces.begin(), forces.end()}}, forces.size_bytes());
}

void WriterThread::event(const record::ContactEvent& event) { keep(event, 0); }

// What stands in files is as of the last checkpoint, so it is written soon.
void WriterThread::checkpoint(const record::Checkpoint& checkpoint) { keep(checkpoint, kBatch); }

void WriterThread::end(const record::Summary& summary) {
  hand_over();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty() && !is_writing_; });
    if (failure_) std::rethrow_exception(failure_);
  }
  for (record::Sink* sink : sinks_) sink->end(summary);
}

template <typename What>
void WriterThread::keep(What&& what, std::size_t bytes) {
  gathered_.emplace_back(std::forward<What>(what));
  gathered_bytes_ += bytes + sizeof(Told);
  if (gathered_bytes_ >= kBatch) hand_over();
}

void WriterThread::hand_over() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty(); });
  if (failure_) std::rethrow_exception(failure_);
  waiting_.swap(gathered_);
  gathered_bytes_ = 0;
  lock.unlock();
  changed_.notify_all();
}

void WriterThread::serve() {
  std::vector<Told> batch;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !waiting_.empty() || stop_; });
    if (waiting_.empty()) return;
    batch.clear();
    batch.swap(waiting_);
    is_writing_ = true;
    lock.unlock();
    changed_.notify_all();
    std::exception_ptr failure;
    try {
      deliver(batch);
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
    lock.lock();
    is_writing_ = false;
    if (failure) failure_ = failure;
    changed_.notify_all();
  }
}

void WriterThread::deliver(const std::vector<Told>& batch) {
  if (failure_) return;  // which this thread alone sets
  for (const Told& told : batch)
    for (record::Sink* sink : sinks_) std::visit(Tell{*sink}, told);
}

}  // namespace carom::io
