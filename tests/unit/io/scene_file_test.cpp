#include "carom/io/scene_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "carom/base/diagnostics.h"
#include "carom/io/file_bytes.h"
#include "carom/io/json_value.h"

namespace carom::io {
namespace {

using testing::HasSubstr;
using testing::Not;

model::MethodCatalog make_catalog() {
  model::SettingDescription step, impact, lineality;
  step.key = "step";
  step.at_most = 1;
  impact.key = "impact";
  impact.kind = model::SettingKind::Choice;
  impact.choices = {"simultaneous", "sequential"};
  lineality.key = "lineality";
  lineality.kind = model::SettingKind::Flag;
  lineality.choices = {"shave"};
  return {{"zeno-free", "", {step, impact, lineality}}, {"naive", "", {step}}};
}

LoadedScene parse(const std::string& text, std::span<const Override> overrides = {}) {
  return parse_scene(text, "scene.json", overrides, make_catalog(),
                     std::string(CAROM_SOURCE_DIR) + "/tests/unit/io");
}

std::string problems_of(const std::string& text, std::span<const Override> overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const base::BadInput& bad) {
    return bad.what();
  }
  return "no problem";
}

// The example of the documentation of the format, in parts.
constexpr const char* kScene = R"({
  "carom": 1,  // format version
  "name": "Everything",
  "source": "a test",
  "gravity": [0, 0, -9.8],
  "materials": {"wood": {"density": 700, "color": "#b5803c"}, "floor": {}},
  "pairs": [{"materials": ["wood", "floor"], "friction": 0.4}],
  "bodies": [
    {"name": "ground", "motion": "fixed", "material": "floor",
     "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}},
    {"name": "top", "material": "wood", "mass": 12, "shape": {"type": "box", "size": [1, 2, 3]},
     "position": [0, 0, 1.5], "orientation": {"axis": [0, 0, 2], "angle": 1.5707963267948966},
     "velocity": [1, 2, 3], "angular_velocity": [0, 0, 20]},
    {"name": "dumbbell", "shapes": [
       {"type": "sphere", "radius": 0.1, "position": [-0.5, 0, 0]},
       {"type": "sphere", "radius": 0.1, "position": [0.5, 0, 0], "collide": false}], "mass": 2,
     "inertia": [0.01, 0.5, 0.5], "center_of_mass": [0, 0, 0]},
    {"name": "bead", "shape": {"type": "sphere", "radius": 0.01},
     "grid": {"count": [2, 1, 3], "spacing": [1, 1, 1]}}
  ],
  "joints": [
    {"name": "knee", "type": "hinge", "between": ["top", "dumbbell"], "anchor": [0, 0, 1],
     "axis": [0, 1, 0], "limits": [-2, 0], "motor": {"speed": 1, "max_torque": 5}}
  ],
  "method": {"name": "zeno-free", "step": 0.25, "impact": "sequential", "lineality": false},
  "duration": 1.25,
  "output": {"every": 0.5}
})";

TEST(SceneFile, ReadsEveryPartOfAScene) {
  const Scene scene = parse(kScene).scene;
  EXPECT_EQ(scene.name, "Everything");
  EXPECT_EQ(scene.source, "a test");
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.8));
  ASSERT_EQ(scene.materials.size(), 3U);
  EXPECT_EQ(scene.materials[1].color, "#b5803c");
  EXPECT_EQ(scene.pairs(MaterialId{1}, MaterialId{2}).friction, 0.4);
  EXPECT_EQ(scene.bodies.size(), 3U + 6U);
  EXPECT_EQ(scene.duration, 1.25);
  EXPECT_EQ(scene.output_every, 0.5);
  EXPECT_EQ(scene.method.number("step", 0), 0.25);
  EXPECT_EQ(scene.method.text("impact", ""), "sequential");
  EXPECT_FALSE(scene.method.flag("lineality", true));
}

