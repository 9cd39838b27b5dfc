#include "child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "carom/io/output_error.h"

namespace carom::cli {

namespace {

constexpr int kNotStarted = 127;

// In the child: between fork and exec no more than system calls.
[[noreturn]] void become(char* const* arguments, const char* said,
                         const std::vector<GivenFile>& given) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int file = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  for (const GivenFile& file_given : given) dup2(file_given.own, file_given.number);
  execvp(arguments[0], arguments);
  _exit(kNotStarted);
}

pid_t start(std::vector<std::string> command, const std::filesystem::path& said,
            const std::vector<GivenFile>& given) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const pid_t id = fork();
  if (id == 0) become(arguments.data(), said.c_str(), given);
  return id;
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> command, const std::filesystem::path& said,
                           const std::vector<GivenFile>& given)
    : id_(start(std::move(command), said, given)) {
  if (id_ < 0) ended_ = Ended{.status = kNotStarted};
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)), ended_(std::exchange(other.ended_, Ended{})) {}

ChildProcess::~ChildProcess() {
  end();
  if (!ended_) waitpid(id_, nullptr, 0);
}

const std::optional<Ended>& ChildProcess::poll() {
  int how = 0;
  if (!ended_ && waitpid(id_, &how, WNOHANG) == id_) conclude(how);
  return ended_;
}

Ended ChildProcess::wait() {
  int how = 0;
  if (!ended_ && waitpid(id_, &how, 0) == id_) conclude(how);
  return ended_.value_or(Ended{.status = kNotStarted});
}

void ChildProcess::conclude(int how) {
  if (WIFSIGNALED(how))
    ended_ = Ended{.signal = WTERMSIG(how)};
  else
    ended_ = Ended{.status = WEXITSTATUS(how)};
}

void ChildProcess::send(int signal) const {
  if (!ended_) kill(id_, signal);
}

// Under numbers beyond those that a child is given files as.
Pipe::Pipe() {
  constexpr int kBeyond = 10;
  std::array<int, 2> made{};
  if (pipe(made.data()) != 0) throw io::make_output_error("a pipe", errno);
  for (std::size_t end = 0; end < 2; ++end) {
    ends_[end] = fcntl(made[end], F_DUPFD_CLOEXEC, kBeyond);
    close(made[end]);
  }
}

Pipe::~Pipe() {
  close_reading();
  close_writing();
}

void Pipe::close_end(std::size_t end) {
  if (ends_[end] >= 0) close(std::exchange(ends_[end], -1));
}

TemporaryFolder::TemporaryFolder() {
  std::string name = std::filesystem::temp_directory_path() / "carom-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw io::make_output_error(name, errno);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace carom::cli
