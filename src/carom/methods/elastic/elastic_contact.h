// How elastic contacts are treated, and what is remembered of each.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <tuple>
#include <vector>

#include "carom/methods/elastic/force_law.h"
#include "carom/methods/elastic/pair_measure.h"

namespace carom::methods {

struct Elastic {
  Regularisation regularisation{};
  double reduction = 1;   // k_red
  bool stick = true;      // bristles instead of (3c)
  double hysteresis = 0;  // ε, m; 0: a part of the smallest body
  double tolerance = 1e-8;
  Gauge gauge{};  // how shapes are measured
};

struct ElasticContact {
  BodyId a{}, b{};
  std::int64_t name = 0;            // among the pairs of these bodies
  double start_speed = 0;           // δ'⁻, m/s
  double fastest = 0;               // m/s; the greatest δ' so far
  double stored = 0;                // J; what its springs took in and have not given back
  std::array<double, 3> bristle{};  // deflection when the solver last restarted
  std::int32_t slot =
      -1;  // index of its friction state and energy account; none yet where negative
  std::int32_t unused = 0;  // stands in the gap, so that a checkpoint's bytes are all set
  auto operator<=>(const ElasticContact& other) const {
    return std::tuple(a, b, name) <=> std::tuple(other.a, other.b, other.name);
  }
  bool operator==(const ElasticContact& other) const { return (*this <=> other) == 0; }
};

inline ElasticContact touch_of(const contact::PairQuery& query) {
  return {query.pair().a, query.pair().b, query.name()};
}

// One that begins as two shapes are seen.
inline ElasticContact begin_touch(const contact::PairQuery& query, const contact::Contact& at) {
  ElasticContact touch = touch_of(query);
  touch.start_speed = touch.fastest = std::max(0.0, -at.approach_rate);
  return touch;
}

// Pairs in contact, ascending, and who asks about each.
struct Touches {
  std::vector<ElasticContact> all;
  std::vector<contact::PairQuery*> queries;
};

}  // namespace carom::methods
