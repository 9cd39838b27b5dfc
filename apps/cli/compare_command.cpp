// carom compare SCENE: every method that applies, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "carom/impact/law.h"
#include "carom/io/output_file.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"
#include "child_process.h"
#include "commands.h"
#include "comparison.h"
#include "scene_options.h"
#include "session.h"

namespace carom::cli {

namespace {

struct CompareArguments {
  std::string scene;
  SceneOptions options;
  std::vector<std::string> methods, impacts;
  std::optional<std::string> report, json;
  double limit = 60;  // s
  double size = 0;    // m; 0: that can be seen
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool quiet = false;
};

void check_name(const std::string& option, const std::string& name,
                const std::vector<std::string>& known) {
  if (std::ranges::count(known, name) > 0) return;
  throw base::BadInput({{.place = option,
                         .found = '"' + name + '"',
                         .expected = fmt::format("some of {}", fmt::join(known, ", ")),
                         .hint = base::find_nearest_name(name, known)}});
}

std::vector<std::string> laws_of(const model::MethodDescription& method) {
  const auto impact = std::ranges::find(method.settings, "impact", &model::SettingDescription::key);
  return impact == method.settings.end() ? std::vector<std::string>{} : impact->choices;
}

// "all" is every law that the method has.
void add_contenders(const model::MethodDescription& method, const std::vector<std::string>& impacts,
                    std::vector<Contender>& contenders) {
  const std::vector<std::string> laws = laws_of(method);
  if (impacts.empty() || laws.empty()) return contenders.push_back({method.name, {}});
  for (const std::string& law : laws)
    if (impacts.front() == "all" || std::ranges::count(impacts, law) > 0)
      contenders.push_back({method.name, law});
}

std::vector<Contender> contenders_of(const CompareArguments& arguments) {
  std::vector<std::string> names;
  for (const model::MethodDescription& method : simulation::catalog()) names.push_back(method.name);
  std::vector<std::string> laws = impact::law_names();
  laws.emplace_back("all");
  for (const std::string& method : arguments.methods) check_name("--methods", method, names);
  for (const std::string& law : arguments.impacts) check_name("--impacts", law, laws);
  std::vector<Contender> contenders;
  for (const model::MethodDescription& method : simulation::catalog())
    if (arguments.methods.empty() || std::ranges::count(arguments.methods, method.name) > 0)
      add_contenders(method, arguments.impacts, contenders);
  return contenders;
}

// Where nothing ran: 2 where all runs found something wrong with the scene.
int status_of(const MethodComparison& comparison) {
  if (comparison.reference) return 0;
  const bool is_refused = std::ranges::all_of(
      comparison.runs, [](const SideRun& run) { return run.ending == Ending::Refused; });
  return is_refused ? 2 : 1;
}

// Each run has a method and a law of its own.
void check_set(const CompareArguments& arguments) {
  for (const io::Override& change : overrides_of(arguments.options)) {
    const bool is_law = change.pointer == "/method/impact" && !arguments.impacts.empty();
    if (change.pointer != "/method" && change.pointer != "/method/name" && !is_law) continue;
    throw base::BadInput({{.place = "--set " + change.pointer,
                           .found = change.value,
                           .expected = "--methods and --impacts, which say what is compared"}});
  }
}

int run(const CompareArguments& arguments) {
  check_set(arguments);
  const std::vector<Contender> contenders = contenders_of(arguments);
  const io::LoadedScene loaded =
      load_scene(arguments.scene, overrides_of(arguments.options), arguments.quiet);
  check_report_files({arguments.report, arguments.json}, arguments.scene, loaded);
  const TemporaryFolder folder;
  const SidePlan plan{.scene = arguments.scene,
                      .options = words_of(arguments.options),
                      .limit = arguments.limit,
                      .at_a_time = arguments.threads,
                      .makes_pages = arguments.report.has_value(),
                      .quiet = arguments.quiet};
  MethodComparison comparison{
      .scene = loaded.scene.name,
      .duration = loaded.scene.duration,
      .size = arguments.size > 0 ? arguments.size : visible_size(loaded.scene),
      .runs = run_side_by_side(plan, contenders, folder.path())};
  compare_with_reference(loaded.scene, comparison);
  if (!arguments.quiet) print_comparison(loaded.scene, comparison);
  if (arguments.json) io::write_file(*arguments.json, to_json(loaded.scene, comparison));
  if (arguments.report && comparison.reference)
    write_report(*arguments.report, make_report(loaded.scene, comparison));
  return status_of(comparison);
}

}  // namespace

void add_compare_command(Parser& parser, int& status) {
  auto arguments = std::make_shared<CompareArguments>();
  Command command =
      parser.add_command("compare", "Run a scene by every method that applies, side by side");
  command.add_option("SCENE", arguments->scene, "Scene file").required();
  command.add_option("--methods", arguments->methods, "These alone: a,b,c; without it, all")
      .divided_at(',')
      .one_at_a_time();
  command
      .add_option("--impacts", arguments->impacts,
                  "Each with these impact laws: a,b,c; or all. Without it, the scene's")
      .divided_at(',')
      .one_at_a_time();
  add_scene_options(command, arguments->options);
  command
      .add_option("--size", arguments->size,
                  "How far off a body is where runs have parted, m; usually the power of ten "
                  "up to a tenth of the smallest body")
      .positive();
  command.add_option("--limit", arguments->limit, "Wall time for each run, s")
      .positive()
      .shows_default();
  command.add_option("--threads", arguments->threads, "Runs at a time").between(1, 1024);
  command.add_option("--report", arguments->report,
                     "A page with the runs in one picture and their energies, .html");
  command.add_option("--json", arguments->json, "The table as JSON");
  command.add_flag("--quiet", arguments->quiet, "No progress, no table");
  command.add_footer("docs/compare.md says what the columns mean.\n" + list_methods());
  command.on_call([arguments, &status] { status = run(*arguments); });
}

}  // namespace carom::cli
