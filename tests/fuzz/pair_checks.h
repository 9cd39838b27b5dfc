// What must hold of any pair of shapes, whatever their sizes and wherever they are. Each check
// gives a sentence about what does not hold, or nothing.
#pragma once

#include <sstream>
#include <string>

#include "carom/geometry/times/time_of_contact.h"
#include "fuzz/pair_case.h"
#include "reference/distance_check.h"

namespace carom::fuzz {

using geometry::Distance;
using geometry::DistanceHint;
using geometry::Placed;

constexpr double kExact = 1e-9;  // of the larger shape's size

struct PairScale {
  double larger, smaller;
};
inline PairScale scale_of(const PairCase& c) {
  const double a = finite_size(c.a, c.b), b = finite_size(c.b, c.a);
  return {std::max(a, b), std::min(a, b)};
}

template <typename... Values>
std::string fault(const Values&... values) {
  std::ostringstream text;
  text.precision(17);
  ((text << values << ' '), ...);
  return text.str();
}

// A distance that stops at its cap says so, and does not vouch for its points; its value must be
// right all the same.
inline std::string check_capped(const Placed& a, const Placed& b, const Distance& d) {
  const reference::DistanceErrors errors = reference::check_distance(a, b, d, true);
  const double error = std::max(errors.value, errors.shortfall);
  return error > kExact ? fault("a distance reached its cap and is off by", error) : "";
}

inline std::string check_result(const Placed& a, const Placed& b, const Distance& d, double size) {
  const bool finite = std::isfinite(d.value) && d.p_A.allFinite() && d.p_B.allFinite();
  if (!finite || !d.normal.allFinite()) return "a distance is not finite";
  if (std::abs(d.normal.norm() - 1) > 1e-12) return fault("a normal of length", d.normal.norm());
  const double off = (d.p_A - d.p_B - d.value * d.normal).norm();
  const double round_off = 1e-14 * (d.p_A.norm() + d.p_B.norm());
  if (off > kExact * size + round_off) return fault("witness points off by", off, "at", d.value);
  const bool capped = d.status != geometry::DistanceStatus::Converged;
  return capped ? check_capped(a, b, d) : "";
}

inline std::string check_distance(const PairCase& c, const Distance& found) {
  const double size = scale_of(c).larger;
  const Placed a{c.a, c.X_WA}, b{c.b, c.X_WB};
  if (const std::string wrong = check_result(a, b, found, size); !wrong.empty()) return wrong;
  DistanceHint none;
  const Distance exchanged = compute_distance(b, a, none);
  if (const std::string wrong = check_result(b, a, exchanged, size); !wrong.empty()) return wrong;
  if (std::abs(exchanged.value - found.value) > kExact * size) {
    return fault("exchanged", exchanged.value, "instead of", found.value);
  }
  DistanceHint garbage = c.garbage;
  const Distance hinted = compute_distance(a, b, garbage);
  if (std::abs(hinted.value - found.value) > kExact * size) {
    return fault("from garbage", hinted.value, "instead of", found.value);
  }
  return {};
}

struct RegionCheck {
  const PairCase& c;
  const Distance& distance;
  double tolerance;

  std::string operator()(const geometry::RegionPoint& point) const {
    const geometry::ContactPoint at = point.swapped
                                          ? geometry::contact_point(point.pair, c.X_WB, c.X_WA)
                                          : geometry::contact_point(point.pair, c.X_WA, c.X_WB);
    if (!at.point.allFinite() || !at.normal.allFinite() || !std::isfinite(at.gap)) {
      return "a contact point is not finite";
    }
    const double size = scale_of(c).larger;
    const double slack = kExact * size;
    if (at.gap > tolerance + slack) return fault("a gap of", at.gap, "in", kind(point));
    if (at.gap < distance.value - tolerance - slack) {
      return fault("a gap of", at.gap, "below the distance", distance.value, "in", kind(point));
    }
    const Vec3 n = point.swapped ? Vec3(-at.normal) : at.normal;
    if (n.dot(distance.normal) < -1e-6) return fault("a normal that points back in", kind(point));
    return {};
  }
  static std::string kind(const geometry::RegionPoint& point) {
    return "feature pair " + std::to_string(point.pair.index());
  }
};

inline std::string check_region(const PairCase& c, const Distance& distance) {
  const double tolerance = kExact * scale_of(c).larger;
  std::vector<geometry::RegionPoint> points;
  find_contact_region({c.a, c.X_WA}, {c.b, c.X_WB}, distance, tolerance, points);
  if (points.empty() != (distance.value > tolerance)) return "a region is empty";
  const RegionCheck check{c, distance, tolerance};
  for (const auto& point : points) {
    if (const std::string wrong = check(point); !wrong.empty()) return wrong;
  }
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].id <= points[i - 1].id) return "an id occurs twice in a region";
  }
  return {};
}

// Moves b along the normal until the pair touches.
inline void set_to_touch(PairCase& c, const Distance& distance) {
  c.X_WB.p += (distance.value - c.gap * scale_of(c).smaller) * distance.normal;
}

inline std::string check_motion(const PairCase& c) {
  const double size = scale_of(c).larger;
  const geometry::MotionQuery query{1, 1e-9 * size, 1e-7 * size, 1e-7 * size};
  const Pose X;
  geometry::TouchSearch search;
  std::vector<geometry::TouchTime> touches;
  const auto status =
      find_times_of_contact({c.a, X, c.motion_a}, {c.b, X, c.motion_b}, query, search, touches);
  if (status != geometry::TouchStatus::Complete) return {};  // it said so
  double last = 0;
  for (const geometry::TouchTime& touch : touches) {
    if (!(touch.s >= last && touch.s <= query.duration)) return fault("a time of", touch.s);
    if (!std::isfinite(touch.rate) || !touch.at.point.allFinite()) return "a touch is not finite";
    last = touch.s;
  }
  return {};
}

inline std::string find_fault(PairCase c) {
  DistanceHint hint;
  const Distance apart = compute_distance({c.a, c.X_WA}, {c.b, c.X_WB}, hint);
  if (const std::string wrong = check_distance(c, apart); !wrong.empty()) return wrong;
  const bool overlapping = apart.value < -kExact * scale_of(c).larger;  // no flight starts so
  if (const std::string wrong = overlapping ? "" : check_motion(c); !wrong.empty()) return wrong;
  set_to_touch(c, apart);
  hint = {};
  const Distance touching = compute_distance({c.a, c.X_WA}, {c.b, c.X_WB}, hint);
  if (const std::string wrong = check_distance(c, touching); !wrong.empty()) return wrong;
  if (const std::string wrong = check_region(c, touching); !wrong.empty()) return wrong;
  c.motion_b.x0 = c.X_WB.p;
  return check_motion(c);
}

}  // namespace carom::fuzz
