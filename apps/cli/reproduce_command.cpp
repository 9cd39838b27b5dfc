#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "carom/base/diagnostics.h"
#include "carom/io/object_reader.h"
#include "carom/io/output_error.h"
#include "carom/simulation/simulation.h"
#include "claim_report.h"
#include "commands.h"
#include "progress.h"

namespace carom::cli {

namespace {

namespace fs = std::filesystem;

struct ReproduceArguments {
  std::vector<std::string> names;
  std::string root = CAROM_SOURCE_DIR;
  std::optional<std::string> json, report;
  bool list = false;
};

constexpr const char* kFooter =
    "A claim is one statement of a paper with the number that must come out, the scene that shows "
    "it\n"
    "and the tolerance. Each scene is simulated once, however many claims it decides.\n\n"
    "Examples:\n"
    "  carom reproduce                          every claim of every paper\n"
    "  carom reproduce drumwright --report r.html\n"
    "  carom reproduce --list                   what would be checked, without simulating\n\n"
    "Claims stand in papers/NAME/claims.json; docs/reproduce.md says how to write one.\n"
    "Exit status: 0 all pass, 1 some fail, 2 a claim or a scene cannot be read.";

std::vector<std::string> selected_papers(const ReproduceArguments& arguments) {
  const std::vector<std::string> known = paper_names(arguments.root);
  std::vector<base::Diagnostic> problems;
  if (known.empty()) {
    problems.push_back({.place = "papers/",
                        .found = "no claims",
                        .expected = "folders with a claims.json",
                        .file = arguments.root});
  }
  for (const std::string& name : arguments.names) {
    if (known.empty() || std::ranges::count(known, name) > 0) continue;
    problems.push_back({.place = "NAME",
                        .found = '"' + name + '"',
                        .expected = io::list_of(known),
                        .hint = base::find_nearest_name(name, known)});
  }
  if (!problems.empty()) throw base::BadInput(std::move(problems));
  return arguments.names.empty() ? known : arguments.names;
}

// All papers are read before any mistake is told.
std::vector<Claim> selected_claims(const ReproduceArguments& arguments) {
  std::vector<Claim> claims;
  std::vector<base::Diagnostic> problems;
  for (const std::string& name : selected_papers(arguments)) {
    try {
      std::ranges::move(read_claims(arguments.root, name), std::back_inserter(claims));
    } catch (const base::BadInput& bad) {
      std::ranges::copy(bad.diagnostics(), std::back_inserter(problems));
    }
  }
  if (!problems.empty()) throw base::BadInput(std::move(problems));
  return claims;
}

void simulate(const Experiment& experiment, Ran& run) {
  try {
    base::Watch watch;
    Progress progress(experiment.scene);
    simulation::Simulation simulation(experiment.loaded->scene, {.watch = &watch});
    progress.follow(watch, experiment.loaded->scene.duration);
    simulation.add(run.trace);
    simulation.add(run.accelerations);
    simulation.add(run.contacts);
    simulation.run();
  } catch (const base::BadInput& bad) {
    std::vector<base::Diagnostic> problems = bad.diagnostics();
    for (base::Diagnostic& problem : problems) problem.file = experiment.scene;
    throw base::BadInput(std::move(problems));
  }
}

void decide_ratios(const std::vector<Claim>& claims, const Plan& plan,
                   const std::vector<record::Summary>& summaries, std::vector<Outcome>& outcomes) {
  for (const RatioTest& ratio : plan.ratios) {
    const Claim& claim = claims[ratio.claim];
    outcomes[ratio.claim] =
        judge(claim, measure_ratio(std::get<RatioQuantity>(claim.quantity), summaries[ratio.above],
                                   summaries[ratio.below]));
  }
}

std::vector<Outcome> decide(const std::vector<Claim>& claims, const Plan& plan) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::vector<Outcome> outcomes(claims.size());
  std::vector<record::Summary> summaries;
  for (const Experiment& experiment : plan.experiments) {
    const Scene& scene = experiment.loaded->scene;
    if (terminal)
      fmt::print(stderr, "[{}/{}] {}, {}\n", summaries.size() + 1, plan.experiments.size(),
                 experiment.scene, scene.method.name);
    Ran run;
    simulate(experiment, run);
    summaries.push_back(run.trace.summary());
    for (const std::size_t number : experiment.claims) {
      const Claim& claim = claims[number];
      outcomes[number] = judge(claim, measure(claim.quantity, scene, run));
    }
  }
  decide_ratios(claims, plan, summaries, outcomes);
  return outcomes;
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw io::make_output_error(path, errno);
}

int reproduce(const ReproduceArguments& arguments) {
  const std::vector<Claim> claims = selected_claims(arguments);
  const Plan plan = plan_experiments(arguments.root, claims);
  if (arguments.list) {
    print_claims(claims);
    return 0;
  }
  const std::vector<Outcome> outcomes = decide(claims, plan);
  if (arguments.json) write_text(*arguments.json, outcomes_to_json(claims, outcomes));
  if (arguments.report) write_text(*arguments.report, outcomes_to_html(claims, outcomes));
  print_outcomes(claims, outcomes);
  return std::ranges::count(outcomes, Verdict::Fail, &Outcome::verdict) == 0 ? 0 : 1;
}

}  // namespace

void add_reproduce_command(Parser& parser, int& status) {
  auto arguments = std::make_shared<ReproduceArguments>();
  Command command = parser.add_command(
      "reproduce", "The papers' experiments: what the paper says, what came out, pass or fail");
  command.add_option("NAME", arguments->names,
                     "Papers, by their folder in papers/; all when left out");
  command.add_flag("--list", arguments->list, "Show the claims without simulating");
  command.add_option("--report", arguments->report, "The table as one self-contained HTML page");
  command.add_option("--json", arguments->json,
                     "A list of {paper, claim, expected, measured, tolerance, pass, scene}");
  command.add_option("--from", arguments->root,
                     "Folder that holds papers/ and scenes/; carom's own when left out");
  command.add_footer(kFooter);
  command.on_call([arguments, &status] { status = reproduce(*arguments); });
}

}  // namespace carom::cli