TEST(SceneFile, ReadsBodies) {
  const Scene scene = parse(kScene).scene;
  const Body& top = scene.bodies[1];
  EXPECT_EQ(std::get<geometry::Box>(top.shapes[0].shape).half, Vec3(0.5, 1, 1.5));
  EXPECT_TRUE(top.inertia.diagonal().isApprox(Vec3(4 + 9, 1 + 9, 1 + 4), 1e-12));  // m = 12
  const auto& initial = scene.initial[1];
  EXPECT_TRUE((initial.q * Vec3::UnitX()).isApprox(Vec3::UnitY(), 1e-15));
  EXPECT_EQ(initial.x, Vec3(0, 0, 1.5));
  EXPECT_EQ(initial.v, Vec3(1, 2, 3));
  EXPECT_EQ(initial.w, Vec3(0, 0, 20));
  EXPECT_EQ(scene.bodies[0].motion, model::Motion::Fixed);
  EXPECT_EQ(scene.bodies[2].inertia(0, 0), 0.01);
  EXPECT_TRUE(scene.bodies[2].shapes[0].collide);
  EXPECT_FALSE(scene.bodies[2].shapes[1].collide);
  EXPECT_EQ(scene.bodies.back().name, "bead[1,0,2]");
}

TEST(SceneFile, ReadsJoints) {
  const model::Joint joint = parse(kScene).scene.joints.at(0);
  EXPECT_EQ(joint.type, model::JointType::Hinge);
  EXPECT_EQ(joint.limits, std::pair(-2.0, 0.0));
  EXPECT_EQ(joint.motor->max_torque, 5);
  EXPECT_TRUE(joint.X_BJ.p.isApprox(Vec3(0, 0, 1), 1e-15));
}

std::string scene_with(const std::string& body) {
  return R"({"carom": 1, "bodies": [{"name": "it", )" + body + "}]}";
}

std::string scene_of(const std::string& shape) { return scene_with(R"("shape": )" + shape); }

double mass_of(const std::string& shape) { return parse(scene_of(shape)).scene.bodies[0].mass; }

TEST(SceneFile, ReadsEveryShapeWithItsVolume) {
  constexpr double pi = std::numbers::pi, kWater = 1000;
  EXPECT_NEAR(mass_of(R"({"type": "sphere", "radius": 3})"), kWater * 36 * pi, 1e-6);
  EXPECT_NEAR(mass_of(R"({"type": "box", "size": [1, 2, 3]})"), kWater * 6, 1e-9);
  EXPECT_NEAR(mass_of(R"({"type": "cylinder", "radius": 1, "length": 2})"), kWater * 2 * pi, 1e-8);
  EXPECT_NEAR(mass_of(R"({"type": "cone", "radius": 1, "length": 3})"), kWater * pi, 1e-8);
  EXPECT_NEAR(mass_of(R"({"type": "capsule", "radius": 3, "length": 2})"), kWater * (36 + 18) * pi,
              1e-6);
  EXPECT_NEAR(mass_of(R"({"type": "ellipsoid", "radii": [1, 2, 3]})"), kWater * 8 * pi, 1e-7);
  EXPECT_NEAR(mass_of(R"({"type": "hull", "points": [[0,0,0], [1,0,0], [0,1,0], [0,0,1]]})"),
              kWater / 6, 1e-9);
}

TEST(SceneFile, ReadsAnInertiaMatrixByRows) {
  const std::string body = R"("shape": {"type": "sphere", "radius": 1},
    "inertia": [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]])";
  Mat3 expected;
  expected << 2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4;
  EXPECT_EQ(parse(scene_with(body)).scene.bodies[0].inertia, expected);
}

TEST(SceneFile, HasDefaultsForAllThatIsOptional) {
  const Scene scene = parse(scene_of(R"({"type": "sphere", "radius": 1})")).scene;
  EXPECT_EQ(scene.name, "scene");
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(scene.method.name, "zeno-free");
  EXPECT_EQ(scene.duration, 1);
}

TEST(SceneFile, NamesTheLineOfEveryProblem) {
  const std::string problems = problems_of(
      "{\n\"carom\": 1,\n\"bodies\": [\n"
      "{\"name\": \"a\",\n\"mass\": -1\n,\n\"masss\": 2,\n"
      "\"shape\":\n{\"type\": \"sphere\",\n\"radius\": 0}}]}");
  EXPECT_THAT(problems, HasSubstr("scene.json:5: /bodies/0/mass: found -1, expected a number > 0"));
  EXPECT_THAT(problems, HasSubstr("scene.json:7: /bodies/0/masss: found an unknown key"));
  EXPECT_THAT(problems, HasSubstr("did you mean \"mass\"?"));
  EXPECT_THAT(problems, HasSubstr("scene.json:10: /bodies/0/shape/radius: found 0"));
}

