// A sample of the campaign `campaigns distance`: every pair of shapes against long double.
#include <gtest/gtest.h>

#include "carom/geometry/distance/mpr.h"
#include "reference/distance_check.h"
#include "support/distance_cases.h"

namespace carom::geometry {
namespace {

using reference::DistanceErrors;
using support::DistanceCase;
using support::DistanceCases;

constexpr int kCases = 2000;
constexpr std::uint64_t kFirst = 5000001;

TEST(DistanceProperty, AgreesWithLongDoubleForEveryPairOfShapes) {
  for (int i = 0; i < kCases; ++i) {
    const DistanceCase c = DistanceCases(kFirst + i).next();
    DistanceHint hint;
    const Distance found = compute_distance({c.a, c.X_WA}, {c.b, c.X_WB}, hint);
    const DistanceErrors errors =
        reference::check_distance({c.a, c.X_WA}, {c.b, c.X_WB}, found, true);
    EXPECT_LE(errors.worst(), 1e-9)
        << "seed " << kFirst + i << ' ' << support::kShapeNames[c.kind_a] << ' '
        << support::kShapeNames[c.kind_b];
  }
}

TEST(DistanceProperty, OfAPairAskedAgainWithTheHintIsTheSame) {
  for (int i = 0; i < kCases; ++i) {
    const DistanceCase c = DistanceCases(kFirst + i).next();
    const double size = std::max(reference::size_of(c.a), reference::size_of(c.b));
    DistanceHint hint;
    const double first = compute_distance({c.a, c.X_WA}, {c.b, c.X_WB}, hint).value;
    const double again = compute_distance({c.a, c.X_WA}, {c.b, c.X_WB}, hint).value;
    EXPECT_NEAR(first, again, 1e-9 * size) << "seed " << kFirst + i;
  }
}

// Refined portals know no features and no closed forms. Apart they must agree; overlapping they
// give a translation that parts the shapes, hence one no shorter.
TEST(DistanceProperty, AgreesWithRefinedPortals) {
  int compared = 0;
  for (int i = 0; i < kCases; ++i) {
    const DistanceCase c = DistanceCases(kFirst + i).next();
    if (c.kind_a == support::kPlaneKind || c.kind_b == support::kPlaneKind) continue;
    const double size = std::max(c.a.radius, c.b.radius);
    DistanceHint hint;
    const double value = compute_distance({c.a, c.X_WA}, {c.b, c.X_WB}, hint).value;
    const Distance portal = compute_mpr({c.a, c.X_WA}, {c.b, c.X_WB}, {});
    if (portal.status != DistanceStatus::Converged) continue;
    ++compared;
    EXPECT_LE(portal.value, value + 2e-9 * size) << "seed " << kFirst + i;
    if (value > 1e-8 * size) {
      EXPECT_GE(portal.value, value - 2e-9 * size) << "seed " << kFirst + i;
    }
  }
  EXPECT_GT(compared, kCases / 2);
}

}  // namespace
}  // namespace carom::geometry
