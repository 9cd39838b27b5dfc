// The command line: parses arguments, calls one command, turns exceptions into exit statuses.
//   0 done; 1 the simulation could not go on or an output could not be written; 2 bad input.
#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "carom/base/check.h"
#include "carom/base/diagnostics.h"
#include "carom/base/watch.h"
#include "carom/io/output_error.h"
#include "commands.h"

namespace {

using namespace carom;

constexpr int kCannotGoOn = 1;
constexpr int kBadInput = 2;

constexpr const char* kAbout =
    "carom simulates rigid bodies in contact: it always advances, never lets bodies "
    "interpenetrate,\n"
    "always finishes resolving an impact, and shows what it did.\n";

constexpr const char* kExamples =
    "Examples:\n"
    "  carom demo                                   a first simulation, and an animation of it\n"
    "  carom run scenes/bouncing-ball.json          simulate and print a summary\n"
    "  carom run SCENE --out run.h5 --events e.csv  record everything, and every contact event\n"
    "  carom run SCENE --set /bodies/1/mass=2       the same scene with one value changed\n"
    "  carom check SCENE                            say what is wrong with a scene, if anything\n"
    "  carom reproduce --list                       the papers' claims that carom checks\n"
    "Scenes are JSON: docs/scene-format.md. Exit status: 0 done, 1 could not go on, 2 bad input, 3 the audit failed.";

std::string nearest_command(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string nearest = argc > 1 ? base::find_nearest_name(argv[1], names) : "";
  return nearest.empty() || nearest == argv[1] ? "" : "; did you mean \"" + nearest + "\"?";
}

int report_parse_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
  std::cerr << "carom: " << error.what() << nearest_command(app, argc, argv)
            << "\nTry: carom --help\n";
  return kBadInput;
}

int run(int argc, char** argv) {
  CLI::App app(kAbout, "carom");
  app.set_version_flag("--version", std::string("carom ") + CAROM_VERSION);
  app.footer(kExamples);
  app.require_subcommand(1);
  int status = 0;
  cli::add_run_command(app, status);
  cli::add_check_command(app, status);
  cli::add_demo_command(app, status);
  cli::add_reproduce_command(app, status);
  try {
    app.parse(argc, argv);
    return status;
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error, argc, argv);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT,
              SIG_DFL);  // heard also where a shell that started it in the background says not
  try {
    return run(argc, argv);
  } catch (const base::Stopped&) {
    std::cerr << "carom: stopped on request before anything new was simulated\n";
    return kCannotGoOn;
  } catch (const base::BadInput& error) {
    std::cerr << error.what() << '\n';
    return kBadInput;
  } catch (const io::OutputError& error) {
    std::cerr << "carom: " << error.what() << '\n';
    return kCannotGoOn;
  } catch (const std::exception& error) {
    std::cerr << "carom: internal error, please report it: " << error.what() << '\n';
    return kCannotGoOn;
  }
}
