// How far a run has come: a bar on a terminal, a plain line now and then elsewhere. Written to
// stderr, so that it never mixes with results, by a thread of its own, so that it moves on while a
// step takes long or a scene is loaded.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "carom/base/watch.h"

namespace carom::cli {

class Progress {
 public:
  // Something whose end is not known, told by its name: "reading pile.json".
  explicit Progress(std::string task);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // From now on a run, from where the watch stands up to `duration`.
  void follow(const base::Watch& watch, double duration);

 private:
  using Clock = std::chrono::steady_clock;
  void tick();
  std::string describe() const;
  void show();

  bool terminal_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  bool drawn_ = false;
  std::string task_;
  Clock::time_point start_;
  const base::Watch* watch_ = nullptr;
  double first_t_ = 0, duration_ = 0;
  std::thread thread_;
};

}  // namespace carom::cli
