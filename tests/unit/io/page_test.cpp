#include "carom/io/page.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "carom/dynamics/energy.h"
#include "carom/io/output_error.h"
#include "carom/io/viewer_page.h"
#include "support/meshes.h"
#include "unit/io/recorded_run.h"

namespace carom::io {
namespace {

using nlohmann::json;

std::string from_base64(const std::string& text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = std::isupper(c)   ? c - 'A'
                      : std::islower(c) ? c - 'a' + 26
                      : std::isdigit(c) ? c - '0' + 52
                      : c == '+'        ? 62
                                        : 63;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255U);
  }
  return bytes;
}

std::string inflate(std::string packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit(&stream), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string bytes;
  int status = Z_OK;
  while (status == Z_OK) {
    char chunk[4096];
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    bytes.append(chunk, sizeof chunk - stream.avail_out);
  }
  EXPECT_EQ(status, Z_STREAM_END);
  inflateEnd(&stream);
  return bytes;
}

// The page's recording, read as viewer/src/columns.ts describes it and without the code that wrote
// it.
struct Recording {
  json header;
  std::map<std::string, std::vector<double>> columns;

  const std::vector<double>& operator[](const std::string& name) const { return columns.at(name); }

  // Row `row` of numbers that are kept as differences: each is twice its size, less one if
  // negative.
  std::vector<double> series(const std::string& name, std::size_t row, const char* quantum,
                             int order) const {
    const std::size_t length = columns.at("t").size();
    std::vector<double> values;
    for (std::size_t i = 0; i < length; ++i) {
      const auto kept =
          static_cast<std::uint32_t>(static_cast<std::int32_t>(columns.at(name)[row * length + i]));
      const double half = std::floor(kept / 2.0);
      values.push_back(kept % 2 == 0 ? half : -half - 1);
    }
    for (; order > 0; --order)
      for (std::size_t i = 1; i < length; ++i) values[i] += values[i - 1];
    for (double& value : values) value *= header["quanta"][quantum].get<double>();
    return values;
  }
};

template <typename T>
std::vector<double> take_column(const std::string& bytes, std::size_t& at, std::size_t length) {
  std::vector<double> values;
  for (std::size_t i = 0; i < length; ++i) {
    char raw[sizeof(T)];
    for (std::size_t byte = 0; byte < sizeof(T); ++byte) raw[byte] = bytes[at + byte * length + i];
    T value{};
    std::memcpy(&value, raw, sizeof value);
    values.push_back(static_cast<double>(value));
  }
  at += length * sizeof(T);
  return values;
}

Recording read_page(const std::filesystem::path& path) {
  const std::string page = test::bytes_of(path);
  const std::string opening = "<script id=\"recording\" type=\"application/octet-stream\">";
  const std::size_t start = page.find(opening) + opening.size();
  const std::string bytes =
      inflate(from_base64(page.substr(start, page.find("</script>", start) - start)));
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  Recording recording{json::parse(bytes.substr(4, size)), {}};
  std::size_t at = 4 + size;
  for (const json& column : recording.header["columns"]) {
    const std::string name = column[0], type = column[1];
    const std::size_t length = column[2];
    recording.columns[name] = type == "f64"   ? take_column<double>(bytes, at, length)
                              : type == "f32" ? take_column<float>(bytes, at, length)
                                              : take_column<std::int32_t>(bytes, at, length);
  }
  EXPECT_EQ(at, bytes.size());
  return recording;
}

class Page : public testing::Test {
 protected:
  void SetUp() override {
    if (viewer_page().empty()) GTEST_SKIP() << "built without the viewer";
  }

  // Tells a sink 50 outputs, each with its forces, and an event before each.
  Recording record(const Scene& scene) {
    PageSink sink(folder_ / "run.html");
    sink.begin(scene);
    for (int k = 0; k < 50; ++k) {
      trace_.outputs.push_back(test::make_state(scene, 0.02 * k));
      trace_.events.push_back(test::make_event(0.02 * k - 0.01));
      sink.event(trace_.events.back());
      sink.output(trace_.outputs.back());
      sink.forces(0.02 * k, test::make_forces(0.02 * k));
    }
    record::Summary summary;
    summary.scene = scene.name;
    summary.wall_seconds = 12.5;
    sink.end(summary);
    return read_page(folder_ / "run.html");
  }

