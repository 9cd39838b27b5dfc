#include "carom/io/animation.h"

#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <sstream>
#include <utility>

#include "carom/io/output_error.h"
#include "carom/io/output_file.h"
#include "carom/io/shape_color.h"
#include "carom/io/shape_mesh.h"
#include "carom/math/rotation.h"

namespace carom::io {

namespace {

using Color = std::array<double, 3>;  // linear light

// glTF wants linear light; "#rrggbb" is sRGB.
Color parse_color(const std::string& text) {
  const auto linear = [&](std::size_t at) {
    const double s = static_cast<double>(std::stoi(text.substr(at, 2), nullptr, 16)) / 255;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return {linear(1), linear(3), linear(5)};
}

// Gravity points down; glTF's up is +y.
Quat upright(const Vec3& gravity) {
  const Vec3 up = gravity.isZero() ? Vec3(Vec3::UnitZ()) : Vec3(-gravity.normalized());
  return math::turn_between(up, Vec3::UnitY());
}

std::vector<double> to_gltf(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
std::vector<double> to_gltf(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }

// q and -q are the same attitude; viewers interpolate between numbers, so take the nearer one.
void append_rotation(std::vector<float>& frames, const Quat& q) {
  const Quat unit = q.normalized();
  const std::array<double, 4> now = {unit.x(), unit.y(), unit.z(), unit.w()};
  double dot = 0;
  for (std::size_t i = 0; i < 4 && !frames.empty(); ++i)
    dot += now[i] * static_cast<double>(frames[frames.size() - 4 + i]);
  for (const double value : now) frames.push_back(static_cast<float>(dot < 0 ? -value : value));
}

// Far enough to hold everything that moves at the start, several times over.
double plane_extent(const Scene& scene) {
  double reach = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].motion != model::Motion::Fixed && std::isfinite(scene.bodies[i].radius))
      reach = std::max(reach, scene.initial[i].x.norm() + scene.bodies[i].radius);
  return reach > 0 ? 4 * reach : 10;
}

// What makes two shapes look the same, so that a thousand beads share one mesh.
using MeshKey = std::pair<std::vector<double>, std::pair<const void*, int>>;

struct MeshKeyNumbers {
  std::vector<double> operator()(const geometry::Sphere& s) const { return {0, s.radius}; }
  std::vector<double> operator()(const geometry::Box& s) const {
    return {1, s.half.x(), s.half.y(), s.half.z()};
  }
  std::vector<double> operator()(const geometry::Capsule& s) const {
    return {2, s.radius, s.length};
  }
  std::vector<double> operator()(const geometry::Cylinder& s) const {
    return {3, s.radius, s.length};
  }
  std::vector<double> operator()(const geometry::Cone& s) const { return {4, s.radius, s.length}; }
  std::vector<double> operator()(const geometry::Ellipsoid& s) const {
    return {5, s.radii.x(), s.radii.y(), s.radii.z()};
  }
  std::vector<double> operator()(const geometry::Plane& s) const {
    return {6, s.normal.x(), s.normal.y(), s.normal.z(), s.offset};
  }
  std::vector<double> operator()(const geometry::Hull& /*told apart by its polyhedron*/) const {
    return {7};
  }
  std::vector<double> operator()(const geometry::Mesh& /*told apart by its surface*/) const {
    return {8};
  }
};

const void* shared_part(const geometry::Shape& shape) {
  if (const auto* hull = std::get_if<geometry::Hull>(&shape)) return hull->polyhedron.get();
  if (const auto* mesh = std::get_if<geometry::Mesh>(&shape)) return mesh->surface.get();
  return nullptr;
}

MeshKey mesh_key(const geometry::Shape& shape, int material) {
  return {std::visit(MeshKeyNumbers{}, shape), {shared_part(shape), material}};
}

// Appends to a glTF document. The one buffer holds everything; all of it is four-byte numbers.
class Document {
 public:
  Document() {
    model_.asset.version = "2.0";
    model_.asset.generator = "carom";
    model_.buffers.emplace_back();
  }

  tinygltf::Model& model() { return model_; }

