#include "tolerated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "carom/base/diagnostics.h"

namespace carom::cli {

namespace {

// All of the text as a number, or NaN.
double parse_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() && !text.empty() ? value : std::nan("");
}

}  // namespace

void parse_tolerated(const std::string& text, record::JudgedNumbers& tolerated) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, equals);
  std::vector<std::string> names;
  for (const record::JudgedName& each : record::kJudgedNames) names.emplace_back(each.key);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw base::BadInput({{.place = "--tolerate " + text,
                           .found = '"' + name + '"',
                           .expected = fmt::format("one of {}", fmt::join(names, ", ")),
                           .hint = base::find_nearest_name(name, names)}});
  }
  const std::string value = text.substr(std::min(equals + 1, text.size()));
  const double limit = parse_number(value);
  if (!(limit >= 0)) {
    throw base::BadInput({{.place = "--tolerate " + text,
                           .found = '"' + value + '"',
                           .expected = "a limit of at least 0, or inf"}});
  }
  tolerated[static_cast<std::size_t>(found - names.begin())] = limit;
}

}  // namespace carom::cli
