#include <fmt/format.h>

#include <algorithm>

#include "carom/audit/recorded.h"
#include "carom/base/diagnostics.h"
#include "carom/io/output_file.h"
#include "carom/io/outputs.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"
#include "commands.h"
#include "scene_options.h"
#include "session.h"
#include "summary_table.h"
#include "tolerated.h"

namespace carom::cli {

namespace {

struct RunArguments {
  std::string scene;
  SceneOptions changes;
  std::vector<std::string> tolerate;
  std::string audit;  // empty: full
  std::optional<std::string> resume, audit_only;
  SessionOptions session;
};

bool replaces(const io::Override& later, const io::Override& earlier) {
  const bool same = later.pointer == earlier.pointer && later.value != earlier.value;
  return same || earlier.pointer.starts_with(later.pointer + '/');
}

// What one option says and a later one takes back.
std::vector<std::string> notes_on(const std::vector<io::Override>& overrides) {
  std::vector<std::string> notes;
  for (std::size_t j = 1; j < overrides.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const io::Override &earlier = overrides[i], &later = overrides[j];
      if (!replaces(later, earlier) || earlier.pointer.ends_with("/-")) continue;
      notes.push_back(
          fmt::format("{} = {} takes the place of {} = {}, which the command line gives too",
                      later.pointer, later.value, earlier.pointer, earlier.value));
    }
  }
  return notes;
}

// The scene a recording carries, or the one named on the command line, which must be the same but
// for how long it lasts.
io::LoadedScene scene_to_resume(const RunArguments& arguments, const record::Trace& past) {
  const auto overrides = overrides_of(arguments.changes);
  const io::LoadedScene recorded =
      io::parse_recorded_scene(past, *arguments.resume, {}, simulation::catalog());
  io::LoadedScene wanted =
      arguments.scene.empty()
          ? io::parse_recorded_scene(past, *arguments.resume, overrides, simulation::catalog())
          : load_scene(arguments.scene, overrides, arguments.session.quiet);
  std::vector<base::Diagnostic> problems = io::find_differences(wanted, recorded);
  const double t = past.checkpoint ? past.checkpoint->state.t : 0;
  if (wanted.scene.duration < t) {
    problems.push_back({.place = "/duration",
                        .found = fmt::format("{}", wanted.scene.duration),
                        .expected = fmt::format("at least {} s, which are recorded", t)});
  }
  for (base::Diagnostic& problem : problems)
    problem.file = arguments.scene.empty() ? *arguments.resume : arguments.scene;
  if (!problems.empty()) throw base::BadInput(std::move(problems));
  return wanted;
}

record::Trace read_past(const std::string& recording) {
  record::Trace past = io::read_recording(recording);
  if (past.version != simulation::version()) {
    throw base::BadInput({{.place = "attribute carom_version",
                           .found = past.version,
                           .expected = simulation::version() + ", which goes on bit for bit",
                           .file = recording}});
  }
  return past;
}

int conclude(const record::Summary& summary, bool quiet) {
  if (!quiet) print_summary(summary);
  return exit_status(summary);
}

int run_from_start(const RunArguments& arguments) {
  if (arguments.scene.empty()) {
    throw base::BadInput({{.place = "SCENE", .found = "nothing", .expected = "a scene file"}});
  }
  const io::LoadedScene loaded =
      load_scene(arguments.scene, overrides_of(arguments.changes), arguments.session.quiet);
  SessionOptions session = arguments.session;
  session.scene_file = arguments.scene;
  check_outputs(session, {.files = files_of(arguments.scene, loaded), .recording = {}});
  session.notes = notes_on(overrides_of(arguments.changes));
  return conclude(run_session(loaded, session), session.quiet);
}

// One that was to replace a file and was killed: at its end it takes that file's place.
void publish(const std::filesystem::path& recording) {
  std::filesystem::path own = recording;
  if (own.extension() == io::kPartial) std::filesystem::rename(recording, own.replace_extension());
}

int run_from_recording(const RunArguments& arguments) {
  const std::filesystem::path recording = *arguments.resume;
  const record::Trace past = read_past(*arguments.resume);
  const io::LoadedScene loaded = scene_to_resume(arguments, past);
  SessionOptions session = arguments.session;
  session.notes = notes_on(overrides_of(arguments.changes));
  session.scene_file = arguments.scene.empty() ? recording.string() : arguments.scene;
  const bool goes_on = session.out.empty();
  if (goes_on) session.out.push_back(recording);
  Inputs inputs{.files = {}, .recording = recording};
  if (!arguments.scene.empty()) inputs.files = files_of(arguments.scene, loaded);
  check_outputs(session, inputs);
  const record::Summary summary = run_session(loaded, session, &past);
  if (goes_on) publish(recording);
  return conclude(summary, session.quiet);
}

int judge_recording(const RunArguments& arguments) {
  const std::string& file = *arguments.audit_only;
  if (!arguments.scene.empty()) {
    throw base::BadInput({{.place = "SCENE",
                           .found = arguments.scene,
                           .expected = "nothing: --audit-only takes the scene in " + file}});
  }
  if (!arguments.audit.empty()) {
    throw base::BadInput(
        {{.place = "--audit " + arguments.audit,
          .found = "beside --audit-only",
          .expected = "one of the two: a recording is judged by all its outputs and events"}});
  }
  const record::Trace past = io::read_recording(file);
  const io::LoadedScene loaded = io::parse_recorded_scene(past, file, {}, simulation::catalog());
  const record::AuditResult audit =
      audit::audit_recording(loaded.scene, past, arguments.session.tolerated);
  if (!arguments.session.quiet) print_audit(loaded.scene, past, audit);
  return audit_status("audit of " + file, audit);
}

record::AuditCoverage parse_coverage(const std::string& text) {
  const auto& names = record::kAuditCoverageNames;
  const auto* found = std::ranges::find(names, text);
  if (found == names.end()) {
    const std::vector<std::string> known(names.begin(), names.end());
    throw base::BadInput({{.place = "--audit " + text,
                           .found = '"' + text + '"',
                           .expected = fmt::format("one of {}", fmt::join(known, ", ")),
                           .hint = base::find_nearest_name(text, known)}});
  }
  return static_cast<record::AuditCoverage>(found - names.begin());
}

int run(RunArguments& arguments) {
  if (!arguments.audit.empty()) arguments.session.audit = parse_coverage(arguments.audit);
  for (const std::string& text : arguments.tolerate)
    parse_tolerated(text, arguments.session.tolerated);
  if (arguments.audit_only) return judge_recording(arguments);
  return arguments.resume ? run_from_recording(arguments) : run_from_start(arguments);
}

}  // namespace

