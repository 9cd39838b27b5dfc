// The command line: parses arguments, calls one command, turns exceptions into exit statuses.
//   0 done; 1 the simulation could not go on or an output could not be written; 2 bad input.
#include <csignal>
#include <iostream>
#include <span>

#include "carom/base/check.h"
#include "carom/base/diagnostics.h"
#include "carom/base/watch.h"
#include "carom/io/output_error.h"
#include "commands.h"
#include "unknown.h"

namespace {

using namespace carom;

constexpr int kCannotGoOn = 1;
constexpr int kBadInput = 2;

constexpr const char* kAbout =
    "carom simulates rigid bodies in contact by the methods of five papers, audits every run, and\n"
    "shows what it did. Which method promises what: docs/which-method.md.\n";

constexpr const char* kExamples =
    "Examples:\n"
    "  carom demo                                   a first simulation, and an animation of it\n"
    "  carom run scenes/bouncing-ball.json          simulate and print a summary\n"
    "  carom run SCENE --out run.h5 --events e.csv  record everything, and every contact event\n"
    "  carom run SCENE --set /bodies/1/mass=2       the same scene with one value changed\n"
    "  carom view SCENE                             the scene, live, in the browser\n"
    "  carom check SCENE                            say what is wrong with a scene, if anything\n"
    "  carom help zeno-free                         a method: its settings, defaults and limits\n"
    "  carom compare SCENE                          every method on it, side by side\n"
    "  carom trust SCENE                            how long its result means anything\n"
    "  carom reproduce --list                       the papers' claims that carom checks\n"
    "Scenes are JSON: docs/scene-format.md. Exit status: 0 done, 1 could not go on, 2 bad input, 3 "
    "the audit failed.";

int report_usage_error(const cli::Parser& parser, const cli::UsageError& error,
                       std::span<char*> arguments) {
  const auto command =
      arguments.size() > 1 ? parser.find_command(arguments[1]) : std::optional<cli::Command>();
  const bool unknown = !command && arguments.size() > 1 && arguments[1][0] != '-';
  const std::string what =
      unknown ? std::string("no command \"") + arguments[1] + '"' : error.what();
  std::cerr << "carom: " << what << cli::nearest_name(parser, arguments) << "\nTry: carom "
            << (command ? command->name() + ' ' : "") << "--help\n";
  return kBadInput;
}

int run(int argc, char** argv) {
  cli::Parser parser({.name = "carom",
                      .about = kAbout,
                      .version = std::string("carom ") + CAROM_VERSION,
                      .footer = kExamples});
  int status = 0;
  cli::add_run_command(parser, status);
  cli::add_view_command(parser, status);
  cli::add_check_command(parser, status);
  cli::add_demo_command(parser, status);
  cli::add_reproduce_command(parser, status);
  cli::add_compare_command(parser, status);
  cli::add_trust_command(parser, status);
  cli::add_help_command(parser, status);
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  cli::run_other_program(parser, arguments);
  try {
    parser.parse(arguments);
    return status;
  } catch (const cli::UsageError& error) {
    return report_usage_error(parser, error, arguments);
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
