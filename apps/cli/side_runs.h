// One scene by several methods, each as `carom run` in a process of its own: what hangs or dies
// takes no other along, and what is compared is what a user would have got.
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "carom/io/scene_file.h"

namespace carom::cli {

struct Contender {
  std::string method, impact;  // without a law: the scene's, or the method's own

  std::string label() const { return impact.empty() ? method : method + '/' + impact; }
};

enum class Ending { Finished, Stopped, Refused, Crashed, NotRun };
constexpr std::array<const char*, 5> kEndingNames = {"finished", "stopped", "refused", "crashed",
                                                     "not run"};

struct SideRun {
  Contender contender;
  Ending ending = Ending::NotRun;
  std::string reason{};                       // of another ending than Finished
  nlohmann::json summary{};                   // as --summary writes it; null where there is none
  std::filesystem::path recording{}, page{};  // where they were asked for

  bool has_run() const { return !summary.is_null(); }
};

struct SidePlan {
  std::string scene;
  std::vector<std::string> options;  // of `carom run`, for all
  double limit = 0;                  // s of wall time for each
  int at_a_time = 1;
  bool makes_pages = false;
  bool quiet = false;
};

// In the order of the contenders. Ctrl-C ends what runs, with all it has, and starts no more.
// Recordings are in the folder.
std::vector<SideRun> run_side_by_side(const SidePlan& plan, std::vector<Contender> contenders,
                                      const std::filesystem::path& folder);

}  // namespace carom::cli
