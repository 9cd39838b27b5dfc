#include "table.h"

#include <fmt/format.h>

#include <algorithm>

namespace carom::cli {

namespace {

// As wide as the text looks: it is UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padding(std::size_t width, const std::string& text) {
  return std::string(width - width_of(text), ' ');
}

}  // namespace

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  for (const auto& row : rows) {
    std::string line = "  " + row[0] + padding(widths[0], row[0]);
    for (std::size_t i = 1; i < row.size(); ++i) line += "  " + padding(widths[i], row[i]) + row[i];
    fmt::print("{}\n", line);
  }
  fmt::print("\n");
}

}  // namespace carom::cli
