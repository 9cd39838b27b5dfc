// Whether two runs are the same, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "carom/record/trace.h"

namespace carom::support {

inline bool same_bits(const Vec3& a, const Vec3& b) {
  return std::memcmp(a.data(), b.data(), sizeof(double) * 3) == 0;
}

inline bool same_bits(const State& a, const State& b) {
  if (a.t != b.t || a.bodies.size() != b.bodies.size()) return false;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const BodyState& x = a.bodies[i];
    const BodyState& y = b.bodies[i];
    const bool turn =
        std::memcmp(x.q.coeffs().data(), y.q.coeffs().data(), sizeof(double) * 4) == 0;
    if (!turn || !same_bits(x.x, y.x) || !same_bits(x.v, y.v) || !same_bits(x.w, y.w)) return false;
  }
  return true;
}

inline bool same_bits(const record::ContactEvent& a, const record::ContactEvent& b) {
  return a.t == b.t && a.kind == b.kind && a.a == b.a && a.b == b.b &&
         same_bits(a.point, b.point) && same_bits(a.normal, b.normal) &&
         a.approach_speed == b.approach_speed && a.separation_speed == b.separation_speed &&
         same_bits(a.impulse, b.impulse);
}

inline bool same_bits(const record::ForceAt& a, const record::ForceAt& b) {
  return a.t == b.t && a.force.joint == b.force.joint && a.force.a == b.force.a &&
         a.force.b == b.force.b && same_bits(a.force.point, b.force.point) &&
         same_bits(a.force.force, b.force.force) && same_bits(a.force.torque, b.force.torque);
}

inline void expect_same(const record::Trace& a, const record::Trace& b) {
  ASSERT_EQ(a.outputs.size(), b.outputs.size());
  ASSERT_EQ(a.events.size(), b.events.size());
  EXPECT_EQ(a.events_before, b.events_before);
  for (std::size_t i = 0; i < a.outputs.size(); ++i)
    ASSERT_TRUE(same_bits(a.outputs[i], b.outputs[i])) << "output " << i;
  for (std::size_t i = 0; i < a.events.size(); ++i)
    ASSERT_TRUE(same_bits(a.events[i], b.events[i])) << "event " << i;
  ASSERT_EQ(a.forces.size(), b.forces.size());
  for (std::size_t i = 0; i < a.forces.size(); ++i)
    ASSERT_TRUE(same_bits(a.forces[i], b.forces[i])) << "force " << i;
}

}  // namespace carom::support
