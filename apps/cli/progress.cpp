#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace carom::cli {

namespace {

constexpr std::chrono::milliseconds kBarInterval{100};
constexpr std::chrono::seconds kLineInterval{10};
constexpr int kBarWidth = 30;

std::string clock_text(double s) {
  const auto whole = static_cast<long>(s);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{:.1f} h", s / 3600);
}

std::string bar(double part) {
  const auto filled = static_cast<std::size_t>(part * kBarWidth);
  return fmt::format("[{}{}] ", std::string(filled, '='), std::string(kBarWidth - filled, ' '));
}

}  // namespace

Progress::Progress(std::string task)
    : terminal_(isatty(STDERR_FILENO) != 0), task_(std::move(task)), start_(Clock::now()) {
  thread_ = std::thread([this] { tick(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  thread_.join();
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void Progress::follow(const base::Watch& watch, double duration) {
  const std::lock_guard lock(mutex_);
  watch_ = &watch;
  first_t_ = watch.reached;
  duration_ = duration;
  start_ = Clock::now();
}

void Progress::tick() {
  const auto interval = terminal_ ? Clock::duration(kBarInterval) : Clock::duration(kLineInterval);
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, interval, [this] { return end_; })) show();
}

std::string Progress::describe() const {
  const double wall = std::chrono::duration<double>(Clock::now() - start_).count();
  if (watch_ == nullptr) return fmt::format("{}, {}", task_, clock_text(wall));
  const double t = watch_->reached;
  const double speed = (t - first_t_) / wall;
  const std::string left = speed > 0 ? clock_text((duration_ - t) / speed) + " left" : "";
  const double part = std::clamp(t / duration_, 0.0, 1.0);
  return fmt::format("{}{:5.1f} %  t = {:.6g} s of {:g} s  {:.3g}x real time  {} so far  {}",
                     terminal_ ? bar(part) : "", 100 * part, t, duration_, speed, clock_text(wall),
                     left);
}

void Progress::show() {
  if (!terminal_) {
    fmt::print(stderr, "{}\n", describe());
    return;
  }
  fmt::print(stderr, "\r{}\033[K", describe());
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace carom::cli
