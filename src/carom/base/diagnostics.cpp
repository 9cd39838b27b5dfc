#include "carom/base/diagnostics.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace carom::base {

namespace {

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_string(diagnostic);
  }
  return text;
}

// Insertions, deletions, substitutions and swaps of neighbours that make one the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = last[j] + (a[i] == b[j] ? 0 : 1);
      row[j + 1] = std::min({substitute, row[j] + 1, last[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  std::string text = diagnostic.file;
  if (diagnostic.line > 0) text += (text.empty() ? "line " : ":") + std::to_string(diagnostic.line);
  if (!text.empty()) text += ": ";
  text += diagnostic.place.empty() ? "(document)" : diagnostic.place;
  if (!diagnostic.found.empty()) text += ": found " + diagnostic.found;
  if (!diagnostic.expected.empty()) text += ", expected " + diagnostic.expected;
  if (!diagnostic.hint.empty()) text += "; did you mean \"" + diagnostic.hint + "\"?";
  return text;
}

BadInput::BadInput(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}

std::string find_nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kMaxNameLength = 100;  // longer ones are no misspelling of ours
  std::string nearest;
  std::size_t best = std::min<std::size_t>(name.size(), 8) / 2 + 1;
  if (name.size() > kMaxNameLength) return nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kMaxNameLength) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace carom::base
