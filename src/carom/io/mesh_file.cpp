#include "carom/io/mesh_file.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "carom/io/text_lines.h"

namespace carom::io {

namespace {

constexpr const char* kNoPoint = "a vertex without three numbers";

MeshFile problem(std::string text) { return {{}, {}, std::move(text)}; }

// Fans the face into triangles; says what is wrong with it.
std::string add_face(const std::vector<std::int64_t>& corners, MeshFile& file) {
  const auto count = static_cast<std::int64_t>(file.vertices.size());
  if (corners.size() < 3) return "a face with fewer than three corners";
  for (const std::int64_t corner : corners) {
    if (corner >= 0 && corner < count) continue;
    return "a face with a vertex that is not one of the " + std::to_string(count) + " before it";
  }
  const auto at = [&](std::size_t i) { return static_cast<std::int32_t>(corners[i]); };
  for (std::size_t i = 2; i < corners.size(); ++i) {
    file.triangles.push_back({at(0), at(i - 1), at(i)});
  }
  return {};
}

// "f 1 2 3", "f 1/4 2/4 3/5", "f 1//7 2//7 3//7", "f -3 -2 -1": from 1, or back from the last
// vertex.
std::string read_obj_face(TextLines& lines, MeshFile& file) {
  std::vector<std::int64_t> corners;
  for (std::string_view word = lines.word(); !word.empty(); word = lines.word()) {
    const auto number = TextLines::number_in<std::int64_t>(word.substr(0, word.find('/')));
    if (!number || *number == 0) return "a face with a corner that is no vertex's number";
    const auto count = static_cast<std::int64_t>(file.vertices.size());
    corners.push_back(*number > 0 ? *number - 1 : count + *number);
  }
  return add_face(corners, file);
}

MeshFile read_obj(std::string_view text) {
  MeshFile file;
  for (TextLines lines(text); lines.next();) {
    const std::string_view key = lines.word();
    if (key == "v") {
      const auto point = lines.point();
      if (!point) return problem(kNoPoint + lines.here());
      file.vertices.push_back(*point);
    } else if (key == "f") {
      const std::string wrong = read_obj_face(lines, file);
      if (!wrong.empty()) return problem(wrong + lines.here());
    }
  }
  return file;
}

// Every three vertices are a triangle.
void add_triangles_of_three(MeshFile& file) {
  const auto count = static_cast<std::int32_t>(file.vertices.size());
  for (std::int32_t i = 0; i + 2 < count; i += 3) file.triangles.push_back({i, i + 1, i + 2});
}

MeshFile read_text_stl(std::string_view text) {
  MeshFile file;
  std::size_t in_loop = 0;
  for (TextLines lines(text); lines.next();) {
    const std::string_view key = lines.word();
    if (key == "vertex") {
      const auto point = lines.point();
      if (!point) return problem(kNoPoint + lines.here());
      file.vertices.push_back(*point);
      ++in_loop;
    } else if (key == "endloop") {
      if (in_loop != 3) return problem("a loop without three vertices" + lines.here());
      in_loop = 0;
    }
  }
  if (in_loop != 0) return problem("a last loop that does not end");
  add_triangles_of_three(file);
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
MeshFile read_stl(std::string_view bytes) {
  constexpr std::size_t kHeader = 84, kTriangle = 50;
  const std::size_t triangles = bytes.size() >= kHeader ? read_u32(bytes, 80) : 0;
  const bool binary = bytes.size() >= kHeader && bytes.size() == kHeader + kTriangle * triangles;
  if (!binary && bytes.starts_with("solid")) return read_text_stl(bytes);
  if (!binary) return problem("a binary STL whose length does not fit its number of triangles");
  MeshFile file;
  for (std::size_t at = kHeader; at < bytes.size(); at += kTriangle) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      Vec3 point;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t offset = at + 12 * (corner + 1) + 4 * i;
        point[static_cast<int>(i)] = std::bit_cast<float>(read_u32(bytes, offset));
      }
      file.vertices.push_back(point);
    }
  }
  add_triangles_of_three(file);
  return file;
}

struct PlyElement {
  std::string_view name;
  std::uint64_t count = 0;
  std::string properties;  // their names, each after a blank
};

// The elements of a text PLY, or nothing for another kind.
std::optional<std::vector<PlyElement>> read_ply_header(TextLines& lines) {
  std::vector<PlyElement> elements;
  bool text = false;
  while (lines.next()) {
    const std::string_view key = lines.word();
    if (key == "end_header") return text ? std::optional(std::move(elements)) : std::nullopt;
    if (key == "format") text = lines.word() == "ascii";
    if (key == "element") {
      const std::string_view name = lines.word();
      const auto count = TextLines::number_in<std::uint64_t>(lines.word());
      if (!count) return std::nullopt;
      elements.push_back({name, *count, {}});
    }
    if (key != "property" || elements.empty()) continue;
    std::string_view last;
    for (std::string_view word = lines.word(); !word.empty(); word = lines.word()) last = word;
    (elements.back().properties += ' ') += last;
  }
  return std::nullopt;
}

std::string read_ply_face(TextLines& lines, MeshFile& file) {
  const auto count = TextLines::number_in<std::uint64_t>(lines.word());
  if (!count) return "a face without a number of corners";
  std::vector<std::int64_t> corners;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto corner = TextLines::number_in<std::int64_t>(lines.word());
    if (!corner) return "a face with fewer corners than it says";
    corners.push_back(*corner);
  }
  return add_face(corners, file);
}

std::string read_ply_line(const PlyElement& element, TextLines& lines, MeshFile& file) {
  if (!lines.next()) return "an end before the last " + std::string(element.name);
  if (element.name == "face") return read_ply_face(lines, file);
  if (element.name != "vertex") return {};
  const auto point = lines.point();
  if (!point) return kNoPoint;
  file.vertices.push_back(*point);
  return {};
}

MeshFile read_ply(std::string_view text) {
  TextLines lines(text);
  if (!lines.next() || lines.word() != "ply") {
    return problem("a file that does not begin with \"ply\"");
  }
  const auto elements = read_ply_header(lines);
  if (!elements || elements->empty() || elements->front().name != "vertex" ||
      !elements->front().properties.starts_with(" x y z")) {
    return problem("a PLY that is not text with vertices x, y, z first");
  }
  MeshFile file;
  for (const PlyElement& element : *elements) {
    if (element.name == "face" && !element.properties.starts_with(" vertex_ind")) {
      return problem("a PLY whose faces do not begin with \"vertex_indices\"");
    }
    for (std::uint64_t i = 0; i < element.count; ++i) {
      const std::string wrong = read_ply_line(element, lines, file);
      if (!wrong.empty()) return problem(wrong + lines.here());
    }
  }
  return file;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

MeshFile parse_mesh_file(const std::filesystem::path& name, std::string_view bytes) {
  const std::string ending = lower_case(name.extension().string());
  if (ending == ".obj") return read_obj(bytes);
  if (ending == ".stl") return read_stl(bytes);
  if (ending == ".ply") return read_ply(bytes);
  return problem("a file that ends in \"" + ending + "\"");
}

}  // namespace carom::io
