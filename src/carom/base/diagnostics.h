// What is wrong with data from outside. Problems are collected while a file or a builder is read
// and thrown once, all together, so that a user mends them in one go.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace carom::base {

struct Diagnostic {
  std::string place{};     // JSON pointer such as /bodies/2/mass; empty for the whole document
  std::string found{};     // what stands there
  std::string expected{};  // what should
  std::string hint{};      // the nearest valid name, or empty
  std::string file{};      // filled in by the reader of the file
  int line = 0;            // 1-based; 0 when unknown
};

std::string to_string(const Diagnostic& diagnostic);

class BadInput : public std::runtime_error {
 public:
  explicit BadInput(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// The candidate nearest to `name` by edit distance, or empty when none is close enough to help.
std::string find_nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace carom::base
