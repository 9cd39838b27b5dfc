// Signed distances of random pairs: against long double, under exchange of the shapes, under rigid
// motion and from a hint that is garbage. Case i of seed s is case 0 of seed s + i.
#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "campaigns/campaigns.h"
#include "reference/distance_check.h"
#include "support/distance_cases.h"

namespace carom::campaigns {

namespace {

using geometry::Distance;
using geometry::DistanceHint;
using geometry::DistanceStatus;
using support::DistanceCase;
using support::kShapeKinds;

constexpr double kTolerance = 1e-9;  // of the larger shape's size

struct Errors {
  reference::DistanceErrors against_twin;
  double exchanged = 0, moved = 0, hinted = 0;
  bool capped = false;

  double worst() const { return std::max({against_twin.worst(), exchanged, moved, hinted}); }
};

struct Row {
  std::int64_t count = 0, wrong = 0, capped = 0;
  Errors largest;

  void add(const Errors& e) {
    ++count;
    wrong += e.worst() > kTolerance ? 1 : 0;
    capped += e.capped ? 1 : 0;
    auto& most = largest.against_twin;
    most.value = std::max(most.value, e.against_twin.value);
    most.witness = std::max(most.witness, e.against_twin.witness);
    most.shortfall = std::max(most.shortfall, e.against_twin.shortfall);
    largest.exchanged = std::max(largest.exchanged, e.exchanged);
    largest.moved = std::max(largest.moved, e.moved);
    largest.hinted = std::max(largest.hinted, e.hinted);
  }
  void add(const Row& other) {
    const std::int64_t counts = count + other.count, wrongs = wrong + other.wrong;
    const std::int64_t caps = capped + other.capped;
    add(other.largest);
    count = counts;
    wrong = wrongs;
    capped = caps;
  }
};
using Table = std::array<Row, kShapeKinds * kShapeKinds>;

DistanceHint garbage(base::Random& random) {
  DistanceHint hint;
  hint.feature_a = {static_cast<geometry::FeatureKind>(random.next() % 4),
                    static_cast<std::int32_t>(random.next() % 1000) - 10};
  hint.feature_b = {static_cast<geometry::FeatureKind>(random.next() % 4),
                    static_cast<std::int32_t>(random.next() % 1000) - 10};
  hint.normal = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  return hint;
}

Errors examine(const DistanceCase& c, std::uint64_t seed) {
  base::Random random(~seed);
  const double size = std::max(reference::size_of(c.a), reference::size_of(c.b));
  DistanceHint hint, none, other = garbage(random);
  const Distance found = compute_distance({c.a, c.X_WA}, {c.b, c.X_WB}, hint);
  Errors errors;
  errors.capped = found.status != DistanceStatus::Converged;
  errors.against_twin = reference::check_distance({c.a, c.X_WA}, {c.b, c.X_WB}, found, true);
  const Distance swapped = compute_distance({c.b, c.X_WB}, {c.a, c.X_WA}, none);
  errors.exchanged = std::abs(swapped.value - found.value) / size;
  const Vec3 spin(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
  const Pose motion{size * spin, Quat(1, spin.x(), spin.y(), spin.z()).normalized()};
  none = {};
  const Distance moved = compute_distance({c.a, motion * c.X_WA}, {c.b, motion * c.X_WB}, none);
  errors.moved = std::abs(moved.value - found.value) / size;
  const Distance hinted = compute_distance({c.a, c.X_WA}, {c.b, c.X_WB}, other);
  errors.hinted = std::abs(hinted.value - found.value) / size;
  return errors;
}

void print_case(const DistanceCase& c, const Errors& e, std::uint64_t seed) {
  std::printf(
      "seed %llu %s %s placement %d: value %.2g witness %.2g shortfall %.2g exchanged %.2g "
      "moved %.2g hinted %.2g%s\n",
      static_cast<unsigned long long>(seed), support::kShapeNames[c.kind_a],
      support::kShapeNames[c.kind_b], static_cast<int>(c.placement), e.against_twin.value,
      e.against_twin.witness, e.against_twin.shortfall, e.exchanged, e.moved, e.hinted,
      e.capped ? " capped" : "");
}

void print_table(const Table& table) {
  std::printf("%-10s%-10s%10s%8s%8s%10s%10s%10s%10s%10s%10s\n", "a", "b", "pairs", "wrong",
              "capped", "value", "witness", "shortfall", "exchanged", "moved", "hinted");
  Row all;
  for (int a = 0; a < kShapeKinds; ++a) {
    for (int b = 0; b < kShapeKinds; ++b) {
      const Row& row = table[a * kShapeKinds + b];
      if (row.count == 0) continue;
      const auto& e = row.largest;
      std::printf("%-10s%-10s%10lld%8lld%8lld%10.1e%10.1e%10.1e%10.1e%10.1e%10.1e\n",
                  support::kShapeNames[a], support::kShapeNames[b],
                  static_cast<long long>(row.count), static_cast<long long>(row.wrong),
                  static_cast<long long>(row.capped), e.against_twin.value, e.against_twin.witness,
                  e.against_twin.shortfall, e.exchanged, e.moved, e.hinted);
      all.add(row);
    }
  }
  std::printf("%lld pairs, %lld wrong by more than %.0e of the size, %lld at an iteration cap\n",
              static_cast<long long>(all.count), static_cast<long long>(all.wrong), kTolerance,
              static_cast<long long>(all.capped));
}

}  // namespace

int run_distance(const Options& options) {
  Table table;
  std::mutex guard;
  int printed = 0;
  const auto work = [&](int thread) {
    Table mine;
    for (std::int64_t i = thread; i < options.pairs; i += options.threads) {
      const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(i);
      const DistanceCase c = support::DistanceCases(seed).next();
      const Errors errors = examine(c, seed);
      mine[c.kind_a * kShapeKinds + c.kind_b].add(errors);
      if (errors.worst() <= kTolerance) continue;
      const std::lock_guard lock(guard);
      if (printed++ < 40) print_case(c, errors, seed);
    }
    const std::lock_guard lock(guard);
    for (std::size_t i = 0; i < table.size(); ++i) table[i].add(mine[i]);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < options.threads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  print_table(table);
  Row all;
  for (const Row& row : table) all.add(row);
  return all.wrong == 0 ? 0 : 1;
}

}  // namespace carom::campaigns
