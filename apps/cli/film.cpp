#include "film.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "browser.h"
#include "carom/io/output_error.h"
#include "carom/io/output_file.h"
#include "carom/io/outputs.h"

namespace carom::cli {

namespace {

constexpr int kFramesPerSecond = 30;
constexpr double kShortest = 2, kLongest = 120;  // s; of a film

void require_program(const std::filesystem::path& output, const std::string& found,
                     const std::string& package) {
  if (!found.empty()) return;
  throw io::make_output_error(
      output, fmt::format("{} is needed for it and is not installed: sudo apt-get install {}",
                          package, package));
}

bool is_moving(const std::filesystem::path& output) {
  return io::output_of(output) == io::Output::Film;
}

// Simulated seconds in a second of the film: a power of two.
double speed_of(double duration) {
  if (duration <= 0) return 1;
  if (duration < kShortest) return std::exp2(-std::ceil(std::log2(kShortest / duration)));
  if (duration > kLongest) return std::exp2(std::ceil(std::log2(duration / kLongest)));
  return 1;
}

// Goes to the moment, and waits until it is drawn.
std::string program_for(double t) {
  return fmt::format(
      "(() => {{ const s = document.getElementById('scrub'); s.value = '{}';"
      "s.dispatchEvent(new Event('input'));"
      "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => "
      "done(true)))); }})()",
      t);
}

// ffmpeg, which takes pictures one after another.
class Encoder {
 public:
  explicit Encoder(const std::filesystem::path& output)
      : place_(output, io::Writing::AtOnce), process_(make_process()) {
    pictures_.close_reading();
  }

  void add(const std::string& picture) {
    for (std::size_t sent = 0; sent < picture.size();) {
      const ssize_t count =
          write(pictures_.writing(), picture.data() + sent, picture.size() - sent);
      if (count <= 0) fail();
      sent += static_cast<std::size_t>(count);
    }
  }

  void finish() {
    pictures_.close_writing();
    const Ended ended = process_.wait();
    if (ended.status != 0 || ended.signal != 0) fail();
    place_.publish();
  }

  ~Encoder() {
    std::error_code ignored;
    if (!place_.is_published()) std::filesystem::remove(place_.working(), ignored);
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

 private:
  ChildProcess make_process() {
    const std::vector<std::string> command = {"ffmpeg",
                                              "-loglevel",
                                              "error",
                                              "-y",
                                              "-f",
                                              "image2pipe",
                                              "-framerate",
                                              std::to_string(kFramesPerSecond),
                                              "-c:v",
                                              "mjpeg",
                                              "-i",
                                              "-",
                                              "-c:v",
                                              "libx264",
                                              "-crf",
                                              "20",
                                              "-pix_fmt",
                                              "yuv420p",
                                              "-movflags",
                                              "+faststart",
                                              "-f",
                                              "mp4",
                                              place_.working().string()};
    return {command, folder_.path() / "said", {{pictures_.reading(), STDIN_FILENO}}};
  }

  [[noreturn]] void fail() const {
    std::ifstream file(folder_.path() / "said");
    std::ostringstream said;
    said << file.rdbuf();
    throw io::make_output_error(place_.own(), "ffmpeg failed: " + said.str());
  }

  io::OutputPlace place_;
  TemporaryFolder folder_;
  Pipe pictures_;
  ChildProcess process_;
};

void write_frames(Browser& browser, double end, const std::filesystem::path& output, bool quiet) {
  Encoder encoder(output);
  const double between = speed_of(end) / kFramesPerSecond;
  const auto frames = static_cast<int>(std::ceil(end / between)) + 1;
  const bool shows = !quiet && isatty(STDERR_FILENO) != 0;
  for (int frame = 0; frame < frames; ++frame) {
    if (shows) fmt::print(stderr, "\rfilm: {} of {} frames\033[K", frame, frames);
    encoder.add(browser.picture_after(program_for(std::min(end, frame * between)), "jpeg"));
  }
  if (shows) fmt::print(stderr, "\r\033[K");
  encoder.finish();
}

}  // namespace

void check_film_writable(const std::filesystem::path& output) {
  require_program(output, find_browser(), "chromium");
  if (is_moving(output)) require_program(output, find_program({"ffmpeg"}), "ffmpeg");
  io::check_writable(output);
}

void write_film(const std::filesystem::path& page, double end, const std::filesystem::path& output,
                bool quiet) {
  Browser browser(page, output);
  if (is_moving(output)) return write_frames(browser, end, output, quiet);
  io::write_file(output, browser.picture_after(program_for(end), "png"));
}

}  // namespace carom::cli
