// States as bytes, for checkpoints: numbers alone, in one order.
#pragma once

#include <string>
#include <string_view>

#include "carom/base/bytes.h"
#include "carom/dynamics/state.h"

namespace carom::dynamics {

// Calls visit(number) for x, q, v and w, in this order.
template <typename Body, typename Visit>
void visit_numbers(Body& body, const Visit& visit) {
  const auto each = [&](auto& numbers) {
    for (auto& number : numbers) visit(number);
  };
  each(body.x);
  each(body.q.coeffs());
  each(body.v);
  each(body.w);
}

inline void append_bytes(std::string& bytes, const BodyState& body) {
  visit_numbers(body, [&](const double& number) { base::append_bytes(bytes, number); });
}
inline void take_bytes(std::string_view& bytes, BodyState& body) {
  visit_numbers(body, [&](double& number) { base::take_bytes(bytes, number); });
}

}  // namespace carom::dynamics
