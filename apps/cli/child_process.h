// Another program at work: what it says goes to a file, and it ends with this one at the latest.
#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace carom::cli {

struct Ended {
  int status = 0;  // of exit
  int signal = 0;  // that ended it instead; 0: none did
};

// One of this program's files, which the other has under a number.
struct GivenFile {
  int own = -1, number = -1;
};

class ChildProcess {
 public:
  // The program and its arguments; `said` takes both of its outputs. Where the program cannot be
  // started, it ends with status 127.
  ChildProcess(std::vector<std::string> command, const std::filesystem::path& said,
               const std::vector<GivenFile>& given = {});
  ~ChildProcess();  // ends it, unasked, and waits
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ChildProcess(const ChildProcess&) = delete;

  const std::optional<Ended>& poll();  // how it ended, once it has
  Ended wait();
  void ask_to_end() const { send(SIGTERM); }
  void end() const { send(SIGKILL); }

 private:
  void send(int signal) const;
  void conclude(int how);

  pid_t id_ = -1;
  std::optional<Ended> ended_;
};

// A pipe, both of whose ends this program's children inherit only where they are given.
class Pipe {
 public:
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_reading() { close_end(0); }
  void close_writing() { close_end(1); }

 private:
  void close_end(std::size_t end);
  std::array<int, 2> ends_{-1, -1};
};

// A folder for files that nobody keeps.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace carom::cli
