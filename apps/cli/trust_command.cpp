// carom trust SCENE: how long the result means anything.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "carom/io/output_file.h"
#include "child_process.h"
#include "commands.h"
#include "run_differences.h"
#include "scene_options.h"
#include "session.h"
#include "trust_report.h"

namespace carom::cli {

namespace {

struct TrustArguments {
  std::string scene;
  SceneOptions options;
  std::vector<double> sizes;  // m; none: those that can be seen
  std::optional<std::string> report, json;
  double limit = 600;  // s
  int twins = 6;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool quiet = false;
};

std::vector<double> sizes_of(const TrustArguments& arguments, double visible) {
  std::vector<double> sizes = arguments.sizes;
  if (sizes.empty()) sizes = {1e-6 * visible, 1e-3 * visible, visible, 10 * visible};
  std::ranges::sort(sizes);
  return sizes;
}

int run(const TrustArguments& arguments) {
  const io::LoadedScene loaded =
      load_scene(arguments.scene, overrides_of(arguments.options), arguments.quiet);
  check_report_files({arguments.report, arguments.json}, arguments.scene, loaded);
  const TemporaryFolder folder;
  const std::filesystem::path page = folder.path() / "run.html";
  TrustRuns runs;
  run_with_twins({.file = arguments.scene,
                  .each = arguments.twins,
                  .limit = arguments.limit,
                  .threads = arguments.threads,
                  .quiet = arguments.quiet,
                  .page = arguments.report ? page : ""},
                 loaded, runs);
  const double visible = visible_size(loaded.scene);
  const double headline = arguments.sizes.empty() ? visible : arguments.sizes.front();
  const TrustReport report(loaded.scene, runs, sizes_of(arguments, visible), headline);
  if (!arguments.quiet) report.print();
  if (arguments.json) io::write_file(*arguments.json, report.to_json());
  if (arguments.report) write_report(*arguments.report, report.page(page));
  return report.is_known() ? 0 : 1;
}

}  // namespace

void add_trust_command(Parser& parser, int& status) {
  auto arguments = std::make_shared<TrustArguments>();
  Command command = parser.add_command(
      "trust", "Say how long a result means anything: how fast small differences grow");
  command.add_option("SCENE", arguments->scene, "Scene file").required();
  add_method_options(command, arguments->options);
  add_scene_options(command, arguments->options);
  command
      .add_option("--size", arguments->sizes,
                  "How far off is too far, m; repeatable, the first is what the sentence is about. "
                  "Usually the power of ten up to a tenth of the smallest body")
      .positive()
      .one_at_a_time();
  command.add_option("--twins", arguments->twins, "Of round-off, and of uncertain inputs")
      .between(1, 1000)
      .shows_default();
  command.add_option("--limit", arguments->limit, "Wall time for each twin, s")
      .positive()
      .shows_default();
  command
      .add_option("--threads", arguments->threads, "Twins at a time; results do not depend on it")
      .between(1, 1024);
  command.add_option("--report", arguments->report,
                     "A page with the run and the growth of differences, .html");
  command.add_option("--json", arguments->json, "Everything as JSON");
  command.add_flag("--quiet", arguments->quiet, "No progress, no table");
  command.add_footer(
      "Uncertain inputs stand in the scene: \"uncertain\": {\"/bodies/1/velocity/0\": 1e-3}, a "
      "standard\ndeviation by JSON pointer. docs/trust.md says what is done and what the numbers "
      "mean.");
  command.on_call([arguments, &status] { status = run(*arguments); });
}

}  // namespace carom::cli
