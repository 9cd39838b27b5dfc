#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "carom/io/point_file.h"

namespace carom::io {
namespace {

using testing::HasSubstr;

PointFile read(const std::string& ending, const std::string& bytes) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const auto path = std::filesystem::path(testing::TempDir()) / (test->name() + ending);
  std::ofstream(path, std::ios::binary) << bytes;
  PointFile file = read_points(path);
  std::filesystem::remove(path);
  return file;
}

void append(std::string& bytes, std::uint32_t word) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift);
}

// One triangle with corners (1, 2, 3), (4, 5, 6), (7, 8, 9); the normal comes first.
std::string make_binary_stl() {
  std::string bytes(80, 's');
  append(bytes, 1);
  for (const float x : {0.F, 0.F, 1.F, 1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F, 9.F}) {
    append(bytes, std::bit_cast<std::uint32_t>(x));
  }
  return bytes + std::string(2, '\0');
}

TEST(PointFile, ReadsTheVerticesOfAnObj) {
  const PointFile file = read(".obj", "# box\nv 1 2 3\r\nvn 0 0 1\nv -1.5e0\t0 .25 1\nf 1 2 1\n");
  ASSERT_EQ(file.problem, "");
  ASSERT_EQ(file.points.size(), 2U);
  EXPECT_EQ(file.points[1], Vec3(-1.5, 0, 0.25));
}

TEST(PointFile, ReadsTheVerticesOfATextStl) {
  const PointFile file =
      read(".STL", "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 1 2 3\n");
  ASSERT_EQ(file.points.size(), 1U);
  EXPECT_EQ(file.points[0], Vec3(1, 2, 3));
}

TEST(PointFile, ReadsTheVerticesOfABinaryStl) {
  const PointFile file = read(".stl", make_binary_stl());
  ASSERT_EQ(file.problem, "");
  ASSERT_EQ(file.points.size(), 3U);
  EXPECT_EQ(file.points[0], Vec3(1, 2, 3));
  EXPECT_EQ(file.points[2], Vec3(7, 8, 9));
}

TEST(PointFile, ReadsTheVerticesOfATextPly) {
  const PointFile file = read(".ply",
                              "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                              "property float y\nproperty float z\nelement face 1\n"
                              "property list uchar int vertex_indices\nend_header\n"
                              "0 0 0\n1 2 3\n3 0 1 1\n");
  ASSERT_EQ(file.problem, "");
  ASSERT_EQ(file.points.size(), 2U);
  EXPECT_EQ(file.points[1], Vec3(1, 2, 3));
}

TEST(PointFile, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(read(".obj", "v 1 2 3\nv 1 2\n").problem, "a vertex without three numbers in line 2");
  EXPECT_EQ(read(".obj", "v 1 2 x\n").problem, "a vertex without three numbers in line 1");
  EXPECT_THAT(read(".stl", make_binary_stl().substr(0, 100)).problem, HasSubstr("length"));
  EXPECT_THAT(read(".stl", "").problem, HasSubstr("length"));
  EXPECT_THAT(read(".ply", "obj").problem, HasSubstr("begin with \"ply\""));
  EXPECT_THAT(read(".ply", "ply\nformat binary_little_endian 1.0\nend_header\n").problem,
              HasSubstr("not text"));
  EXPECT_THAT(read(".ply",
                   "ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\n"
                   "property float y\nproperty float z\nend_header\n0 0 0\n")
                  .problem,
              HasSubstr("without three numbers"));
  EXPECT_THAT(read(".txt", "v 1 2 3").problem, HasSubstr("\".txt\""));
  EXPECT_EQ(read_points("no-such.obj").problem, "no such file");
}

}  // namespace
}  // namespace carom::io
