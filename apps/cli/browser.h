// A browser without a window, which shows a page and takes pictures of it: Debian's chromium, by
// its DevTools protocol over pipes.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "child_process.h"

namespace carom::cli {

class Browser {
 public:
  // Where nothing comes back within two minutes, and so on: throws io::OutputError, which names
  // `output`, what the pictures are for. So do the others.
  Browser(const std::filesystem::path& page, const std::filesystem::path& output);

  // What is seen after a program of JavaScript has run; jpeg or png.
  std::string picture_after(const std::string& program, const std::string& format);

 private:
  [[noreturn]] void fail(const std::string& why) const;
  nlohmann::json ask(const std::string& method, const nlohmann::json& parameters);
  nlohmann::json evaluate(const std::string& program);
  void open(const std::filesystem::path& page);
  std::string read_message();

  std::filesystem::path output_;
  TemporaryFolder folder_;
  Pipe to_, from_;
  std::optional<ChildProcess> process_;
  std::string session_, read_;
  int asked_ = 0;
};

// The first program of these that is installed; empty where none is.
std::string find_program(const std::vector<std::string>& names);
std::string find_browser();

}  // namespace carom::cli
