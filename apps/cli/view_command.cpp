// carom view: a scene, live, or a recording, in the browser.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "carom/io/output_error.h"
#include "carom/io/outputs.h"
#include "carom/io/page.h"
#include "carom/io/viewer_page.h"
#include "commands.h"
#include "live_session.h"
#include "recording_page.h"
#include "scene_options.h"
#include "web_server.h"

extern char** environ;

namespace carom::cli {

namespace {

struct ViewArguments {
  std::string file;
  SceneOptions changes;
  int port = 0, threads = 1;
  bool no_browser = false;
};

bool is_recording(const std::string& file) {
  std::array<char, 4> start{};
  std::ifstream(file, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == "\x89HDF";
}

// In a session of its own, which Ctrl-C here does not end.
void open_browser(const std::string& address) {
  std::string program = "xdg-open", argument = address;
  const std::array<char*, 3> words = {program.data(), argument.data(), nullptr};
  sigset_t none{};
  sigemptyset(&none);
  posix_spawnattr_t apart{};
  posix_spawnattr_init(&apart);
  posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&apart, &none);
  posix_spawn_file_actions_t quiet{};
  posix_spawn_file_actions_init(&quiet);
  for (const int output : {1, 2})
    posix_spawn_file_actions_addopen(&quiet, output, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), &quiet, &apart, words.data(), environ) != 0)
    fmt::print("There is no xdg-open here; open the address yourself.\n");
  posix_spawn_file_actions_destroy(&quiet);
  posix_spawnattr_destroy(&apart);
}

std::string page_of(const ViewArguments& arguments) {
  if (const auto changes = overrides_of(arguments.changes); !changes.empty()) {
    throw base::BadInput({{.place = changes.front().pointer,
                           .found = changes.front().value + " on the command line",
                           .expected = "nothing: a recording is shown as it is",
                           .file = arguments.file}});
  }
  const record::Trace trace = io::read_recording(arguments.file);
  return make_recording_page(
      io::parse_recorded_scene(trace, arguments.file, {}, simulation::catalog()), trace);
}

struct Served {
  WebServer::MakePage page;
  WebServer::MakeSocket socket{};
};

Served prepare(const ViewArguments& arguments) {
  if (is_recording(arguments.file))
    return {[page = page_of(arguments)](const std::string&) { return page; }};
  const LiveSimulation::Source source{arguments.file, overrides_of(arguments.changes),
                                      arguments.threads};
  base::Watch nobody;
  const LiveSimulation first(source, nobody);  // a bad scene is refused here
  return {io::make_live_page, [source](WebSocket::Send send) {
            return std::make_unique<LiveSession>(source, std::move(send));
          }};
}

// Signals are masked before there are threads, which inherit that, and wait for this one to hear
// them. The program then ends with whatever its threads are doing: there is nothing to write.
[[noreturn]] void wait_for_signal(const sigset_t& signals) {
  int heard = 0;
  sigwait(&signals, &heard);
  fmt::print("\n");
  std::fflush(stdout);
  std::_Exit(0);
}

int view(const ViewArguments& arguments) {
  if (io::viewer_page().empty())
    throw io::OutputError("this carom was built without its viewer (CAROM_VIEWER)");
  const Served served = prepare(arguments);
  sigset_t signals{};
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const WebServer server(arguments.port, served.page, served.socket);
  fmt::print("{}\nCtrl-C ends it.\n", server.address());
  std::fflush(stdout);
  if (!arguments.no_browser) open_browser(server.address());
  wait_for_signal(signals);
}

}  // namespace

void add_view_command(Parser& parser, int& status) {
  auto arguments = std::make_shared<ViewArguments>();
  Command command =
      parser.add_command("view", "Look at a scene, live, or at a recording, in the browser");
  command.add_option("SCENE|FILE.h5", arguments->file, "Scene file, or a recording").required();
  add_method_options(command, arguments->changes);
  add_scene_options(command, arguments->changes);
  command.add_option("--threads", arguments->threads, "Threads to use; results do not depend on it")
      .between(1, 1024);
  command.add_option("--port", arguments->port, "Port on the loopback interface; 0: a free one")
      .between(0, 65535)
      .shows_default();
  command.add_flag("--no-browser", arguments->no_browser, "Only print the address");
  command.add_footer("Ctrl-C ends it. docs/viewer.md says what one sees and can do there.");
  command.on_call([arguments, &status] { status = view(*arguments); });
}

}  // namespace carom::cli