TEST(SceneFile, ReportsAMissingKeyAtTheObjectThatLacksIt) {
  EXPECT_THAT(problems_of("{\"carom\": 1,\n\"bodies\": [\n{\"name\": \"a\", \"shape\":\n"
                          "{\"type\": \"sphere\"}}]}"),
              HasSubstr("scene.json:4: /bodies/0/shape/radius: found nothing"));
}

TEST(SceneFile, ReportsAnUnreadableShapeOnce) {
  const std::string problems = problems_of(scene_of(R"({"type": "sphere", "radius": "big"})"));
  EXPECT_THAT(problems, HasSubstr("/bodies/0/shape/radius: found \"big\", expected a number"));
  EXPECT_THAT(problems, Not(HasSubstr("volume")));
}

std::string mesh_of(const std::string& file, const std::string& more = "") {
  return R"({"type": "mesh", "file": "meshes/)" + file + R"(.obj")" + more + "}";
}

TEST(SceneFile, ReadsAMeshOnAFixedBodyAsItIs) {
  for (const char* file : {"bracket", "open", "inward"}) {
    const std::string body = R"("motion": "fixed", "shape": )" + mesh_of(file);
    const Scene scene = parse(scene_with(body)).scene;
    ASSERT_EQ(scene.bodies[0].shapes.size(), 1U) << file;
    EXPECT_TRUE(std::holds_alternative<geometry::Mesh>(scene.bodies[0].shapes[0].shape)) << file;
    EXPECT_TRUE(std::isfinite(scene.bodies[0].radius)) << file;
  }
}

// Two boxes of 2 × 1 × 1 and 1 × 1 × 1: masses 2 and 1, centres (1, 0.5) and (0.5, 1.5).
TEST(SceneFile, TakesAMeshOnADynamicBodyApart) {
  const model::Body body = parse(scene_of(mesh_of("bracket"))).scene.bodies[0];
  ASSERT_EQ(body.shapes.size(), 2U);
  for (const auto& placed : body.shapes) {
    EXPECT_TRUE(std::holds_alternative<geometry::Hull>(placed.shape));
  }
  EXPECT_NEAR(body.mass, 3000, 1e-9);
  EXPECT_TRUE(body.center_of_mass.isApprox(Vec3(2.5 / 3, 2.5 / 3, 0.5), 1e-14));
  const double about_z = 2 * (4 + 1) / 12.0 + 2.0 / 12 + 2.0 / 3 * (0.25 + 1);
  EXPECT_NEAR(body.inertia(2, 2), 1000 * about_z, 1e-9);
}

TEST(SceneFile, LetsAMeshThatTouchesNothingBeWhole) {
  const model::Body body =
      parse(scene_of(mesh_of("bracket", R"(, "collide": false)"))).scene.bodies[0];
  ASSERT_EQ(body.shapes.size(), 1U);
  EXPECT_NEAR(body.mass, 3000, 1e-9);
}

TEST(SceneFile, SaysWhyAMeshWillNotDo) {
  const auto problem = [](const std::string& file) { return problems_of(scene_of(mesh_of(file))); };
  EXPECT_THAT(problem("bunny"),
              HasSubstr("/bodies/0/shape/file: found \"meshes/bunny.obj\", no such"));
  EXPECT_THAT(problem("open"),
              HasSubstr("/bodies/0/shape/file: found a mesh with a boundary on a"));
  EXPECT_THAT(problem("inward"),
              HasSubstr("/bodies/0/shape/file: found a mesh that faces inwards"));
  EXPECT_THAT(problem("fins"), HasSubstr("more than two triangles at the edge from (1, 0, 0)"));
  const auto silent = problems_of(scene_of(mesh_of("open", R"(, "collide": false)")));
  EXPECT_THAT(silent, HasSubstr("a mesh with a boundary"));
}