  test::TemporaryFolder folder_;
  record::Trace trace_;
};

TEST_F(Page, HoldsTheStatesOfTheTraceWithinHalfAQuantum) {
  Scene scene = test::make_scene({"ground", "ball", "driven"});
  scene.bodies[0].motion = model::Motion::Fixed;
  scene.bodies[2].motion = model::Motion::Driven;
  for (Body& body : scene.bodies) body.radius = 0.5;
  const Recording page = record(scene);
  EXPECT_EQ(page.header["tracks"], json({1, 2}));
  EXPECT_LE(page.header["quanta"]["x"].get<double>(), 1.001e-4 * 0.5);
  const auto quantum = [&](const char* of) { return page.header["quanta"][of].get<double>(); };
  for (std::size_t track = 0; track < 2; ++track) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::string i = std::to_string(axis);
      const auto x = page.series("x" + i, track, "x", 2), v = page.series("v" + i, track, "v", 1),
                 w = page.series("w" + i, track, "w", 1);
      for (std::size_t k = 0; k < 50; ++k) {
        const BodyState& body = trace_.outputs[k].bodies[track + 1];
        EXPECT_NEAR(x[k], body.x[axis], 0.51 * quantum("x"));
        EXPECT_NEAR(v[k], body.v[axis], 0.51 * quantum("v") + 1e-6);
        EXPECT_NEAR(w[k], body.w[axis], 0.51 * quantum("w") + 1e-6);
      }
    }
  }
}

// A quaternion and its negative are one attitude; from output to output it must not flip.
TEST_F(Page, HoldsAttitudesWithoutFlips) {
  const Scene scene = test::make_scene({"ball"});
  const Recording page = record(scene);
  const char* names[] = {"q0", "q1", "q2", "q3"};
  Eigen::Vector4d last = Eigen::Vector4d::Zero();
  for (std::size_t k = 0; k < 50; ++k) {
    Eigen::Vector4d q;
    for (int i = 0; i < 4; ++i) q[i] = page.series(names[i], 0, "q", 2)[k];
    EXPECT_NEAR(std::abs(q.dot(trace_.outputs[k].bodies[0].q.normalized().coeffs())), 1, 1e-4);
    if (k > 0) {
      EXPECT_GT(q.dot(last), 0.9);
    }
    last = q;
  }
}

TEST_F(Page, HoldsTimesAndEnergiesToTheLastBit) {
  const Scene scene = test::make_scene({"a", "b"});
  const Recording page = record(scene);
  for (std::size_t k = 0; k < 50; ++k) {
    // ½ m v² + ½ w I w and -m g·x, with m = 2 and I = 1 of recorded_run.h.
    double kinetic = 0, potential = 0;
    for (const BodyState& body : trace_.outputs[k].bodies) {
      kinetic += body.v.squaredNorm() + 0.5 * body.w.squaredNorm();
      potential -= 2 * scene.gravity.dot(body.x);
    }
    EXPECT_EQ(page["t"][k], trace_.outputs[k].t);
    EXPECT_NEAR(page["kinetic"][k], kinetic, 1e-12 * kinetic);
    EXPECT_NEAR(page["potential"][k], potential, 1e-12 * std::abs(potential) + 1e-12);
  }
}

TEST_F(Page, HoldsEveryEventAndForce) {
  const Recording page = record(test::make_scene({"a", "b"}));
  EXPECT_EQ(page.header["events"], 50);
  EXPECT_EQ(page.header["forces_every"], 1);
  ASSERT_EQ(page["force output"].size(), 100);
  for (std::size_t k = 0; k < 50; ++k) {
    const record::ContactEvent& event = trace_.events[k];
    EXPECT_EQ(page["event t"][k], event.t);
    EXPECT_EQ(page["event kind"][k], 1);  // a microcollision, as kEventNames has it
    EXPECT_EQ(page["event a"][k], 1);
    EXPECT_EQ(page["event b"][k], 0);
    EXPECT_NEAR(page["event point0"][k], event.t, 1e-6);
    EXPECT_NEAR(page["event impulse2"][k], event.t, 1e-6);
    EXPECT_NEAR(page["event approach"][k], 3 + event.t, 1e-6);
    const double t = trace_.outputs[k].t;
    EXPECT_EQ(page["force output"][2 * k], k);
    EXPECT_EQ(page["force joint"][2 * k], -1);
    EXPECT_EQ(page["force joint"][2 * k + 1], 3);
    EXPECT_NEAR(page["force force1"][2 * k], t, std::exp2(-13) * t);  // 13 bits, rounded
  }
}

