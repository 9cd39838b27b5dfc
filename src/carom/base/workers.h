// A few threads that share a loop. Work item i writes to place i alone, so the result does not
// depend on how many threads there are or which one took it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "carom/base/watch.h"

namespace carom::base {

class Workers {
 public:
  // With 1 thread everything runs in the calling one.
  explicit Workers(int threads, Watched watched = {});
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const { return static_cast<int>(pool_.size()) + 1; }
  const Watched& watched() const { return watched_; }

  // Calls body(i) for every i in [0, count), in chunks of `grain`; returns when all are done. The
  // first exception by index order of its chunk is passed on; a request to stop is one (watch.h).
  template <typename Body>
  void for_each(std::size_t count, std::size_t grain, Body& body) {
    if (pool_.empty() || count <= grain) {
      for (std::size_t i = 0; i < count; ++i) {
        watched_.poll();
        body(i);
      }
      return;
    }
    run({count, grain, &body, [](void* f, std::size_t i) { (*static_cast<Body*>(f))(i); }});
  }

 private:
  struct Loop {
    std::size_t count = 0, grain = 1;
    void* body = nullptr;
    void (*call)(void*, std::size_t) = nullptr;
  };
  void run(const Loop& loop);
  void share();
  void serve();

  Watched watched_;
  Loop loop_;
  std::atomic<std::size_t> next_{0};
  std::size_t generation_ = 0;
  std::size_t busy_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
  std::size_t failure_at_ = 0;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::vector<std::thread> pool_;
};

}  // namespace carom::base