TEST(SceneFile, ChecksMethodSettingsAgainstTheCatalog) {
  const auto problems = [](const std::string& method) {
    const std::string sphere = R"({"name": "a", "shape": {"type": "sphere", "radius": 1}})";
    return problems_of(R"({"carom": 1, "bodies": [)" + sphere + R"(], "method": )" + method + "}");
  };
  EXPECT_THAT(problems(R"({"name": "niave"})"), HasSubstr("did you mean \"naive\"?"));
  EXPECT_THAT(problems(R"({"step": 2})"), HasSubstr("found 2, expected a number > 0 and <= 1"));
  EXPECT_THAT(problems(R"({"impact": "sequentail"})"), HasSubstr("did you mean \"sequential\"?"));
  EXPECT_THAT(problems(R"({"lineality": 1})"),
              HasSubstr("/method/lineality: found 1, expected true or false, or \"shave\""));
  EXPECT_THAT(problems(R"({"lineality": "shvae"})"),
              HasSubstr("found \"shvae\", expected true or false, or \"shave\""));
  EXPECT_THAT(problems(R"({"name": "naive", "stpe": 1})"), HasSubstr("did you mean \"step\"?"));
  EXPECT_EQ(problems(R"({"step": 1, "impact": "simultaneous"})"), "no problem");
}

TEST(SceneFile, TakesAWordInThePlaceOfAFlag) {
  const std::array<Override, 1> shave{{{"/method/lineality", "shave"}}};
  const model::MethodSettings settings = parse(kScene, shave).scene.method;
  EXPECT_EQ(settings.word("lineality"), "shave");
  EXPECT_TRUE(settings.flag("lineality", false));
}

TEST(SceneFile, KeepsAndChecksSettingsThatOnlyAnotherMethodKnows) {
  const std::array<Override, 1> naive{{{"/method/name", "naive"}}};
  EXPECT_EQ(parse(kScene, naive).scene.method.text("impact", ""), "sequential");
  const std::array<Override, 2> wrong{{{"/method/name", "naive"}, {"/method/impact", "none"}}};
  EXPECT_THAT(problems_of(kScene, wrong), HasSubstr("/method/impact: found \"none\""));
}

TEST(SceneFile, AppliesOverridesInOrder) {
  const std::vector<Override> changes{{"/bodies/1/mass", "3"},
                                      {"/bodies/1/mass", "4"},
                                      {"/bodies/0/name", "earth"},
                                      {"/method/name", "naive"},
                                      {"/method", R"({"name": "naive", "step": 0.5})"},
                                      {"/pairs/-", R"({"materials": ["*", "*"], "friction": 1})"}};
  const LoadedScene loaded = parse(kScene, changes);
  EXPECT_EQ(loaded.scene.bodies[1].mass, 4);
  EXPECT_EQ(loaded.scene.bodies[0].name, "earth");
  EXPECT_EQ(loaded.scene.method.name, "naive");
  EXPECT_EQ(loaded.scene.method.number("step", 0), 0.5);
  EXPECT_EQ(loaded.scene.pairs(MaterialId{0}, MaterialId{0}).friction, 1);
}

constexpr const char* kLibraryScene = R"({
  "carom": 1,
  "materials": {"glass": {"density": 2000}},
  "pairs": [{"materials": ["*", "*"], "friction": 0.125}],
  "bodies": [
    {"name": "table", "motion": "fixed", "material": "wood",
     "shape": {"type": "box", "size": [1, 1, 0.1]}},
    {"name": "cube", "material": "steel", "shape": {"type": "box", "size": [0.1, 0.1, 0.1]},
     "position": [0, 0, 0.1]},
    {"name": "marble", "shape": {"type": "box", "size": [0.1, 0.1, 0.1], "material": "glass"},
     "position": [0, 0, 0.3]}
  ]
})";

TEST(SceneFile, TakesMaterialsThatItDoesNotDefineFromTheLibrary) {
  const Scene scene = parse(kLibraryScene).scene;
  EXPECT_NEAR(scene.bodies[1].mass, 7.85, 1e-12);
  EXPECT_NEAR(scene.bodies[2].mass, 2, 1e-12);  // the scene's own glass
  const MaterialId glass{1}, wood{2}, steel{3};
  EXPECT_EQ(scene.pairs(steel, wood).restitution, 0.5);
  EXPECT_EQ(scene.pairs(steel, wood).friction, 0.125);
  EXPECT_EQ(scene.pairs(steel, glass).restitution, 0);
}