TEST_F(Page, SaysNothingThatDiffersFromRunToRun) {
  const Recording page = record(test::make_scene({"ball"}));
  EXPECT_EQ(page.header["summary"]["scene"], "made up");
  EXPECT_FALSE(page.header["summary"].contains("wall_seconds"));
}

TEST_F(Page, SharesTheTrianglesOfEqualMeshes) {
  Scene scene = test::make_scene({"a", "b"});
  const geometry::Shape shape =
      geometry::Mesh{support::make_mesh(support::make_prism(support::make_l(), 2))};
  for (Body& body : scene.bodies) body.shapes[0].shape = shape;
  const Recording page = record(scene);
  const auto shape_of = [&](int body) {
    return page.header["scene"]["bodies"][body]["parts"][0]["shape"];
  };
  EXPECT_EQ(shape_of(0), shape_of(1));
  const std::vector<double>& corners = page[shape_of(0)["corners"].get<std::string>()];
  double volume = 0;  // 6, that of the prism, by the divergence theorem
  for (std::size_t i = 0; i < corners.size(); i += 9) {
    const auto corner = [&](std::size_t k) {
      return Vec3(corners[i + 3 * k], corners[i + 3 * k + 1], corners[i + 3 * k + 2]);
    };
    volume += corner(0).dot(corner(1).cross(corner(2))) / 6;
  }
  EXPECT_NEAR(volume, 6, 1e-5);
}

TEST_F(Page, KeepsTheGreatestOfManyEventsInTheOrderOfTime) {
  const Scene scene = test::make_scene({"a", "b"});
  constexpr std::size_t kMany = 3 * PageData::kMostEvents;
  PageSink sink(folder_ / "run.html");
  sink.begin(scene);
  sink.output(test::make_state(scene, 0));
  for (std::size_t i = 0; i < kMany; ++i) {
    record::ContactEvent event = test::make_event(1e-6 * static_cast<double>(i));
    event.impulse = Vec3(0, 0, i % 3 == 1 ? 2 : 1);
    sink.event(event);
  }
  sink.end({});
  const Recording page = read_page(folder_ / "run.html");
  EXPECT_EQ(page.header["events"], kMany);
  ASSERT_EQ(page["event t"].size(), PageData::kMostEvents);
  for (std::size_t k = 0; k < PageData::kMostEvents; k += 997) {
    EXPECT_EQ(page["event impulse2"][k], 2);
    EXPECT_EQ(page["event t"][k], 1e-6 * static_cast<double>(3 * k + 1));
  }
}

TEST_F(Page, KeepsTheForcesOfSomeOutputsWhereThereAreMany) {
  const Scene scene = test::make_scene({"a", "b"});
  PageSink sink(folder_ / "run.html");
  sink.begin(scene);
  const std::vector<record::CarriedForce> forces(PageData::kMostForces / 10);
  for (int k = 0; k < 37; ++k) {
    sink.output(test::make_state(scene, k));
    sink.forces(k, forces);
  }
  sink.end({});
  const Recording page = read_page(folder_ / "run.html");
  EXPECT_EQ(page.header["forces_every"], 4);  // 37 outputs: of ten at most, 0, 4, …, 36
  EXPECT_EQ(page["force output"].size(), 10 * forces.size());
  EXPECT_EQ(page["force output"][forces.size()], 4);
}

TEST_F(Page, AppearsWholeAndReportsAFullDisk) {
  const Scene scene = test::make_scene({"ball"});
  PageSink sink("/dev/full");
  sink.begin(scene);
  sink.output(test::make_state(scene, 0));
  EXPECT_THROW(sink.end({}), OutputError);
  EXPECT_THROW(PageSink(folder_ / "no" / "run.html"), OutputError);
}

}  // namespace
}  // namespace carom::io
