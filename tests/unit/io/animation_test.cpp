#include "carom/io/animation.h"

#include <gmock/gmock.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>

#include "carom/io/output_error.h"
#include "carom/io/shape_mesh.h"
#include "support/meshes.h"
#include "unit/io/recorded_run.h"

namespace carom::io {
namespace {

using nlohmann::json;

std::shared_ptr<const geometry::Polyhedron> tetrahedron() {
  geometry::Polyhedron polyhedron;
  polyhedron.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  polyhedron.facets = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return std::make_shared<const geometry::Polyhedron>(polyhedron);
}

double enclosed_volume(const ShownMesh& mesh) {
  double volume = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    volume += mesh.positions[a].dot(mesh.positions[b].cross(mesh.positions[c])) / 6;
  return volume;
}

struct SolidCase {
  geometry::Shape shape;
  double volume, tolerance;
};
class SolidMesh : public testing::TestWithParam<SolidCase> {};

// Divergence theorem: the signed volume is right only if the surface is closed and faces outwards.
// Round shapes are inscribed: 32 slices and 16 bands lose less than 2 %.
TEST_P(SolidMesh, EnclosesTheVolumeOfItsShape) {
  const ShownMesh mesh = make_mesh(GetParam().shape, 1);
  const double loss = 1 - enclosed_volume(mesh) / GetParam().volume;
  EXPECT_GE(loss, -1e-12);
  EXPECT_LE(loss, GetParam().tolerance);
}

TEST_P(SolidMesh, HasUnitNormalsThatFaceAsItsTrianglesDo) {
  const ShownMesh mesh = make_mesh(GetParam().shape, 1);
  ASSERT_EQ(mesh.positions.size(), mesh.normals.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 face =
        (mesh.positions[b] - mesh.positions[a]).cross(mesh.positions[c] - mesh.positions[a]);
    for (const std::uint32_t corner : {a, b, c}) {
      EXPECT_NEAR(mesh.normals[corner].norm(), 1, 1e-12);
      EXPECT_GT(mesh.normals[corner].dot(face), 0);
    }
  }
}

constexpr double kPi = std::numbers::pi;
INSTANTIATE_TEST_SUITE_P(
    Shapes, SolidMesh,
    testing::Values(SolidCase{geometry::Sphere{2}, 4.0 / 3 * kPi * 8, 0.02},
                    SolidCase{geometry::Box{Vec3(1, 2, 3)}, 48, 1e-12},
                    SolidCase{geometry::Capsule{1, 2}, 4.0 / 3 * kPi + 2 * kPi, 0.02},
                    SolidCase{geometry::Cylinder{1, 2}, 2 * kPi, 0.01},
                    SolidCase{geometry::Cone{1, 3}, kPi, 0.01},
                    SolidCase{geometry::Ellipsoid{Vec3(1, 2, 3)}, 4.0 / 3 * kPi * 6, 0.02},
                    SolidCase{geometry::Hull{tetrahedron()}, 1.0 / 6, 1e-12},
                    SolidCase{geometry::Mesh{
                                  support::make_mesh(support::make_prism(support::make_l(), 2))},
                              6, 1e-12}));

TEST(PlaneMesh, LiesInThePlaneAndFacesItsNormal) {
  const Vec3 normal = Vec3(1, 2, 2) / 3;
  const ShownMesh mesh = make_mesh(geometry::Plane{normal, 0.5}, 7);
  for (const Vec3& position : mesh.positions) EXPECT_NEAR(position.dot(normal), 0.5, 1e-12);
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 face =
        (mesh.positions[b] - mesh.positions[a]).cross(mesh.positions[c] - mesh.positions[a]);
    EXPECT_GT(face.dot(normal), 0);
  }
}

struct Glb {
  json document;
  std::string buffer;