  int add_floats(std::span<const float> values, int type, int target) {
    const auto width = static_cast<std::size_t>(
        tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(type)));
    tinygltf::Accessor accessor;
    accessor.bufferView = add_view(values.data(), values.size_bytes(), target);
    accessor.componentType = TINYGLTF_COMPONENT_TYPE_FLOAT;
    accessor.type = type;
    accessor.count = values.size() / width;
    for (std::size_t c = 0; c < width; ++c) {
      float low = std::numeric_limits<float>::infinity(), high = -low;
      for (std::size_t i = c; i < values.size(); i += width) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
      }
      accessor.minValues.push_back(low);
      accessor.maxValues.push_back(high);
    }
    return add(model_.accessors, std::move(accessor));
  }

  int add_indices(std::span<const std::array<std::uint32_t, 3>> triangles) {
    tinygltf::Accessor accessor;
    accessor.bufferView =
        add_view(triangles.data(), triangles.size_bytes(), TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    accessor.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
    accessor.type = TINYGLTF_TYPE_SCALAR;
    accessor.count = 3 * triangles.size();
    return add(model_.accessors, std::move(accessor));
  }

  int material_of(const std::string& color) {
    const auto [entry, is_new] = materials_.try_emplace(color, static_cast<int>(materials_.size()));
    if (!is_new) return entry->second;
    const Color linear = parse_color(color);
    tinygltf::Material material;
    material.name = color;
    material.pbrMetallicRoughness.baseColorFactor = {linear[0], linear[1], linear[2], 1};
    material.pbrMetallicRoughness.metallicFactor = 0;
    material.pbrMetallicRoughness.roughnessFactor = 0.6;
    return add(model_.materials, std::move(material));
  }

  int mesh_of(const geometry::Shape& shape, int material, double extent) {
    const auto [entry, is_new] =
        meshes_.try_emplace(mesh_key(shape, material), static_cast<int>(meshes_.size()));
    if (!is_new) return entry->second;
    tinygltf::Mesh mesh;
    mesh.name = std::string(geometry::name_of(shape));
    mesh.primitives.push_back(make_primitive(make_mesh(shape, extent), material));
    return add(model_.meshes, std::move(mesh));
  }

  int add_node(tinygltf::Node node) { return add(model_.nodes, std::move(node)); }

 private:
  template <typename T>
  static int add(std::vector<T>& list, T value) {
    list.push_back(std::move(value));
    return static_cast<int>(list.size()) - 1;
  }

  int add_view(const void* data, std::size_t bytes, int target) {
    std::vector<unsigned char>& buffer = model_.buffers[0].data;
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = buffer.size();
    view.byteLength = bytes;
    view.target = target;
    buffer.resize(buffer.size() + bytes);
    std::memcpy(buffer.data() + view.byteOffset, data, bytes);
    return add(model_.bufferViews, std::move(view));
  }

  int add_vectors(const std::vector<Vec3>& vectors) {
    std::vector<float> values;
    values.reserve(3 * vectors.size());
    for (const Vec3& v : vectors)
      for (int axis = 0; axis < 3; ++axis) values.push_back(static_cast<float>(v[axis]));
    return add_floats(values, TINYGLTF_TYPE_VEC3, TINYGLTF_TARGET_ARRAY_BUFFER);
  }

  tinygltf::Primitive make_primitive(const ShownMesh& mesh, int material) {
    tinygltf::Primitive primitive;
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
    primitive.material = material;
    primitive.attributes["POSITION"] = add_vectors(mesh.positions);
    primitive.attributes["NORMAL"] = add_vectors(mesh.normals);
    if (!mesh.shades.empty()) {
      std::vector<Vec3> colors;
      for (const float shade : mesh.shades) colors.push_back(Vec3::Constant(shade));
      primitive.attributes["COLOR_0"] = add_vectors(colors);
    }
    primitive.indices = add_indices(mesh.triangles);
    return primitive;
  }

  tinygltf::Model model_;
  std::map<std::string, int> materials_;
  std::map<MeshKey, int> meshes_;
};

}  // namespace

