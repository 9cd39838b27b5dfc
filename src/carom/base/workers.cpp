#include "carom/base/workers.h"

#include <algorithm>

namespace carom::base {

Workers::Workers(int threads, Watched watched) : watched_(watched) {
  for (int i = 1; i < threads; ++i) pool_.emplace_back([this] { serve(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : pool_) thread.join();
}

void Workers::run(const Loop& loop) {
  {
    const std::lock_guard lock(mutex_);
    loop_ = loop;
    next_ = 0;
    failure_ = nullptr;
    busy_ = pool_.size();
    ++generation_;
  }
  start_.notify_all();
  share();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void Workers::share() {
  for (;;) {
    const std::size_t first = next_.fetch_add(loop_.grain);
    if (first >= loop_.count) return;
    const std::size_t last = std::min(loop_.count, first + loop_.grain);
    try {
      for (std::size_t i = first; i < last; ++i) {
        watched_.poll();
        loop_.call(loop_.body, i);
      }
    } catch (const std::exception&) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || first < failure_at_) {
        failure_ = std::current_exception();
        failure_at_ = first;
      }
    }
  }
}

void Workers::serve() {
  std::size_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
    }
    share();
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace carom::base
