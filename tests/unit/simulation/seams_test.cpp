// The seams of a flat floor of triangles are not there: what slides or rolls over them meets no
// impact and goes as on a plane.
#include <gtest/gtest.h>

#include <numbers>

#include "carom/base/random.h"
#include "carom/math/rotation.h"
#include "carom/simulation/simulation.h"
#include "support/meshes.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr int kCells = 5;  // along either side, of about a metre

// A slope with its own axes: x down, z out of it. Its triangles are drawn at random.
struct Slope {
  explicit Slope(base::Random& random)
      : tilt(random.uniform(0.02, 0.4)),
        q(math::quat_exp(random.uniform(0, 2 * std::numbers::pi) * Vec3::UnitZ()) *
          math::quat_exp(tilt * Vec3::UnitY())) {
    const auto jitter = [&](int i, int j) {
      const bool inside = i > 0 && j > 0 && i < kCells && j < kCells;
      return inside ? Vec3(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0)
                    : Vec3(Vec3::Zero());
    };
    for (int i = 0; i <= kCells; ++i) {
      for (int j = 0; j <= kCells; ++j)
        surface.vertices.emplace_back(q * (Vec3(i - 2.5, j - 2.5, 0) + jitter(i, j)));
    }
    for (int i = 0; i < kCells; ++i) {
      for (int j = 0; j < kCells; ++j) {
        const int a = (kCells + 1) * i + j, b = a + kCells + 1;
        const bool other = random.uniform() < 0.5;
        surface.triangles.push_back({a, b, other ? a + 1 : b + 1});
        surface.triangles.push_back({other ? b : a, b + 1, a + 1});
      }
    }
  }

  model::BodySpec mesh() const {
    return {.name = "floor",
            .motion = model::Motion::Fixed,
            .shapes = {{.shape = geometry::Mesh{support::make_mesh(surface)}}}};
  }
  model::BodySpec plane() const { return support::make_plane("floor", q * Vec3::UnitZ()); }

  double tilt;
  Quat q;
  support::Surface surface;
};

struct Ran {
  Vec3 end;
  std::int64_t impacts = 0;
};

Ran run(const model::BodySpec& floor, const model::BodySpec& body, double friction,
        const std::string& method) {
  const Scene scene = support::build({.between = {.friction = friction},
                                      .bodies = {floor, body},
                                      .method = {method, {}},
                                      .duration = 0.8,
                                      .output_every = 0.8});
  Simulation simulation(scene, {.audit = false});
  record::TraceSink trace;
  simulation.add(trace);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  using enum record::EventKind;
  return {trace.trace().outputs.back().bodies[1].x,
          summary.counters.events[static_cast<std::size_t>(Impact)]};
}

void expect_no_seams(int draws, bool box, const std::string& method) {
  for (int draw = 0; draw < draws; ++draw) {
    base::Random random(static_cast<std::uint64_t>(draw));
    const Slope slope(random);
    const Vec3 at = slope.q * Vec3(random.uniform(-1.5, -1), random.uniform(-0.3, 0.3), 0.1);
    model::BodySpec body = box ? support::make_box("box", Vec3(0.3, 0.2, 0.2), at)
                               : support::make_ball("ball", 0.1, at);
    body.orientation = slope.q;
    body.velocity = slope.q * Vec3(random.uniform(0.2, 1), random.uniform(-1, 1), 0);
    const double friction = box ? 0.1 : 0.5;
    const Ran seamed = run(slope.mesh(), body, friction, method);
    const Ran smooth = run(slope.plane(), body, friction, method);
    EXPECT_EQ(seamed.impacts, 0) << method << ", draw " << draw;
    EXPECT_LT((seamed.end - smooth.end).norm(), 1e-9) << method << ", draw " << draw;
  }
}

TEST(Seams, AreNotFeltByABallThatRolls) {
  expect_no_seams(25, false, "analytic");
  expect_no_seams(5, false, "zeno-free");
}

TEST(Seams, AreNotFeltByABoxThatSlides) {
  expect_no_seams(5, true, "analytic");
  expect_no_seams(5, true, "zeno-free");
}

}  // namespace
}  // namespace carom::simulation
