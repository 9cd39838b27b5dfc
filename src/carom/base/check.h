// A check states what must hold if our own code is right. When it fails the program has a bug, not
// the user: the exception carries the place and the values, and nothing below the command line
// catches it.
#pragma once

#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace carom::base {

struct CheckFailure : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(std::string_view what, const std::string& values,
                             const std::source_location& where);

// check(i < n, "body index in range", {}, i, n) reports the values after the place.
template <typename... Values>
void check(bool holds, std::string_view what,
           const std::source_location& where = std::source_location::current(),
           const Values&... values) {
  if (holds) return;
  std::ostringstream text;
  ((text << ' ' << values), ...);
  fail_check(what, text.str(), where);
}

}  // namespace carom::base
