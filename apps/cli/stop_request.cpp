#include "stop_request.h"

#include <atomic>
#include <cstdint>
#include <ctime>

namespace carom::cli {

namespace {

// A signal handler can reach nothing but an object with static storage.
base::Watch signalled;
static_assert(decltype(signalled.stop)::is_always_lock_free);

std::atomic<std::int64_t> heard_at;  // ms
static_assert(decltype(heard_at)::is_always_lock_free);

// A second Ctrl-C ends the program at once. What comes within half a second is the first one still:
// who ends a process often sends the signal to its group as well.
void request_stop(int signal) {
  constexpr std::int64_t kOnce = 500;  // ms
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
  if (!signalled.stop.exchange(true)) {
    heard_at = now;
  } else if (now - heard_at > kOnce) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

HeardSignals::HeardSignals() {
  signalled.stop = false;
  for (const int each : kSignals) std::signal(each, request_stop);
}

HeardSignals::~HeardSignals() {
  for (const int each : kSignals) std::signal(each, SIG_DFL);
}

base::Watch& heard_watch() { return signalled; }

}  // namespace carom::cli
