// The tables are compared with those of docs/materials.md, which name the sources. Expected values
// of the scenes are written down from that page.
#include "carom/model/material_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <fstream>
#include <set>

#include "carom/model/scene_builder.h"

namespace carom::model {
namespace {

using testing::HasSubstr;

using Row = std::vector<std::string>;

Row split_row(const std::string& line) {
  Row cells;
  for (std::size_t begin = 1; begin < line.size();) {
    const std::size_t end = std::min(line.find('|', begin), line.size());
    std::string cell = line.substr(begin, end - begin);
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(cell);
    begin = end + 1;
  }
  return cells;
}

// The rows of the table below a heading, without the two lines of its head.
std::vector<Row> read_table(const std::string& heading) {
  std::ifstream page(std::string(CAROM_SOURCE_DIR) + "/docs/materials.md");
  std::vector<Row> rows;
  std::string line;
  while (std::getline(page, line) && line != heading) continue;
  while (std::getline(page, line) && !line.starts_with("## ")) {
    if (line.starts_with('|')) rows.push_back(split_row(line));
  }
  rows.erase(rows.begin(), rows.begin() + std::min<std::ptrdiff_t>(2, std::ssize(rows)));
  return rows;
}

std::string code(std::string_view text) { return '`' + std::string(text) + '`'; }

std::optional<double> number(const std::string& cell) {
  double value = 0;
  const char* end = cell.data() + cell.size();
  const auto read = std::from_chars(cell.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end) {
    EXPECT_EQ(cell, "–") << "not a number";
    return std::nullopt;
  }
  return value;
}

BodySpec make_ball(const std::string& name, const std::string& material) {
  BodySpec ball{.name = name, .material = material};
  ball.shapes = {{.shape = geometry::Sphere{0.1}}};
  return ball;
}

std::string problem_of(const std::string& material) {
  SceneBuilder builder;
  builder.add_material({.name = "jelly"});
  builder.add_body(make_ball("ball", material), "/bodies/0");
  try {
    builder.build();
  } catch (const base::BadInput& bad) {
    return bad.what();
  }
  return "no problem";
}

TEST(MaterialLibrary, HasTheMaterialsOfItsPage) {
  const std::vector<Row> rows = read_table("## The materials");
  ASSERT_EQ(rows.size(), library_materials().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LibraryMaterial& material = library_materials()[i];
    SCOPED_TRACE(material.name);
    ASSERT_EQ(rows[i].size(), 6U);
    EXPECT_EQ(rows[i][0], code(material.name));
    EXPECT_EQ(number(rows[i][1]), material.density);
    EXPECT_EQ(number(rows[i][2]), material.youngs_modulus);
    EXPECT_EQ(number(rows[i][3]), material.poissons_ratio);
    EXPECT_EQ(rows[i][4], code(material.color));
    EXPECT_FALSE(rows[i][5].empty()) << "no source";
  }
}

TEST(MaterialLibrary, HasThePairsOfItsPage) {
  const std::vector<Row> rows = read_table("## The pairs");
  ASSERT_EQ(rows.size(), library_pairs().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LibraryPair& pair = library_pairs()[i];
    SCOPED_TRACE(std::string(pair.first) + ", " + std::string(pair.second));
    ASSERT_EQ(rows[i].size(), 5U);
    EXPECT_EQ(rows[i][0], code(pair.first) + ", " + code(pair.second));
    EXPECT_EQ(number(rows[i][1]), pair.restitution);
    EXPECT_EQ(number(rows[i][2]), pair.friction);
    EXPECT_EQ(number(rows[i][3]), pair.rolling_friction);
    EXPECT_FALSE(rows[i][4].empty()) << "no source";
  }
}

TEST(MaterialLibrary, HasEachMaterialAndEachPairOnce) {
  std::set<std::string_view> names;
  for (const LibraryMaterial& material : library_materials()) names.insert(material.name);
  EXPECT_EQ(names.size(), library_materials().size());
  EXPECT_FALSE(names.contains("default"));
  std::set<std::pair<std::string_view, std::string_view>> pairs;
  for (const LibraryPair& pair : library_pairs()) {
    pairs.insert(std::minmax(pair.first, pair.second));
    EXPECT_TRUE(names.contains(pair.first)) << pair.first;
    EXPECT_TRUE(names.contains(pair.second)) << pair.second;
  }
  EXPECT_EQ(pairs.size(), library_pairs().size());
}

TEST(MaterialLibrary, HasOnlyWhatASceneMayDefineItself) {
  SceneBuilder builder;
  for (const LibraryMaterial& material : library_materials()) {
    builder.add_material(*find_library_material(material.name));
  }
  for (const LibraryPair& pair : library_pairs()) {
    builder.add_pair({.materials = {std::string(pair.first), std::string(pair.second)},
                      .restitution = pair.restitution,
                      .friction = pair.friction,
                      .rolling_friction = pair.rolling_friction});
  }
  EXPECT_NO_THROW(builder.build());
}

TEST(MaterialLibrary, GivesBodiesAndShapesTheMaterialsThatTheSceneDoesNotDefine) {
  SceneBuilder builder;
  BodySpec hammer = make_ball("hammer", "steel");
  hammer.shapes.push_back({.shape = geometry::Box{{0.02, 0.02, 0.3}}, .material = "wood"});
  builder.add_body(hammer);
  builder.add_body(make_ball("ball", "steel"));
  const Scene scene = builder.build();
  ASSERT_EQ(scene.materials.size(), 3U);  // after "default", in the order in which they are named
  EXPECT_EQ(scene.materials[1].name, "steel");
  EXPECT_EQ(scene.materials[1].density, 7850);
  EXPECT_EQ(scene.materials[1].youngs_modulus, 2.07e11);
  EXPECT_EQ(scene.materials[1].poissons_ratio, 0.3);
  EXPECT_EQ(scene.materials[1].color, "#8d949b");
  EXPECT_EQ(scene.bodies[0].shapes[1].material, MaterialId{2});
  EXPECT_EQ(scene.bodies[1].shapes[0].material, MaterialId{1});
}

TEST(MaterialLibrary, IsNotAskedAboutMaterialsThatTheSceneDefines) {
  SceneBuilder builder;
  builder.add_material({.name = "steel", .density = 1});
  builder.add_body(make_ball("own", "steel"));
  builder.add_body(make_ball("other", "glass"));
  const Scene scene = builder.build();
  ASSERT_EQ(scene.materials.size(), 3U);
  EXPECT_EQ(scene.materials[1].density, 1);
  EXPECT_EQ(scene.materials[1].youngs_modulus, Material{}.youngs_modulus);
  EXPECT_EQ(scene.materials[1].color, "");
  const MaterialId steel{1}, glass{2};
  EXPECT_EQ(scene.pairs(steel, steel).friction, 0);
  EXPECT_EQ(scene.pairs(steel, glass).restitution, 0);
  EXPECT_EQ(scene.pairs(glass, glass).restitution, 0.94);
}

TEST(MaterialLibrary, FillsInThePairFieldsThatNoEntrySets) {
  SceneBuilder builder;
  builder.add_body(make_ball("ball", "billiard ball"));
  builder.add_body(make_ball("cloth", "billiard cloth"));
  builder.add_body(make_ball("ice", "ice"));
  builder.add_pair({.materials = {"*", "*"}, .friction = 0.7});
  builder.add_pair({.materials = {"billiard cloth", "billiard ball"}, .restitution = 0});
  const Scene scene = builder.build();
  const MaterialId fallback{0}, ball{1}, cloth{2}, ice{3};
  EXPECT_EQ(scene.pairs(ball, cloth).restitution, 0);
  EXPECT_EQ(scene.pairs(cloth, ball).friction, 0.7);
  EXPECT_EQ(scene.pairs(cloth, ball).rolling_friction, 0.014);
  EXPECT_EQ(scene.pairs(ball, ball).restitution, 0.95);
  EXPECT_EQ(scene.pairs(ball, ice).restitution, 0);  // not in the table
  EXPECT_EQ(scene.pairs(fallback, ball).restitution, 0);
}

TEST(MaterialLibrary, KnowsMaterialsThatOnlyAPairNames) {
  SceneBuilder builder;
  builder.add_body(make_ball("ball", "steel"));
  builder.add_pair({.materials = {"steel", "granite"}, .restitution = 0.8});
  const Scene scene = builder.build();
  EXPECT_EQ(scene.pairs(MaterialId{1}, MaterialId{2}).restitution, 0.8);
}

TEST(MaterialLibrary, IsSearchedForTheNearestNameAndNamedInTheMessage) {
  EXPECT_THAT(problem_of("granit"), HasSubstr("/bodies/0/material: found \"granit\""));
  EXPECT_THAT(problem_of("granit"), HasSubstr("did you mean \"granite\"?"));
  EXPECT_THAT(problem_of("jely"), HasSubstr("did you mean \"jelly\"?"));
  EXPECT_THAT(problem_of("unobtainium"), HasSubstr("docs/materials.md"));
  EXPECT_THAT(problem_of("Steel"), HasSubstr("did you mean \"steel\"?"));
}

}  // namespace
}  // namespace carom::model
