#include "session.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>

#include "carom/io/output_file.h"
#include "carom/io/outputs.h"
#include "carom/io/page.h"
#include "carom/io/summary_json.h"
#include "carom/io/writer_thread.h"
#include "carom/methods/notes.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"
#include "child_process.h"
#include "film.h"
#include "progress.h"
#include "stop_request.h"

namespace carom::cli {

namespace {

bool is_film(const std::filesystem::path& path) {
  const auto output = io::output_of(path);
  return output == io::Output::Film || output == io::Output::Picture;
}

// Pictures and films are made of pages, once the run has ended.
class Pictures {
 public:
  explicit Pictures(const SessionOptions& options) : options_(options) {
    for (const auto& path : options.out)
      if (is_film(path)) check_film_writable(path);
  }

  std::unique_ptr<record::Sink> add(const std::filesystem::path& output) {
    if (!folder_) folder_.emplace();
    const auto page = folder_->path() / (std::to_string(wanted_.size()) + ".html");
    wanted_.push_back({page, output});
    return std::make_unique<io::PageSink>(page);
  }

  void write(double end) const {
    for (const auto& [page, output] : wanted_) write_film(page, end, output, options_.quiet);
  }

 private:
  struct Wanted {
    std::filesystem::path page, output;
  };
  const SessionOptions& options_;
  std::optional<TemporaryFolder> folder_;
  std::vector<Wanted> wanted_;
};

class Listener : public record::Sink {
 public:
  bool reads_outputs() const override { return false; }
};

std::vector<record::Sink*> pointers_to(const std::vector<std::unique_ptr<record::Sink>>& sinks) {
  std::vector<record::Sink*> pointers;
  for (const auto& sink : sinks) pointers.push_back(sink.get());
  return pointers;
}

struct Output {
  std::string option;
  std::filesystem::path path;
};

std::vector<Output> outputs_of(const SessionOptions& options) {
  std::vector<Output> outputs;
  for (const auto& path : options.out) outputs.push_back({"--out", path});
  const auto add = [&](const char* option, const std::optional<std::filesystem::path>& path) {
    if (path) outputs.push_back({option, *path});
  };
  add("--events", options.events);
  add("--forces", options.forces);
  add("--contacts", options.contacts);
  add("--summary", options.summary);
  return outputs;
}

void check_ending(const std::filesystem::path& path, std::vector<base::Diagnostic>& problems) {
  if (io::output_of(path)) return;
  problems.push_back(io::describe_unknown_ending(path, true));
  problems.back().place.insert(0, "--out ");
}

// Under its own name or under the one it has while it is written.
bool would_touch(const Output& output, const std::filesystem::path& input) {
  const std::filesystem::path partial = output.path.native() + io::kPartial;
  return io::is_same_file(output.path, input) || io::is_same_file(partial, input);
}

void check_inputs(const Output& output, const Inputs& inputs,
                  std::vector<base::Diagnostic>& problems) {
  std::vector<std::filesystem::path> kept = inputs.files;
  const bool goes_on = inputs.recording && output.option == "--out" &&
                       io::is_same_file(output.path, *inputs.recording);
  if (inputs.recording && !goes_on) kept.push_back(*inputs.recording);
  for (const auto& input : kept) {
    if (!would_touch(output, input)) continue;
    problems.push_back({.place = output.option + ' ' + output.path.string(),
                        .found = "a file that the run reads (" + input.string() + ')',
                        .expected = "a file of its own"});
  }
}

void check_others(const std::vector<Output>& outputs, std::vector<base::Diagnostic>& problems) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!io::is_same_file(outputs[i].path, outputs[j].path)) continue;
      problems.push_back(
          {.place = outputs[i].option + ' ' + outputs[i].path.string(),
           .found = "the same file as " + outputs[j].option + ' ' + outputs[j].path.string(),
           .expected = "a file of its own"});
    }
  }
}

std::unique_ptr<Progress> make_progress(bool quiet, const std::string& task) {
  return quiet ? nullptr : std::make_unique<Progress>(task);
}

}  // namespace

io::LoadedScene load_scene(const std::string& file, std::span<const io::Override> overrides,
                           bool quiet) {
  const auto progress = make_progress(quiet, "reading " + file);
  return io::load_scene(file, overrides, simulation::catalog());
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& scene,
                                            const io::LoadedScene& loaded) {
  std::vector<std::filesystem::path> files = {scene};
  for (const record::SceneFile& file : loaded.files)
    files.push_back(scene.parent_path() / file.name);
  return files;
}

void check_outputs(const SessionOptions& options, const Inputs& inputs) {
  std::vector<base::Diagnostic> problems;
  const std::vector<Output> outputs = outputs_of(options);
  for (const auto& path : options.out) check_ending(path, problems);
  for (const Output& output : outputs) check_inputs(output, inputs, problems);
  check_others(outputs, problems);
  if (!problems.empty()) throw base::BadInput(std::move(problems));
}

record::Summary run_session(const io::LoadedScene& loaded, const SessionOptions& options,
                            const record::Trace* past,
                            const std::vector<record::Sink*>& more_sinks) {
  const auto progress = make_progress(options.quiet, "looking for overlaps");
  base::Watch& watch = heard_watch();
  watch.reached = past != nullptr && past->checkpoint ? past->checkpoint->state.t : 0;
  const auto simulation = with_file_named(options.scene_file, [&] {
    return std::make_unique<simulation::Simulation>(
        loaded.scene,
        simulation::RunOptions{.threads = options.threads,
                               .watch = &watch,
                               .audit = options.audit != record::AuditCoverage::Off,
                               .samples_audit = options.audit == record::AuditCoverage::Sampled,
                               .tolerated = options.tolerated,
                               .notes = options.notes});
  });
  print_notes(options.notes);
  print_notes(methods::notes_on(loaded.scene));
  if (options.summary) io::check_writable(*options.summary);
  std::vector<std::unique_ptr<record::Sink>> sinks;
  Pictures pictures(options);
  for (const auto& path : options.out)
    sinks.push_back(is_film(path) ? pictures.add(path)
                                  : io::make_output(path, loaded, simulation::version()));
  if (options.events) sinks.push_back(io::make_events_csv(*options.events));
  if (options.forces) sinks.push_back(io::make_forces_csv(*options.forces));
  if (options.contacts) sinks.push_back(io::make_contacts_csv(*options.contacts));
  std::optional<io::WriterThread> writer;
  if (!sinks.empty()) simulation->add(writer.emplace(pointers_to(sinks)));
  Listener listener;  // else nobody counts events
  if (options.audit == record::AuditCoverage::Off) simulation->add(listener);
  for (record::Sink* sink : more_sinks) simulation->add(*sink);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is then an error that can be told
  const HeardSignals heard;
  if (progress) progress->follow(watch, loaded.scene.duration);
  const record::Summary summary = past != nullptr ? simulation->resume(*past) : simulation->run();
  if (options.summary) io::write_summary(*options.summary, summary);
  pictures.write(summary.simulated_seconds);
  return summary;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print(stderr, "carom: note: {}\n", note);
}

int exit_status(const record::Summary& summary) {
  if (!summary.finished) {
    fmt::print(stderr, "carom: stopped {}\n", summary.reason.value_or("early"));
    return 1;
  }
  return audit_status("run finished, but its audit", summary.audit);
}

int audit_status(std::string_view what, const record::AuditResult& audit) {
  if (audit.passed()) return 0;
  fmt::print(stderr, "carom: the {} failed: {}\n", what,
             fmt::join(io::describe_failures(audit), "; "));
  return 3;
}

}  // namespace carom::cli
