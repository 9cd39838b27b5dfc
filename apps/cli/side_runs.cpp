#include "side_runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <list>
#include <optional>
#include <sstream>
#include <thread>

#include "child_process.h"
#include "stop_request.h"

namespace carom::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kGrace = 10;  // s; for a run that was asked to end, to write what it has

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Without notes, which the summary has.
std::string what_it_said(const std::filesystem::path& path) {
  std::istringstream lines(read_text(path));
  std::string said;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("carom: note: ")) said += (said.empty() ? "" : "\n") + line;
  return said;
}

struct Running {
  SideRun* run;
  std::filesystem::path said, summary;
  ChildProcess process;
  Clock::time_point start = Clock::now();
  bool is_late = false;                      // beyond the limit
  std::optional<Clock::time_point> asked{};  // to end
};

class SideBySide {
 public:
  SideBySide(const SidePlan& plan, std::vector<SideRun>& runs, const std::filesystem::path& folder)
      : plan_(plan), runs_(runs), folder_(folder), shows_(!plan.quiet) {}

  void run() {
    const HeardSignals heard;
    while (start_more() || !running_.empty()) {
      std::erase_if(running_, [this](Running& each) { return look_after(each); });
      show();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (drawn_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool start_more() {
    while (!heard_watch().stop && next_ < runs_.size() &&
           running_.size() < static_cast<std::size_t>(plan_.at_a_time))
      start(next_++);
    return !heard_watch().stop && next_ < runs_.size();
  }

  void start(std::size_t number) {
    SideRun& run = runs_[number];
    const std::filesystem::path base = folder_ / std::to_string(number);
    const std::string summary = base.string() + ".json", said = base.string() + ".txt";
    run.recording = base.string() + ".h5";
    std::vector<std::string> command = {"/proc/self/exe", "run", plan_.scene, "--quiet"};
    command.insert(command.end(), {"--method", run.contender.method});
    if (!run.contender.impact.empty())
      command.insert(command.end(), {"--impact", run.contender.impact});
    command.insert(command.end(), {"--out", run.recording.string(), "--summary", summary});
    if (plan_.makes_pages) {
      run.page = base.string() + ".html";
      command.insert(command.end(), {"--out", run.page.string()});
    }
    command.insert(command.end(), plan_.options.begin(), plan_.options.end());
    running_.push_back({&run, said, summary, ChildProcess(command, said)});
  }

  // True when it has ended, which is then told.
  bool look_after(Running& each) {
    if (each.process.poll()) {
      conclude(each);
      if (shows_ && isatty(STDERR_FILENO) == 0)
        fmt::print(stderr, "{}: {} after {:.1f} s\n", each.run->contender.label(),
                   kEndingNames[static_cast<std::size_t>(each.run->ending)],
                   seconds_since(each.start));
      return true;
    }
    if (!each.asked) {
      each.is_late = seconds_since(each.start) > plan_.limit;
      if (!each.is_late && !heard_watch().stop) return false;
      each.asked = Clock::now();
      each.process.ask_to_end();
    } else if (seconds_since(*each.asked) > kGrace) {
      each.process.end();
    }
    return false;
  }

  void conclude(Running& each) const {
    SideRun& run = *each.run;
    const Ended& ended = *each.process.poll();
    run.summary = nlohmann::json::parse(read_text(each.summary), nullptr, false);
    if (run.summary.is_discarded()) run.summary = nullptr;
    const std::string why =
        run.has_run() && run.summary["reason"].is_string() ? run.summary["reason"] : "";
    if (ended.signal != 0) {
      run.ending = each.asked ? Ending::Stopped : Ending::Crashed;
      run.reason = each.asked ? "did not end when asked to, and was ended"
                              : fmt::format("ended by signal {}", ended.signal);
    } else if (run.has_run()) {
      run.ending = run.summary["finished"] ? Ending::Finished : Ending::Stopped;
      run.reason = why;
    } else {
      run.ending = ended.status == 2 ? Ending::Refused : Ending::Stopped;
      run.reason = what_it_said(each.said);
    }
    if (each.is_late && run.ending == Ending::Stopped)
      run.reason = fmt::format("after {:g} s of wall time (--limit): {}", plan_.limit, run.reason);
  }

  void show() {
    if (!shows_ || isatty(STDERR_FILENO) == 0) return;
    std::string names;
    const std::size_t ended = next_ - running_.size();
    for (const Running& each : running_)
      names += fmt::format("{}{} {:.0f} s", names.empty() ? "" : ", ", each.run->contender.label(),
                           seconds_since(each.start));
    fmt::print(stderr, "\r{} of {} done; {}\033[K", ended, runs_.size(), names);
    std::fflush(stderr);
    drawn_ = true;
  }

  const SidePlan& plan_;
  std::vector<SideRun>& runs_;
  const std::filesystem::path& folder_;
  bool shows_, drawn_ = false;
  std::size_t next_ = 0;
  std::list<Running> running_;
};

}  // namespace

std::vector<SideRun> run_side_by_side(const SidePlan& plan, std::vector<Contender> contenders,
                                      const std::filesystem::path& folder) {
  std::vector<SideRun> runs;
  for (Contender& contender : contenders)
    runs.push_back({.contender = std::move(contender), .reason = "stopped before its turn"});
  SideBySide(plan, runs, folder).run();
  return runs;
}

}  // namespace carom::cli
