// Numbers as a page of the viewer holds them: named columns, each of them split into its lowest
// bytes, then the next ones and so on, so that what hardly changes compresses well.
// viewer/src/columns.ts reads it.
//
// The bytes: the length of the header (32 bits, little end first), the header
// (JSON), the columns one after another.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::io {

class PageColumns {
 public:
  void add(std::string_view name, std::span<const double> values);
  void add(std::string_view name, std::span<const float> values);
  void add(std::string_view name, std::span<const std::int32_t> values);

  // Rows of `length` numbers over time, as multiples of `quantum`. What is kept are differences
  // of the `order`, 0 to 2, each with its sign in the lowest bit.
  struct Series {
    std::size_t length = 0;
    double quantum = 1;
    int order = 0;
  };
  void add(std::string_view name, std::span<const float> values, const Series& series);

  // `header` is a JSON object; a list "columns" of names, types and lengths joins it.
  std::string to_bytes(const std::string& header) const;

 private:
  template <typename T>
  void add_split(std::string_view name, std::string_view type, std::span<const T> values);

  struct Column {
    std::string name, type;
    std::size_t length;
  };
  std::vector<Column> columns_;
  std::string bytes_;
};

// Deflated, which checks itself by a sum, in base64.
std::string to_text(const std::string& bytes);

}  // namespace carom::io
