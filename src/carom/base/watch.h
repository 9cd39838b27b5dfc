// Between a computation that may take long and whoever waits for it, on another thread or in a
// signal handler: how far it has come, and the request to stop.
#pragma once

#include <atomic>
#include <exception>

namespace carom::base {

struct Watch {
  std::atomic<bool> stop{false};   // set to true from anywhere: a run ends within its step
  std::atomic<double> reached{0};  // s, of simulated time
};

// Thrown by poll(); whoever started the computation catches it.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped on request"; }
};

// The side of the computation. Loops whose length no small number bounds poll in every turn: that
// costs as much as reading a variable.
class Watched {
 public:
  Watched() = default;  // nobody waits
  explicit Watched(Watch* watch) : watch_(watch) {}

  bool stopped() const { return watch_ != nullptr && watch_->stop.load(std::memory_order_relaxed); }
  void poll() const {
    if (stopped()) throw Stopped();
  }
  void reach(double t) const {
    if (watch_ != nullptr) watch_->reached.store(t, std::memory_order_relaxed);
  }
  void poll(double t) const {  // at simulated time t
    reach(t);
    poll();
  }

 private:
  Watch* watch_ = nullptr;
};

}  // namespace carom::base
