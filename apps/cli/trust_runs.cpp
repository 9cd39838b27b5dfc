#include "trust_runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "carom/base/diagnostics.h"
#include "carom/simulation/simulation.h"
#include "session.h"
#include "stop_request.h"

namespace carom::cli {

namespace {

using Clock = std::chrono::steady_clock;

// Works through the twins; its watch is the main thread's hand on it.
struct Worker {
  base::Watch watch;
  std::atomic<Clock::time_point> start{Clock::now()};
  std::atomic<bool> is_done{false};
  std::exception_ptr failure{};
  std::thread thread{};
};

class TwinRuns {
 public:
  TwinRuns(const TrustPlan& plan, const io::LoadedScene& loaded, TrustRuns& runs)
      : plan_(plan), loaded_(loaded), runs_(runs), twins_(make_twins(loaded, plan.each)) {
    for (const Twin& twin : twins_) {
      ++runs_.twins[number_of(twin)].asked;
      auto& divergence = runs_.divergence[number_of(twin)];
      if (!divergence) divergence = std::make_unique<Divergence>(runs_.base);
    }
  }

  void run() {
    std::vector<Worker> workers(std::min(static_cast<std::size_t>(plan_.threads), twins_.size()));
    for (Worker& worker : workers) worker.thread = std::thread([&] { work(worker); });
    const auto is_done = [](const Worker& worker) { return worker.is_done.load(); };
    while (!std::ranges::all_of(workers, is_done)) {
      for (Worker& worker : workers) look_after(worker);
      show();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    for (Worker& worker : workers) worker.thread.join();
    if (drawn_) fmt::print(stderr, "\r\033[K");
    for (const Worker& worker : workers)
      if (worker.failure) std::rethrow_exception(worker.failure);
  }

 private:
  static std::size_t number_of(const Twin& twin) { return static_cast<std::size_t>(twin.kind); }

  void work(Worker& worker) {
    try {
      while (!heard_watch().stop) {
        const std::size_t number = next_++;
        if (number >= twins_.size()) break;
        worker.start = Clock::now();
        worker.watch.stop = false;
        run_twin(twins_[number], worker.watch);
      }
    } catch (...) {
      worker.failure = std::current_exception();
    }
    worker.is_done = true;
  }

  void run_twin(const Twin& twin, base::Watch& watch) {
    std::string problem;
    try {
      TwinSink sink(*runs_.divergence[number_of(twin)]);
      simulation::Simulation simulation(make_scene(twin, loaded_, plan_.file),
                                        {.watch = &watch, .audit = false, .step_error = false});
      simulation.add(sink);
      const record::Summary summary = simulation.run();
      if (!summary.finished) problem = summary.reason.value_or("stopped early");
    } catch (const base::BadInput& bad) {
      problem = bad.what();
    } catch (const base::Stopped&) {
      problem = "on request, before it began";
    }
    const std::lock_guard lock(mutex_);
    Twins& twins = runs_.twins[number_of(twin)];
    ++done_;
    if (problem.empty()) ++twins.finished;
    if (twins.problem.empty()) twins.problem = problem;
  }

  void look_after(Worker& worker) const {
    const std::chrono::duration<double> taken = Clock::now() - worker.start.load();
    if (heard_watch().stop || taken.count() > plan_.limit) worker.watch.stop = true;
  }

  void show() {
    if (plan_.quiet || isatty(STDERR_FILENO) == 0) return;
    fmt::print(stderr, "\r{} of {} twins done\033[K", done_.load(), twins_.size());
    std::fflush(stderr);
    drawn_ = true;
  }

  const TrustPlan& plan_;
  const io::LoadedScene& loaded_;
  TrustRuns& runs_;
  std::vector<Twin> twins_;
  std::atomic<std::size_t> next_{0}, done_{0};
  std::mutex mutex_;
  bool drawn_ = false;
};

}  // namespace

void run_with_twins(const TrustPlan& plan, const io::LoadedScene& loaded, TrustRuns& runs) {
  SessionOptions session;
  session.scene_file = plan.file;
  session.quiet = plan.quiet;
  if (!plan.page.empty()) session.out.push_back(plan.page);
  runs.summary = run_session(loaded, session, nullptr, {&runs.base});
  TwinRuns twins(plan, loaded, runs);
  if (heard_watch().stop) return;  // during the run itself
  const HeardSignals heard;
  twins.run();
}

}  // namespace carom::cli
