#include "session.h"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <memory>

#include "carom/io/animation.h"
#include "carom/io/csv_sinks.h"
#include "carom/io/recording.h"
#include "carom/io/summary_json.h"
#include "carom/simulation/simulation.h"
#include "progress.h"

namespace carom::cli {

namespace {

// A signal handler can reach nothing but an object with static storage.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);  // a second Ctrl-C ends the program at once
}

std::unique_ptr<record::Sink> make_sink(const std::filesystem::path& path,
                                        const io::LoadedScene& loaded) {
  const std::string ending = path.extension().string();
  if (ending == ".csv") return std::make_unique<io::StatesCsv>(path);
  if (ending == ".glb") return std::make_unique<io::AnimationSink>(path);
  return std::make_unique<io::RecordingSink>(path, loaded.json, simulation::version());
}

}  // namespace

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
  const auto simulation = with_file_named(options.scene_file, [&] {
    return std::make_unique<simulation::Simulation>(
        loaded.scene, simulation::RunOptions{.threads = options.threads, .stop = &stop_requested});
  });
  std::vector<std::unique_ptr<record::Sink>> sinks;
  for (const auto& path : options.out) sinks.push_back(make_sink(path, loaded));
  if (options.events) sinks.push_back(std::make_unique<io::EventsCsv>(*options.events));
  if (options.forces) sinks.push_back(std::make_unique<io::ForcesCsv>(*options.forces));
  if (options.contacts) sinks.push_back(std::make_unique<io::ContactsCsv>(*options.contacts));
  if (!options.quiet) sinks.push_back(std::make_unique<Progress>(loaded.scene.duration));
  for (const auto& sink : sinks) simulation->add(*sink);
  for (record::Sink* sink : more_sinks) simulation->add(*sink);
  stop_requested = false;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is then an error that can be told
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
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
