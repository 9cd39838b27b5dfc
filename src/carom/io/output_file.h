// Output files and the names they have while they are written. What stands under a file's name
// stays there, untouched, until the new file is whole and takes its place; a link is followed
// first. Until then the new file is called FILE.partial. A file that grows during a run has its own
// name from the start where nothing stood there. Devices and pipes are written to as they are.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string_view>

namespace carom::io {

inline constexpr const char* kPartial = ".partial";

enum class Writing { Growing, AtOnce };

class OutputPlace {
 public:
  OutputPlace(const std::filesystem::path& path, Writing writing);
  const std::filesystem::path& own() const { return own_; }          // links followed
  const std::filesystem::path& working() const { return working_; }  // the file to write to
  bool is_published() const { return own_ == working_; }
  void publish();  // gives the file its own name

 private:
  std::filesystem::path own_, working_;
};

// The file that a name stands for, links followed, also where it does not exist yet.
std::filesystem::path follow_links(const std::filesystem::path& path);
// Whether two names stand for one file, by links, other spellings of the folder or hard links.
// Devices and pipes are never the same: they take what they are given.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// A buffered text file that reports every failure as OutputError and is flushed to the system at
// each checkpoint. One that is not closed keeps what was written where it grows, else nothing.
class TextFile {
 public:
  TextFile(std::filesystem::path path, Writing writing);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  void write(std::string_view text);
  void flush();
  void close();  // throws when the last bytes cannot be written; the destructor cannot

 private:
  std::filesystem::path path_;
  Writing writing_;
  OutputPlace place_;
  std::FILE* file_;
};

void write_file(const std::filesystem::path& path, std::string_view text);
// Throws OutputError where the file could not be written: said before a run rather than after it.
void check_writable(const std::filesystem::path& path);

}  // namespace carom::io
