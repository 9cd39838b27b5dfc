#include "session.h"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <memory>

#include "carom/io/animation.h"
#include "carom/io/csv_sinks.h"
#include "carom/io/recording.h"
#include "carom/io/summary_json.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"
#include "progress.h"

namespace carom::cli {

namespace {

// A signal handler can reach nothing but an object with static storage.
base::Watch watch;
static_assert(decltype(watch.stop)::is_always_lock_free);

void request_stop(int signal) {
  watch.stop = true;
  std::signal(signal, SIG_DFL);  // a second Ctrl-C ends the program at once
}

std::unique_ptr<record::Sink> make_sink(const std::filesystem::path& path,
                                        const io::LoadedScene& loaded) {
  const std::string ending = path.extension().string();
  if (ending == ".csv") return std::make_unique<io::StatesCsv>(path);
  if (ending == ".glb") return std::make_unique<io::AnimationSink>(path);
  return std::make_unique<io::RecordingSink>(path, loaded.json, simulation::version());
}

// While it lives, Ctrl-C ends the run, which then writes all it has. Before and after, there is
// nothing to write, and it ends the program.
class HeardSignals {
 public:
  HeardSignals() {
    watch.stop = false;
    for (const int each : kSignals) std::signal(each, request_stop);
  }
  ~HeardSignals() {
    for (const int each : kSignals) std::signal(each, SIG_DFL);
  }
  HeardSignals(const HeardSignals&) = delete;
  HeardSignals& operator=(const HeardSignals&) = delete;

 private:
  static constexpr std::array<int, 2> kSignals{SIGINT, SIGTERM};
};

std::unique_ptr<Progress> make_progress(bool quiet, const std::string& task) {
  return quiet ? nullptr : std::make_unique<Progress>(task);
}

}  // namespace

io::LoadedScene load_scene(const std::string& file, std::span<const io::Override> overrides,
                           bool quiet) {
  const auto progress = make_progress(quiet, "reading " + file);
  return io::load_scene(file, overrides, methods::catalog());
}

void check_outputs(const SessionOptions& options) {
  for (const std::filesystem::path& path : options.out) {
    const std::string ending = path.extension().string();
    if (ending == ".h5" || ending == ".csv" || ending == ".glb") continue;
    throw base::BadInput(
        {{.place = "--out " + path.string(),
          .found = ending.empty() ? "no file ending" : "the ending \"" + ending + '"',
          .expected = ".h5 (everything), .csv (states) or .glb (animation)"}});
  }
}

record::Summary run_session(const io::LoadedScene& loaded, const SessionOptions& options,
                            const record::Trace* past,
                            const std::vector<record::Sink*>& more_sinks) {
  const auto progress = make_progress(options.quiet, "looking for overlaps");
  watch.reached = past != nullptr && past->checkpoint ? past->checkpoint->state.t : 0;
  const auto simulation = with_file_named(options.scene_file, [&] {
    return std::make_unique<simulation::Simulation>(
        loaded.scene, simulation::RunOptions{.threads = options.threads, .watch = &watch});
  });
  std::vector<std::unique_ptr<record::Sink>> sinks;
  for (const auto& path : options.out) sinks.push_back(make_sink(path, loaded));
  if (options.events) sinks.push_back(std::make_unique<io::EventsCsv>(*options.events));
  if (options.forces) sinks.push_back(std::make_unique<io::ForcesCsv>(*options.forces));
  if (options.contacts) sinks.push_back(std::make_unique<io::ContactsCsv>(*options.contacts));
  for (const auto& sink : sinks) simulation->add(*sink);
  for (record::Sink* sink : more_sinks) simulation->add(*sink);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is then an error that can be told
  const HeardSignals heard;
  if (progress) progress->follow(watch, loaded.scene.duration);
  const record::Summary summary = past != nullptr ? simulation->resume(*past) : simulation->run();
  if (options.summary) io::write_summary(*options.summary, summary);
  return summary;
}

int exit_status(const record::Summary& summary) {
  if (summary.finished) return 0;
  fmt::print(stderr, "carom: stopped {}\n", summary.reason.value_or("early"));
  return 1;
}

}  // namespace carom::cli