struct AnimationSink::Animation {
  // A body that moves, and where it was at each frame.
  struct Track {
    std::size_t body = 0;
    int node = 0;
    std::vector<float> translations, rotations;
  };

  explicit Animation(std::filesystem::path path_in) : path(std::move(path_in)) {
    check_writable(path);
  }

  int add_body(const Scene& scene, std::size_t body, double extent) {
    tinygltf::Node node;
    node.name = scene.bodies[body].name;
    node.translation = to_gltf(scene.initial[body].x);
    node.rotation = to_gltf(scene.initial[body].q);
    for (const model::PlacedShape& shape : scene.bodies[body].shapes) {
      tinygltf::Node part;
      part.mesh =
          document.mesh_of(shape.shape, document.material_of(color_of(scene, body, shape)), extent);
      part.translation = to_gltf(shape.X_BS.p);
      part.rotation = to_gltf(shape.X_BS.q);
      node.children.push_back(document.add_node(std::move(part)));
    }
    return document.add_node(std::move(node));
  }

  void add_channel(const Track& track, const std::string& path_name, int input, int output) {
    tinygltf::Animation& motion = document.model().animations[0];
    tinygltf::AnimationSampler sampler;
    sampler.input = input;
    sampler.output = output;
    sampler.interpolation = "LINEAR";
    motion.samplers.push_back(sampler);
    tinygltf::AnimationChannel channel;
    channel.sampler = static_cast<int>(motion.samplers.size()) - 1;
    channel.target_node = track.node;
    channel.target_path = path_name;
    motion.channels.push_back(channel);
  }

  void add_motion() {
    if (times.empty() || tracks.empty()) return;
    document.model().animations.emplace_back().name = "motion";
    const int input = document.add_floats(times, TINYGLTF_TYPE_SCALAR, 0);
    for (const Track& track : tracks) {
      add_channel(track, "translation", input,
                  document.add_floats(track.translations, TINYGLTF_TYPE_VEC3, 0));
      add_channel(track, "rotation", input,
                  document.add_floats(track.rotations, TINYGLTF_TYPE_VEC4, 0));
    }
  }

  void write() {
    constexpr std::size_t kMaxBytes = std::size_t{3} << 30U;  // 4 GiB, less room for the JSON part
    if (document.model().buffers[0].data.size() > kMaxBytes)
      throw make_output_error(path, "the animation is longer than a .glb file may be");
    std::ostringstream text;
    tinygltf::TinyGLTF().WriteGltfSceneToStream(&document.model(), text, false, true);
    write_file(path, text.view());
  }

  std::filesystem::path path;
  Document document;
  std::vector<Track> tracks;
  std::vector<float> times;
};

AnimationSink::AnimationSink(std::filesystem::path path)
    : animation_(std::make_unique<Animation>(std::move(path))) {}

AnimationSink::~AnimationSink() = default;

void AnimationSink::begin(const Scene& scene) {
  tinygltf::Node root;
  root.name = scene.name;
  root.rotation = to_gltf(upright(scene.gravity));
  const double extent = plane_extent(scene);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const int node = animation_->add_body(scene, i, extent);
    root.children.push_back(node);
    if (scene.bodies[i].motion != model::Motion::Fixed)
      animation_->tracks.push_back({i, node, {}, {}});
  }
  tinygltf::Scene stage;
  stage.name = scene.name;
  stage.nodes = {animation_->document.add_node(std::move(root))};
  animation_->document.model().scenes.push_back(std::move(stage));
  animation_->document.model().defaultScene = 0;
}

void AnimationSink::output(const State& state) {
  const auto time = static_cast<float>(state.t);
  if (!animation_->times.empty() && time <= animation_->times.back()) return;  // glTF: ever later
  animation_->times.push_back(time);
  for (Animation::Track& track : animation_->tracks) {
    const BodyState& body = state.bodies[track.body];
    for (int axis = 0; axis < 3; ++axis)
      track.translations.push_back(static_cast<float>(body.x[axis]));
    append_rotation(track.rotations, body.q);
  }
}

void AnimationSink::end(const record::Summary& /*summary*/) {
  animation_->add_motion();
  animation_->write();
}

}  // namespace carom::io