void add_run_command(Parser& parser, int& status) {
  auto arguments = std::make_shared<RunArguments>();
  Command command = parser.add_command("run", "Simulate a scene and print a summary");
  command.add_option("SCENE", arguments->scene, "Scene file (may be left out with --resume)");
  add_method_options(command, arguments->changes);
  add_scene_options(command, arguments->changes);
  command
      .add_option("--out", arguments->session.out,
                  "By its ending: .html a page to look at, .mp4 a film, .png a picture, .h5 "
                  "everything, .csv states, .glb animation; repeatable")
      .one_at_a_time();
  command.add_option("--events", arguments->session.events, "Every contact event, as CSV");
  command.add_option("--forces", arguments->session.forces,
                     "Contact and joint forces at every output time, as CSV");
  command.add_option("--contacts", arguments->session.contacts,
                     "What every two bodies did to each other over the run: counts, impulses, "
                     "mean force, as CSV");
  command.add_option("--summary", arguments->session.summary, "The summary as JSON");
  command.add_option("--resume", arguments->resume,
                     "Go on from a recording's last checkpoint, bit for bit; without --out, in the "
                     "same file");
  command
      .add_option("--tolerate", arguments->tolerate,
                  "Limit of the audit instead of what the method promises: NAME=VALUE, by the "
                  "summary's names and in its units, such as max_penetration=1e-4; repeatable")
      .one_at_a_time();
  command.add_option("--audit", arguments->audit,
                     "full; sampled: overlaps in 1 of 10 flights of each pair, all else in full; "
                     "off: no verdict");
  command.add_option("--audit-only", arguments->audit_only,
                     "Judge a recording instead of simulating: what its states and events tell");
  command
      .add_option("--threads", arguments->session.threads,
                  "Threads to use; results do not depend on it")
      .between(1, 1024);
  command.add_flag("--quiet", arguments->session.quiet, "No progress, no summary table");
  command.add_footer(
      list_methods() +
      "Settings of a method stand in the scene under \"method\"; change one with "
      "--set /method/KEY=VALUE.\n--set comes after the other options: where both give "
      "a value, --set holds.");
  command.on_call([arguments, &status] { status = run(*arguments); });
}

}  // namespace carom::cli