TEST(SceneFile, GivesTheSameMaterialsWhenItsStoredTextIsRead) {
  const LoadedScene first = parse(kLibraryScene);
  const LoadedScene again = parse(first.json);
  EXPECT_EQ(again.json, first.json);
  ASSERT_EQ(again.scene.materials.size(), first.scene.materials.size());
  for (std::size_t i = 0; i < first.scene.materials.size(); ++i) {
    const model::Material &a = first.scene.materials[i], &b = again.scene.materials[i];
    EXPECT_EQ(std::tie(a.name, a.density, a.youngs_modulus, a.poissons_ratio, a.color),
              std::tie(b.name, b.density, b.youngs_modulus, b.poissons_ratio, b.color));
    for (std::size_t j = 0; j < first.scene.materials.size(); ++j) {
      const auto p = first.scene.pairs(id_of<MaterialId>(i), id_of<MaterialId>(j));
      const auto q = again.scene.pairs(id_of<MaterialId>(i), id_of<MaterialId>(j));
      EXPECT_EQ(std::tie(p.restitution, p.friction, p.rolling_friction, p.spinning_friction),
                std::tie(q.restitution, q.friction, q.rolling_friction, q.spinning_friction));
    }
  }
}

TEST(SceneFile, SaysWhereTheMaterialsOfTheLibraryAreListed) {
  const std::array<Override, 1> misspelt{{{"/bodies/1/material", "stel"}}};
  const std::string problems = problems_of(kLibraryScene, misspelt);
  EXPECT_THAT(problems, HasSubstr("/bodies/1/material: found \"stel\", expected the name of a"));
  EXPECT_THAT(problems, HasSubstr("docs/materials.md"));
  EXPECT_THAT(problems, HasSubstr("did you mean \"steel\"?"));
}

TEST(SceneFile, ReadsTheExampleOfThePageOnMaterials) {
  const std::string page = read_bytes(std::string(CAROM_SOURCE_DIR) + "/docs/materials.md").bytes;
  const std::string begin = "```json\n", end = "```\n";
  const std::size_t first = page.find(begin) + begin.size();
  const std::array<Override, 1> method{{{"/method/name", "naive"}}};
  const Scene scene = parse(page.substr(first, page.find(end, first) - first), method).scene;
  EXPECT_NEAR(scene.bodies[1].mass, 0.166, 5e-4);  // of 156 to 170 g
  EXPECT_EQ(scene.pairs(MaterialId{1}, MaterialId{2}).friction, 0.2);
}

TEST(SceneFile, SetsAMethodsStepInASceneWithoutAMethod) {
  const std::array<Override, 1> step{{{"/method/step", "0.125"}}};
  const Scene scene = parse(scene_of(R"({"type": "sphere", "radius": 1})"), step).scene;
  EXPECT_EQ(scene.method.number("step", 0), 0.125);
}

TEST(SceneFile, SaysSetInsteadOfALineForOverriddenValues) {
  const std::array<Override, 1> mass{{{"/bodies/1/mass", "-1"}}};
  EXPECT_THAT(problems_of(kScene, mass),
              HasSubstr("scene.json (--set): /bodies/1/mass: found -1, expected a number > 0"));
  const std::array<Override, 1> typo{{{"/bodys/1/mass", "1"}}};
  const std::string problems = problems_of(kScene, typo);
  EXPECT_THAT(problems, HasSubstr("scene.json (--set): /bodys/1/mass: found no key \"bodys\""));
  EXPECT_THAT(problems, HasSubstr("did you mean \"bodies\"?"));
}

TEST(SceneFile, GivesTheDocumentAsRunWhichReadsBackAsTheSameScene) {
  const std::array<Override, 1> mass{{{"/bodies/1/mass", "0.1"}}};
  const LoadedScene first = parse(kScene, mass);
  const LoadedScene second = parse(first.json);
  EXPECT_EQ(second.json, first.json);
  EXPECT_EQ(second.scene.bodies[1].mass, 0.1);
  EXPECT_EQ(second.scene.initial[1].q.coeffs(), first.scene.initial[1].q.coeffs());
  EXPECT_THAT(first.json, HasSubstr("\n  \"carom\": 1,\n"));
}

TEST(SceneFile, RefusesAFileThatIsNotThere) {
  try {
    load_scene("no/such/scene.json", {}, make_catalog());
    FAIL();
  } catch (const base::BadInput& bad) {
    EXPECT_STREQ(bad.what(),
                 "no/such/scene.json: (document): found no such file, expected a scene file");
  }
}

}  // namespace
}  // namespace carom::io
