#include "carom/io/point_file.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "carom/io/file_bytes.h"

namespace carom::io {

namespace {

// Lines of a text, each as words, with the number of the current one.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }

  std::string_view word() {
    constexpr std::string_view kBlank = " \t\r";
    line_.remove_prefix(std::min(line_.find_first_not_of(kBlank), line_.size()));
    const std::string_view word = line_.substr(0, line_.find_first_of(kBlank));
    line_.remove_prefix(word.size());
    return word;
  }

  std::optional<Vec3> point() {
    Vec3 point;
    for (int i = 0; i < 3; ++i) {
      const std::string_view text = word();
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), point[i]);
      if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    }
    return point;
  }

  std::string here() const { return " in line " + std::to_string(number_); }

 private:
  std::string_view rest_, line_;
  int number_ = 0;
};

// OBJ and text STL alike name the vertices by a first word.
PointFile read_vertex_lines(std::string_view text, std::string_view first_word) {
  PointFile file;
  for (Lines lines(text); lines.next();) {
    if (lines.word() != first_word) continue;
    const auto point = lines.point();
    if (!point) return {{}, "a vertex without three numbers" + lines.here()};
    file.points.push_back(*point);
  }
  return file;
}

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = (value << 8U) | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

// 80 bytes of header, the number of triangles, then per triangle 12 floats (normal first) and 2
// bytes.
PointFile read_stl(std::string_view bytes) {
  constexpr std::size_t kHeader = 84, kTriangle = 50;
  const std::size_t triangles = bytes.size() >= kHeader ? read_u32(bytes, 80) : 0;
  const bool binary = bytes.size() >= kHeader && bytes.size() == kHeader + kTriangle * triangles;
  if (!binary && bytes.starts_with("solid")) return read_vertex_lines(bytes, "vertex");
  if (!binary) return {{}, "a binary STL whose length does not fit its number of triangles"};
  PointFile file;
  for (std::size_t at = kHeader; at < bytes.size(); at += kTriangle) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      Vec3 point;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t offset = at + 12 * (corner + 1) + 4 * i;
        point[static_cast<int>(i)] = std::bit_cast<float>(read_u32(bytes, offset));
      }
      file.points.push_back(point);
    }
  }
  return file;
}

// Reads the header's lines and returns the number of vertices, or nothing for another kind of PLY:
// the vertices must come first, with x, y and z as their first properties.
std::optional<std::size_t> read_ply_header(Lines& lines) {
  std::optional<std::size_t> vertices;
  std::string axes;
  bool text = false;
  while (lines.next()) {
    const std::string_view key = lines.word();
    if (key == "end_header") return text && axes.starts_with("xyz") ? vertices : std::nullopt;
    if (key == "format") text = lines.word() == "ascii";
    if (key == "property" && axes.size() < 3) {
      lines.word();
      axes += lines.word();
    }
    if (key != "element" || vertices) continue;
    if (lines.word() != "vertex") return std::nullopt;
    const std::string_view count = lines.word();
    std::size_t value = 0;
    const char* const begin = count.data();
    const char* const end = begin + count.size();
    if (std::from_chars(begin, end, value).ptr != end || count.empty()) return std::nullopt;
    vertices = value;
  }
  return std::nullopt;
}

PointFile read_ply(std::string_view text) {
  Lines lines(text);
  if (!lines.next() || lines.word() != "ply")
    return {{}, "a file that does not begin with \"ply\""};
  const auto vertices = read_ply_header(lines);
  if (!vertices) return {{}, "a PLY that is not text with vertices x, y, z first"};
  PointFile file;
  while (file.points.size() < *vertices) {
    const auto point = lines.next() ? lines.point() : std::nullopt;
    if (!point) return {{}, "a vertex without three numbers" + lines.here()};
    file.points.push_back(*point);
  }
  return file;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

PointFile read_points(const std::filesystem::path& path) {
  const FileBytes file = read_bytes(path);
  if (!file.problem.empty()) return {{}, file.problem};
  const std::string ending = lower_case(path.extension().string());
  if (ending == ".obj") return read_vertex_lines(file.bytes, "v");
  if (ending == ".stl") return read_stl(file.bytes);
  if (ending == ".ply") return read_ply(file.bytes);
  return {{}, "a file that ends in \"" + ending + "\""};
}

}  // namespace carom::io
