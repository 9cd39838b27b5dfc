// A simulation that a page looks at and works with: it goes on as far as asked, goes back to any
// moment since its scene was last changed, and takes other values for its scene as it goes. Going
// on, it makes the steps that `carom run` makes. What it answers is what the page reads: the bytes
// of io::PageData, whose header says more:
//
//   kind       "scene", with the scene and the moment `from` which it holds; or "frames"
//   time       s; how far it is
//   back_to    s; what was told of later times does not hold any longer
//   stopped    why time cannot go on, or empty
//   summary    as of a run that ended now; of frames now and then
//
// docs/viewer.md says what a page can ask for.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/base/watch.h"
#include "carom/io/page_data.h"
#include "carom/io/scene_file.h"
#include "carom/simulation/simulation.h"
#include "pull.h"

namespace carom::cli {

class LiveSimulation {
 public:
  struct Source {
    std::string file;                     // of the scene, read whenever it is started anew
    std::vector<io::Override> overrides;  // of the command line
    int threads = 1;
  };

  // Throws base::BadInput where the scene cannot be simulated, as what makes a new simulation does.
  LiveSimulation(Source source, base::Watch& watch);
  ~LiveSimulation();
  LiveSimulation(const LiveSimulation&) = delete;
  LiveSimulation& operator=(const LiveSimulation&) = delete;

  // What opens the page.
  std::string open();

  // From here on this draws a body, and nothing where it is empty. A change of the scene ends it.
  void pull(const std::optional<Pull>& next);
  // What was simulated of times later than `at` (s) is dropped.
  std::string back(double at);
  // Up to `to` (s), not longer than about a picture takes, nor when `interrupted`.
  std::string advance(double to, const std::function<bool()>& interrupted);
  std::string step();
  std::string advance_to_next_event();

  // From the start, with the file as it is now.
  std::string restart();
  // At the moment `at` (s) values of the scene are others; an empty one is the file's again. Time
  // goes on from there with the bodies as they are, but where the change is to what they are at the
  // start: then it begins there. Where it throws, nothing has changed but the moment.
  std::string change(double at, const std::vector<io::Override>& values);

 private:
  struct Running;
  struct Saved {
    double t;  // s
    std::string bytes;
    std::size_t pulls;  // how many of them had been
  };
  struct Pulled {
    double since;  // s; of the simulation, without where it took over
    std::optional<Pull> pull;
  };

  std::unique_ptr<Running> make(const std::vector<io::Override>& changes, const Running* past);
  void install(std::unique_ptr<Running> next, std::vector<io::Override> changes);
  void take(const simulation::Progress& progress);
  void mend();
  void go_back(double t);
  void go_on_again(double t, const std::vector<Pulled>& past);
  void draw(const std::optional<Pull>& pull);
  void save();
  double time() const;
  std::string tell();        // what has come
  std::string tell_scene();  // and what it is of
  std::string summary() const;
  void show_now();  // also where no output is due

  Source source_;
  base::Watch& watch_;
  std::vector<io::Override> changes_;
  std::unique_ptr<Running> running_;
  std::vector<Saved> saved_;   // in the order of time
  std::vector<Pulled> pulls_;  // likewise; the last one acts
  double between_saved_ = 0;   // s
  double back_to_ = -1;        // s; to be told
  std::string stopped_;        // why
  bool is_torn_ = false;       // by a request in the middle of a step
  std::chrono::steady_clock::time_point summarised_{};
};

}  // namespace carom::cli
