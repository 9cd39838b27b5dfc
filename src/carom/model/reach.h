// How far arithmetic reaches: numbers beyond this table are refused, with the reason, before
// anything is computed from them.
//
//   scale       m, s, m/s, rad/s, m/s²: 1e-30 to 1e30. Sixth powers of lengths, as volumes of
//               volumes in distances, stay numbers.
//   mass        kg, kg/m³, Pa: 1e-60 to 1e60, so that energies and inverses stay numbers too.
//   moments     of one body at most 1e14 apart: round-off of the greatest hides smaller ones.
//   distance    of anything from the origin, in radii of the smallest body that moves: 1e11. What
//               touches is told from what does not by 1e-14 of the distance (base/tolerances.h),
//               there a thousandth of that radius.
//   speed       a body crosses its own radius, or turns by one radian, in no less than 1e-13 of the
//               duration: shorter times cannot be told apart at its end.
//   steps       at most 1e12 in the duration, and 1000 turns of a body in one (methods).
#pragma once

#include <string_view>

#include "carom/model/problems.h"

namespace carom::model {

struct Range {
  double least, most;  // of a number that is not zero
  bool holds(double x) const;
};
inline constexpr Range kScale{1e-30, 1e30};
inline constexpr Range kMass{1e-60, 1e60};
inline constexpr Range kMoments{1e-120, 1e120};  // kg m²: mass times length squared
inline constexpr double kMomentsApart = 1e14;
inline constexpr double kFarthest = 1e11;
inline constexpr double kShortest = 1e-13;

// The rule first; then whether the number is zero or within the range.
void check_reach(std::string_view field, double value, const NumberRule& rule, const Range& range,
                 Problems& problems);
void check_reach(std::string_view field, const Vec3& value, const NumberRule& rule,
                 const Range& range, Problems& problems);

// What body number i of the scene must satisfy beside the smallest body that moves, if any.
const Body* find_smallest_moving(const Scene& scene);
void check_body_reach(const Scene& scene, std::size_t i, const Body* smallest, Problems& problems);

}  // namespace carom::model
