// The broad phase beside Bullet's dynamic tree: the same boxes in the same motion, a fiftieth of
// their size a step at most, every step's overlapping pairs wanted. Positions are floats, so that
// both see the same numbers; before it is timed, the rival must have found the same pairs.
#include "carom/geometry/broad_phase/broad_phase.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include "carom/base/random.h"

namespace {

using namespace carom;
using Pair = geometry::BroadPhase::Pair;

enum class Sizes { Equal, Ratio1000 };

// About one overlap a box, whatever the count: the mean volume in which the low corner of one box
// makes it overlap another is 1 for cubes of 0.5, and 0.159 for sizes log-uniform in [0.001, 1].
class MovingBoxes {
 public:
  MovingBoxes(Sizes sizes, std::int64_t count) {
    base::Random random(1);
    const double volume = sizes == Sizes::Equal ? 1 : 0.159;
    side_ = static_cast<float>(std::cbrt(volume * static_cast<double>(count)));
    for (std::int64_t i = 0; i < count; ++i) {
      const double size = sizes == Sizes::Equal ? 0.5 : std::pow(10, random.uniform(-3, 0));
      sizes_.push_back(static_cast<float>(size));
      for (int axis = 0; axis < 3; ++axis) {
        lows_.push_back(static_cast<float>(random.uniform(0, side_)));
        steps_.push_back(static_cast<float>(0.02 * size * random.uniform(-1, 1)));
      }
    }
    boxes_.resize(sizes_.size());
  }

  const std::vector<geometry::Box3>& advance() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        float& low = lows_[3 * i + axis];
        float& step = steps_[3 * i + axis];
        if (low + step < 0 || low + step > side_) step = -step;
        low += step;
        const float high = low + sizes_[i];
        boxes_[i].low[static_cast<int>(axis)] = static_cast<double>(low);
        boxes_[i].high[static_cast<int>(axis)] = static_cast<double>(high);
      }
    }
    return boxes_;
  }

 private:
  float side_;
  std::vector<float> sizes_, lows_, steps_;
  std::vector<geometry::Box3> boxes_;
};

btVector3 bullet_vector(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

Pair ordered(std::int32_t i, std::int32_t j) { return std::minmax(i, j); }

// The fastest of its settings for these boxes at 100,000 of them: margins of 0.02, 0.05 (its own
// choice) and 0.125, collisions deferred or not, or the bare tree collided with itself.
constexpr float kMargin = 0.125F;

class BulletBroadphase {
 public:
  explicit BulletBroadphase(const std::vector<geometry::Box3>& boxes) {
    gDbvtMargin = kMargin;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      proxies_.push_back(tree_.createProxy(bullet_vector(boxes[i].low),
                                           bullet_vector(boxes[i].high), 0,
                                           reinterpret_cast<void*>(i), 1, 1, nullptr));
    }
  }

  const std::vector<Pair>& find_overlaps(const std::vector<geometry::Box3>& boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      tree_.setAabb(proxies_[i], bullet_vector(boxes[i].low), bullet_vector(boxes[i].high),
                    nullptr);
    }
    tree_.calculateOverlappingPairs(nullptr);
    overlaps_.clear();
    const btBroadphasePairArray& pairs = tree_.getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
      const btBroadphaseProxy& a = *pairs[i].m_pProxy0;
      const btBroadphaseProxy& b = *pairs[i].m_pProxy1;
      if (!TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax)) continue;
      overlaps_.push_back(ordered(number_of(a), number_of(b)));
    }
    return overlaps_;
  }

 private:
  static std::int32_t number_of(const btBroadphaseProxy& proxy) {
    return static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(proxy.m_clientObject));
  }

  btDbvtBroadphase tree_;
  std::vector<btBroadphaseProxy*> proxies_;
  std::vector<Pair> overlaps_;
};

bool finds_the_same_pairs(BulletBroadphase& rival, MovingBoxes& moving) {
  geometry::BroadPhase ours;
  for (int step = 0; step < 5; ++step) {
    const auto& boxes = moving.advance();
    const auto expected = ours.find_overlaps(boxes);
    auto found = rival.find_overlaps(boxes);
    std::sort(found.begin(), found.end());
    if (!std::equal(found.begin(), found.end(), expected.begin(), expected.end())) return false;
  }
  return true;
}

void bullet_dbvt(benchmark::State& state, Sizes sizes) {
  MovingBoxes moving(sizes, state.range(0));
  BulletBroadphase rival(moving.advance());
  if (!finds_the_same_pairs(rival, moving)) return state.SkipWithError("other pairs than ours");
  for (auto _ : state) benchmark::DoNotOptimize(rival.find_overlaps(moving.advance()).size());
}

void broad_phase_moving(benchmark::State& state, Sizes sizes) {
  MovingBoxes moving(sizes, state.range(0));
  geometry::BroadPhase broad_phase;
  for (int step = 0; step < 6; ++step) broad_phase.find_overlaps(moving.advance());
  std::size_t pairs = 0;
  for (auto _ : state) pairs = broad_phase.find_overlaps(moving.advance()).size();
  state.counters["pairs"] = static_cast<double>(pairs);
}

// As if nothing were known from the step before.
void broad_phase_afresh(benchmark::State& state, Sizes sizes) {
  MovingBoxes moving(sizes, state.range(0));
  geometry::BroadPhase broad_phase;
  const auto boxes = moving.advance();
  std::vector<geometry::Box3> shifted = boxes;
  for (geometry::Box3& box : shifted) {
    const double shift = box.high.x() - box.low.x();
    box.low.x() += shift;
    box.high.x() += shift;
  }
  bool odd = false;
  for (auto _ : state) {
    odd = !odd;
    benchmark::DoNotOptimize(broad_phase.find_overlaps(odd ? boxes : shifted).size());
  }
}

// Long enough to see many steps of every kind: in the skins, leaving them, rebuilding.
template <int most>
void up_to(benchmark::internal::Benchmark* family) {
  family->RangeMultiplier(10)->Range(1000, most)->MinTime(2)->UseRealTime();
}

BENCHMARK_CAPTURE(broad_phase_moving, equal, Sizes::Equal)->Apply(up_to<1000000>);
BENCHMARK_CAPTURE(broad_phase_moving, ratio, Sizes::Ratio1000)->Apply(up_to<1000000>);
BENCHMARK_CAPTURE(broad_phase_afresh, equal, Sizes::Equal)->Apply(up_to<1000000>);
BENCHMARK_CAPTURE(broad_phase_afresh, ratio, Sizes::Ratio1000)->Apply(up_to<1000000>);
BENCHMARK_CAPTURE(bullet_dbvt, equal, Sizes::Equal)->Apply(up_to<100000>);
BENCHMARK_CAPTURE(bullet_dbvt, ratio, Sizes::Ratio1000)->Apply(up_to<100000>);

}  // namespace
