// The papers' claims: papers/NAME/claims.json is a list of them, described in docs/reproduce.md.
// Everything wrong with the files is reported at once, as base::BadInput.
#pragma once

#include <filesystem>
#include <memory>

#include "carom/io/scene_file.h"
#include "quantity.h"

namespace carom::cli {

// Where a claim stands, for messages.
struct ClaimPlace {
  std::string file;
  std::string pointer;  // such as /3
  int line = 0;
};

// How what is measured stands to what is expected. Shown: both are told and nothing is judged,
// for what depends on the machine.
enum class Comparison { Equal, AtMost, AtLeast, Shown };

struct Claim {
  std::string paper, where, statement, source;
  std::string scene;  // a file beside the claims, or in scenes/
  std::vector<io::Override> overrides;
  Quantity quantity;
  std::variant<double, std::vector<double>, bool> expected;  // one number: of all that is measured
  Comparison compare = Comparison::Equal;
  double tolerance = 0;  // absolute
  double relative_tolerance = 0;
  ClaimPlace place;
};

// The folders below papers/ that hold claims, in the order of the alphabet.
std::vector<std::string> paper_names(const std::filesystem::path& root);

// The claims of one paper; `root` holds papers/ and scenes/.
std::vector<Claim> read_claims(const std::filesystem::path& root, const std::string& name);

// One simulation and the claims that it decides alone.
struct Experiment {
  std::string scene;
  std::unique_ptr<const io::LoadedScene> loaded;
  std::vector<std::size_t> claims;  // their numbers
};

// A claim on the ratio of two experiments' summaries, by their numbers.
struct RatioTest {
  std::size_t claim = 0, above = 0, below = 0;
};

struct Plan {
  std::vector<Experiment> experiments;
  std::vector<RatioTest> ratios;
};

// As few simulations as decide all the claims, in their order. Checks the claims against the
// scenes.
Plan plan_experiments(const std::filesystem::path& root, const std::vector<Claim>& claims);

enum class Verdict { Fail, Pass, Shown };

struct Outcome {
  Measured measured;
  Verdict verdict = Verdict::Fail;
  std::size_t worst = 0;  // of the measured values: it uses up most of its tolerance
  double deviation = 0;   // its
};

Outcome judge(const Claim& claim, Measured measured);

}  // namespace carom::cli
