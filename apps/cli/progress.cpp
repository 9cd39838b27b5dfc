#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace carom::cli {

namespace {

constexpr std::chrono::milliseconds kBarInterval{100};
constexpr std::chrono::seconds kLineInterval{5};
constexpr int kBarWidth = 30;

double seconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

std::string clock_text(double s) {
  const auto whole = static_cast<long>(s);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{:.1f} h", s / 3600);
}

}  // namespace

Progress::Progress(double duration) : duration_(duration), terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::stretch(const record::Stretch& stretch) {
  move_on(stretch.flight.t0, stretch.flight.t0 + stretch.flight.duration);
}

void Progress::frame(const record::Frame& frame) { move_on(frame.start.t, frame.end.t); }

void Progress::move_on(double from, double to) {
  const auto now = Clock::now();
  if (!started_) {
    started_ = true;
    first_t_ = from;
    start_ = last_ = now;
  }
  const auto interval = terminal_ ? Clock::duration(kBarInterval) : Clock::duration(kLineInterval);
  if (now - last_ < interval) return;
  last_ = now;
  show(to);
}

void Progress::show(double t) {
  const double wall = seconds(last_ - start_);
  const double speed = (t - first_t_) / wall;
  const double left = speed > 0 ? (duration_ - t) / speed : 0;
  const double part = std::clamp(t / duration_, 0.0, 1.0);
  const std::string numbers =
      fmt::format("{:5.1f} %  t = {:.3f} s of {:g} s  {:.3g}x real time  {} left", 100 * part, t,
                  duration_, speed, clock_text(left));
  if (!terminal_) {
    fmt::print(stderr, "{}\n", numbers);
    return;
  }
  const int filled = static_cast<int>(part * kBarWidth);
  fmt::print(stderr, "\r[{}{}] {}\033[K", std::string(static_cast<std::size_t>(filled), '='),
             std::string(static_cast<std::size_t>(kBarWidth - filled), ' '), numbers);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::end(const record::Summary&) {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

}  // namespace carom::cli
