// A step allocates nothing once its memory has grown. malloc itself is counted: matrices call it
// past operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "support/rig.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define CAROM_ALLOCATIONS_UNSEEN  // somebody else owns malloc
#endif

namespace {
std::atomic<long> allocations{0};
}

#ifndef CAROM_ALLOCATIONS_UNSEEN
// The C library's own entry points, which ours stand in front of.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

namespace carom::methods {
namespace {

using support::make_ball;
using support::make_ground;
using support::SceneParts;

// No sinks: what they keep is theirs.
struct Bare {
  explicit Bare(const SceneParts& parts)
      : scene(support::build(parts)),
        workers(1),
        recorder(scene),
        method(make_method(scene)),
        bench(scene, workers, recorder),
        state(dynamics::make_initial_state(scene)) {}

  long allocations_in_steps(int count) {
    const long before = allocations;
    for (int i = 0; i < count; ++i) {
      const AdvanceResult result = advance(method, bench, state, ++steps * step_of(scene));
      EXPECT_TRUE(result.ok()) << describe(result, scene, state.t);
    }
    return allocations - before;
  }

  Scene scene;
  base::Workers workers;
  record::Recorder recorder;
  Method method;
  Workbench bench;
  State state;
  int steps = 0;
};

class Allocation : public testing::Test {
 protected:
  void SetUp() override {
#ifdef CAROM_ALLOCATIONS_UNSEEN
    GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  }
};

TEST_F(Allocation, IsCounted) {
  const long before = allocations;
  const std::vector<double> some(100);
  const MatX matrix = MatX::Zero(10, static_cast<math::Index>(some.size()));
  EXPECT_EQ(matrix.sum(), 0);
  EXPECT_EQ(allocations, before + 2);
}

TEST_F(Allocation, IsNoneForARestingBox) {
  Bare bare({.bodies = {make_ground(), support::make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))}});
  bare.allocations_in_steps(100);
  EXPECT_EQ(bare.allocations_in_steps(1000), 0);
}

TEST_F(Allocation, IsNoneForABouncingBall) {
  Bare bare({.between = {.restitution = 0.9},
             .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.2))}});
  bare.allocations_in_steps(500);  // some bounces
  EXPECT_EQ(bare.allocations_in_steps(2000), 0);
}

TEST_F(Allocation, IsNoneForManyBallsOnAPlane) {
  model::BodySpec ball = make_ball("ball", 0.1, Vec3(0, 0, 0.1));
  ball.grid = model::GridSpec{.count = {5, 5, 1}, .spacing = Vec3(0.2, 0.2, 0.2)};
  Bare bare({.between = {.friction = 0.3}, .bodies = {make_ground(), ball}});
  bare.allocations_in_steps(100);
  EXPECT_EQ(bare.allocations_in_steps(200), 0);
}

TEST_F(Allocation, IsNoneForAPendulum) {
  model::BodySpec hook = make_ball("hook", 0.01, Vec3::Zero());
  hook.motion = model::Motion::Fixed;
  Bare bare({.bodies = {hook, support::make_box("rod", Vec3(1, 0.1, 0.1), Vec3(0.5, 0, 0))},
             .joints = {{.name = "hang",
                         .type = model::JointType::Hinge,
                         .between = {"hook", "rod"},
                         .anchor = Vec3::Zero(),
                         .axis = Vec3::UnitY()}}});
  bare.allocations_in_steps(100);
  EXPECT_EQ(bare.allocations_in_steps(500), 0);
}

}  // namespace
}  // namespace carom::methods