  std::vector<float> floats(int accessor) const {
    const json& entry = document["accessors"][accessor];
    const json& view = document["bufferViews"][entry["bufferView"].get<int>()];
    std::vector<float> values(view["byteLength"].get<std::size_t>() / sizeof(float));
    std::memcpy(values.data(), buffer.data() + view.value("byteOffset", std::size_t{0}),
                values.size() * sizeof(float));
    return values;
  }
};

std::uint32_t number_at(const std::string& bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Binary glTF 2.0: a 12-byte header, a JSON chunk, a binary chunk; each chunk with length and type.
Glb read_glb(const std::filesystem::path& path) {
  const std::string bytes = test::bytes_of(path);
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(number_at(bytes, 4), 2);
  EXPECT_EQ(number_at(bytes, 8), bytes.size());
  const std::uint32_t json_bytes = number_at(bytes, 12);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  EXPECT_EQ(bytes.substr(20 + json_bytes + 4, 4), std::string("BIN\0", 4));
  return {json::parse(bytes.substr(20, json_bytes)), bytes.substr(28 + json_bytes)};
}

Glb animate(const Scene& scene, const std::vector<State>& states) {
  const test::TemporaryFolder folder;
  AnimationSink sink(folder / "run.glb");
  sink.begin(scene);
  for (const State& state : states) sink.output(state);
  sink.end({});
  return read_glb(folder / "run.glb");
}

TEST(Animation, HasOneNodePerShapeUnderOnePerBodyUnderOneRoot) {
  Scene scene = test::make_scene({"ball", "dumbbell"});
  scene.bodies[1].shapes.push_back(
      {geometry::Box{Vec3(1, 1, 1)}, Pose{Vec3(1, 2, 3), Quat::Identity()}, MaterialId{0}, true});
  const Glb glb = animate(scene, {test::make_state(scene, 0), test::make_state(scene, 1)});
  const json& nodes = glb.document["nodes"];
  const json& root = nodes[glb.document["scenes"][0]["nodes"][0].get<int>()];
  ASSERT_EQ(root["children"].size(), 2);
  const json& dumbbell = nodes[root["children"][1].get<int>()];
  EXPECT_EQ(dumbbell["name"], "dumbbell");
  ASSERT_EQ(dumbbell["children"].size(), 2);
  EXPECT_EQ(nodes[dumbbell["children"][1].get<int>()]["translation"], json({1.0, 2.0, 3.0}));
}

TEST(Animation, SharesTheMeshOfEqualShapes) {
  Scene scene = test::make_scene({"a", "b", "c"});
  scene.materials[0].color = "#ff0000";
  const Glb glb = animate(scene, {test::make_state(scene, 0)});
  EXPECT_EQ(glb.document["meshes"].size(), 1);
  ASSERT_EQ(glb.document["materials"].size(), 1);
  EXPECT_EQ(glb.document["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"],
            json({1.0, 0.0, 0.0, 1.0}));
}

TEST(Animation, HasAKeyFrameAtEachOutputTime) {
  const Scene scene = test::make_scene({"ball"});
  const std::vector<State> states = {test::make_state(scene, 0), test::make_state(scene, 0.5),
                                     test::make_state(scene, 0.5), test::make_state(scene, 1)};
  const Glb glb = animate(scene, states);
  const json& sampler = glb.document["animations"][0]["samplers"][0];
  EXPECT_THAT(glb.floats(sampler["input"].get<int>()), testing::ElementsAre(0, 0.5, 1));
  EXPECT_THAT(glb.floats(sampler["output"].get<int>()),
              testing::ElementsAre(0, 0, 0, 0.5, 1, 1.5, 1, 2, 3));
}

TEST(Animation, NeverTurnsTheLongWayBetweenKeyFrames) {
  const Scene scene = test::make_scene({"ball"});
  std::vector<State> states;
  for (int k = 0; k < 100; ++k) {
    states.push_back(test::make_state(scene, 0.1 * k));
    if (k % 2 == 1) states.back().bodies[0].q.coeffs() *= -1;
  }
  const Glb glb = animate(scene, states);
  const auto q = glb.floats(glb.document["animations"][0]["samplers"][1]["output"].get<int>());
  ASSERT_EQ(q.size(), 400);
  for (std::size_t k = 4; k < 400; k += 4)
    EXPECT_GT(q[k] * q[k - 4] + q[k + 1] * q[k - 3] + q[k + 2] * q[k - 2] + q[k + 3] * q[k - 1],
              0.9);
}

TEST(Animation, LeavesFixedBodiesStill) {
  Scene scene = test::make_scene({"ground", "ball"});
  scene.bodies[0].motion = model::Motion::Fixed;
  const Glb glb = animate(scene, {test::make_state(scene, 0), test::make_state(scene, 1)});
  EXPECT_EQ(glb.document["animations"][0]["channels"].size(), 2);
}

class Gravity : public testing::TestWithParam<Vec3> {};

TEST_P(Gravity, PointsDownInTheAnimation) {
  Scene scene = test::make_scene({"ball"});
  scene.gravity = GetParam();
  const Glb glb = animate(scene, {test::make_state(scene, 0)});
  const json& root = glb.document["nodes"][glb.document["scenes"][0]["nodes"][0].get<int>()];
  const auto r = root.value("rotation", std::vector<double>{0, 0, 0, 1});
  const Vec3 down = Quat(r[3], r[0], r[1], r[2]) * GetParam().normalized();
  EXPECT_NEAR((down + Vec3::UnitY()).norm(), 0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Along, Gravity,
                         testing::Values(Vec3(0, 0, -9.81), Vec3(0, -9.81, 0), Vec3(0, 9.81, 0),
                                         Vec3(1, 2, -3)));

TEST(Animation, ReportsAFullDisk) {
  const Scene scene = test::make_scene({"ball"});
  AnimationSink sink("/dev/full");
  sink.begin(scene);
  EXPECT_THROW(sink.end({}), OutputError);
}

}  // namespace
}  // namespace carom::io
