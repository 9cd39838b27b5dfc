// Forces of elastic contacts in whole runs, with faults planted on their way to the audit, or under
// a law that is not the scene's: at every size of bodies.
#include <gtest/gtest.h>

#include <functional>

#include "carom/audit/audit.h"
#include "carom/record/frame.h"
#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

using model::BodySpec;

// Of one segment; may be changed.
struct Told {
  std::vector<record::CarriedForce> start, middle, end;
  std::vector<record::ForceEffect> effects;
};
using Plant = std::function<void(Told&)>;

// Passes a run on to an audit that knows another scene, with a fault in its segments.
struct Tampering : record::Sink {
  Tampering(const Scene& known_in, const Plant& plant_in) : known(known_in), plant(plant_in) {}
  void begin(const Scene&) override { audit.begin(known); }
  bool reads_outputs() const override { return audit.reads_outputs(); }
  void output(const State& state) override { audit.output(state); }
  void frame(const record::Frame& frame) override {
    std::vector<record::ClusterSegment> segments(frame.segments.begin(), frame.segments.end());
    std::vector<Told> told(segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i) {
      record::Forces& forces = segments[i].forces;
      const auto copy = [](const auto& from, auto& to) { to.assign(from.begin(), from.end()); };
      copy(forces.start, told[i].start);
      copy(forces.middle, told[i].middle);
      copy(forces.end, told[i].end);
      copy(forces.effects, told[i].effects);
      if (plant) plant(told[i]);
      forces.start = told[i].start;
      forces.middle = told[i].middle;
      forces.end = told[i].end;
      forces.effects = told[i].effects;
    }
    audit.frame({frame.start, frame.collisions, frame.end, segments, frame.events});
  }
  Scene known;
  Plant plant;
  audit::Audit audit;
};

struct Law {
  double youngs_modulus = 2e9, restitution = 0.6, friction = 0.4;
};

// A box that tips and slides, and two balls that slide into each other: of a size, of a density, at
// speeds with which bodies of that size fall, and with a law that is the same in these units.
Scene make_run(double size, const Law& law = {}) {
  const double speed = std::sqrt(size), mass = size * size * size;
  const auto ball = [&](const char* name, const Vec3& x, const Vec3& v) {
    BodySpec spec = support::make_ball(name, 0.1 * size, size * x, speed * v);
    spec.mass = mass;
    return spec;
  };
  BodySpec box = support::make_box("box", size * Vec3(0.2, 0.1, 0.1), size * Vec3(1, 0, 0.08));
  box.mass = mass;
  box.orientation = Quat(Eigen::AngleAxisd(0.2, Vec3::UnitY()));
  box.velocity = speed * Vec3(0.5, 0, 0);
  Scene scene = support::build(
      {.between = {.restitution = law.restitution, .friction = law.friction},
       .bodies = {support::make_ground(), box, ball("ball", {0, 0, 0.103}, {1, 0, 0}),
                  ball("other", {0.35, 0.02, 0.1}, {-1, 0, 0})},
       .method = {"elastic", {{"least_speed", 0.01 * speed}, {"most_damping", 1000 / speed}}},
       .duration = 0.15 * speed});
  for (model::Material& each : scene.materials) each.youngs_modulus = law.youngs_modulus * size;
  return scene;
}

record::AuditResult judge(const Scene& run, const Scene& known, const Plant& plant = {}) {
  Simulation simulation(run);
  Tampering sink(known, plant);
  simulation.add(sink);
  EXPECT_TRUE(simulation.run().finished);
  return sink.audit.result();
}

bool is_found(const record::AuditResult& result) {
  using enum record::Judged;
  return result.momentum_error > result.limits[Momentum] ||
         result.angular_momentum_error > result.limits[AngularMomentum];
}

bool is_of(const record::CarriedForce& force, std::size_t a, std::size_t b) {
  return std::minmax(index(force.a), index(force.b)) == std::minmax(a, b);
}

class ElasticRun : public testing::TestWithParam<double> {
 protected:
  bool is_found(const Plant& plant) const {
    const Scene scene = make_run(GetParam());
    return simulation::is_found(judge(scene, scene, plant));
  }
  bool is_found(const Law& law) const {
    return simulation::is_found(judge(make_run(GetParam(), law), make_run(GetParam())));
  }
};

TEST_P(ElasticRun, PassesWithItsForcesRecomputed) {
  const Scene scene = make_run(GetParam());
  const record::AuditResult result = judge(scene, scene);
  EXPECT_TRUE(result.passed()) << testing::PrintToString(result.found())
                               << testing::PrintToString(result.limits);
}

TEST_P(ElasticRun, WithForcesOffByAHundredthFails) {
  for (const double factor : {0.99, 1.01}) {
    EXPECT_TRUE(is_found([&](Told& segment) {
      for (auto* forces : {&segment.start, &segment.middle, &segment.end})
        for (record::CarriedForce& force : *forces) force.force *= factor;
    })) << factor;
  }
}

TEST_P(ElasticRun, WithImpulsesOffByAHundredthBetweenTwoBodiesFails) {
  EXPECT_TRUE(is_found([&](Told& segment) {
    for (std::size_t i = 0; i < segment.effects.size(); ++i) {
      if (!is_of(segment.start[i], 2, 3)) continue;
      segment.effects[i].impulse *= 1.01;
      segment.effects[i].moment *= 1.01;
    }
  }));
}

TEST_P(ElasticRun, WithAContactThatIsMissingFails) {
  for (const std::size_t other : {0U, 3U}) {
    EXPECT_TRUE(is_found([&](Told& segment) {
      for (std::size_t i = segment.start.size(); i-- > 0;) {
        if (!is_of(segment.start[i], 2, other)) continue;
        const auto at = static_cast<std::ptrdiff_t>(i);
        for (auto* forces : {&segment.start, &segment.middle, &segment.end})
          forces->erase(forces->begin() + at);
        segment.effects.erase(segment.effects.begin() + at);
      }
    })) << other;
  }
}

// What moves as its forces say, and loses energy as it may: only the law tells.
TEST_P(ElasticRun, OfOtherBodiesThanTheScenesFails) {
  EXPECT_TRUE(is_found(Law{.youngs_modulus = 1.01 * 2e9}));
  EXPECT_TRUE(is_found(Law{.restitution = 0.61}));
  EXPECT_TRUE(is_found(Law{.friction = 0.41}));
}

// The past of contacts is saved with the audit.
TEST_P(ElasticRun, IsJudgedAlikeInParts) {
  const Scene scene = make_run(GetParam());
  Simulation whole(scene), halves(scene);
  Tampering at_once(scene, {}), before(scene, {}), after(scene, {});
  whole.add(at_once);
  EXPECT_TRUE(whole.run().finished);
  struct Switch : record::Sink {
    Tampering *first, *second;
    int frames = 0;
    void begin(const Scene& known) override {
      first->begin(known);
      second->begin(known);
    }
    void frame(const record::Frame& frame) override {
      if (frames == 3) second->audit.restore(first->audit.save());
      (frames++ < 3 ? first : second)->frame(frame);
    }
  } sink;
  sink.first = &before;
  sink.second = &after;
  halves.add(sink);
  EXPECT_TRUE(halves.run().finished);
  EXPECT_GT(sink.frames, 5);
  EXPECT_EQ(after.audit.result().momentum_error, at_once.audit.result().momentum_error);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ElasticRun, testing::Values(1e-3, 1.0, 1e3));

}  // namespace
}  // namespace carom::simulation
