// Lines of a text, each as words, with the number of the current one.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "carom/math/linear_algebra.h"

namespace carom::io {

class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }

  std::string_view word() {  // empty at the end of the line
    constexpr std::string_view kBlank = " \t\r";
    line_.remove_prefix(std::min(line_.find_first_not_of(kBlank), line_.size()));
    const std::string_view word = line_.substr(0, line_.find_first_of(kBlank));
    line_.remove_prefix(word.size());
    return word;
  }

  template <typename Number>
  static std::optional<Number> number_in(std::string_view text) {
    Number value{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && stop == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
  }

  std::optional<Vec3> point() {
    Vec3 point;
    for (int i = 0; i < 3; ++i) {
      const auto number = number_in<double>(word());
      if (!number) return std::nullopt;
      point[i] = *number;
    }
    return point;
  }

  std::string here() const { return " in line " + std::to_string(number_); }

 private:
  std::string_view rest_, line_;
  int number_ = 0;
};

}  // namespace carom::io
