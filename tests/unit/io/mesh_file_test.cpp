#include "carom/io/mesh_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace carom::io {
namespace {

using testing::HasSubstr;

using Triangles = std::vector<std::array<std::int32_t, 3>>;

MeshFile read(const std::string& ending, const std::string& bytes) {
  return parse_mesh_file("mesh" + ending, bytes);
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

TEST(MeshFile, ReadsTheVerticesOfAnObj) {
  const MeshFile file = read(".obj", "# box\nv 1 2 3\r\nvn 0 0 1\nv -1.5e0\t0 .25 1\nf 1 2 1\n");
  ASSERT_EQ(file.problem, "");
  ASSERT_EQ(file.vertices.size(), 2U);
  EXPECT_EQ(file.vertices[1], Vec3(-1.5, 0, 0.25));
}

TEST(MeshFile, ReadsTheFacesOfAnObjHoweverTheyNameTheirCorners) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  EXPECT_EQ(read(".obj", vertices + "f 1 2 3 4\n").triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(read(".obj", vertices + "f 1/9 2/8/7 3//1\r\n").triangles, (Triangles{{0, 1, 2}}));
  EXPECT_EQ(read(".obj", vertices + "f -4 -2 -1\n").triangles, (Triangles{{0, 2, 3}}));
  EXPECT_TRUE(read(".obj", vertices).triangles.empty());
}

TEST(MeshFile, ReadsATextStl) {
  const MeshFile file =
      read(".STL",
           "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 1 2 3\n"
           "   vertex 4 5 6\n   vertex 7 8 9\n  endloop\n endfacet\nendsolid a\n");
  ASSERT_EQ(file.problem, "");
  ASSERT_EQ(file.vertices.size(), 3U);
  EXPECT_EQ(file.vertices[2], Vec3(7, 8, 9));
  EXPECT_EQ(file.triangles, (Triangles{{0, 1, 2}}));
}

TEST(MeshFile, ReadsABinaryStl) {
  const MeshFile file = read(".stl", make_binary_stl());
  ASSERT_EQ(file.problem, "");
  ASSERT_EQ(file.vertices.size(), 3U);
  EXPECT_EQ(file.vertices[0], Vec3(1, 2, 3));
  EXPECT_EQ(file.vertices[2], Vec3(7, 8, 9));
  EXPECT_EQ(file.triangles, (Triangles{{0, 1, 2}}));
}

TEST(MeshFile, ReadsATextPly) {
  const MeshFile file = read(".ply",
                             "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                             "property float y\nproperty float z\nelement face 1\n"
                             "property list uchar int vertex_indices\nend_header\n"
                             "0 0 0\n1 2 3\n3 0 1 1\n");
  ASSERT_EQ(file.problem, "");
  ASSERT_EQ(file.vertices.size(), 2U);
  EXPECT_EQ(file.vertices[1], Vec3(1, 2, 3));
  EXPECT_EQ(file.triangles, (Triangles{{0, 1, 1}}));
}

TEST(MeshFile, SkipsWhatElseAPlyHolds) {
  const MeshFile file = read(".ply",
                             "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                             "property float y\nproperty float z\nproperty uchar red\n"
                             "element edge 1\nproperty int vertex1\nelement face 1\n"
                             "property list uchar int vertex_index\nend_header\n"
                             "0 0 0 9\n1 0 0 9\n0 1 0 9\n7\n3 2 1 0\n");
  ASSERT_EQ(file.problem, "");
  EXPECT_EQ(file.triangles, (Triangles{{2, 1, 0}}));
}

TEST(MeshFile, SaysWhatIsWrongWithAFace) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\n";
  EXPECT_EQ(read(".obj", vertices + "f 1 2\n").problem,
            "a face with fewer than three corners in line 4");
  EXPECT_EQ(read(".obj", vertices + "f 1 2 4\n").problem,
            "a face with a vertex that is not one of the 3 before it in line 4");
  EXPECT_EQ(read(".obj", vertices + "f 1 2 -4\n").problem,
            "a face with a vertex that is not one of the 3 before it in line 4");
  EXPECT_EQ(read(".obj", vertices + "f 1 2 x\n").problem,
            "a face with a corner that is no vertex's number in line 4");
  EXPECT_EQ(read(".stl", "solid\nouter loop\nvertex 1 2 3\nendloop\n").problem,
            "a loop without three vertices in line 4");
  EXPECT_THAT(read(".stl", "solid\nouter loop\nvertex 1 2 3\n").problem, HasSubstr("does not end"));
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
      "0 0 0\n";
  EXPECT_EQ(read(".ply", ply).problem, "an end before the last face in line 10");
  EXPECT_EQ(read(".ply", ply + "3 0 0\n").problem,
            "a face with fewer corners than it says in line 11");
  EXPECT_THAT(read(".ply", ply + "99999999999999 0\n").problem, HasSubstr("fewer corners"));
}

TEST(MeshFile, SaysWhatIsWrongWithAFile) {
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
              HasSubstr("an end before the last vertex"));
  EXPECT_THAT(read(".txt", "v 1 2 3").problem, HasSubstr("\".txt\""));
}

}  // namespace
}  // namespace carom::io
