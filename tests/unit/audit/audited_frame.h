// A frame made by hand, and what the audit says of it.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "unit/audit/small_scenes.h"
#include "unit/record/hand_made_frame.h"

namespace carom::audit {

inline State initial_state(const Scene& scene) {
  State state;
  for (const model::InitialMotion& m : scene.initial) state.bodies.push_back({m.x, m.q, m.v, m.w});
  return state;
}

struct Audited {
  explicit Audited(Scene made) : scene(std::move(made)), frame(scene, initial_state(scene)) {
    audit.begin(scene);
  }
  record::AuditResult finish(double t) {
    audit.frame(frame.finish(t));
    return audit.result();
  }

  Scene scene;
  record::HandMadeFrame frame;
  Audit audit;
};

inline void expect_balanced(const record::AuditResult& result, double tolerance) {
  EXPECT_LE(result.energy_ledger_error, tolerance);
  EXPECT_LE(result.momentum_error, tolerance);
  EXPECT_LE(result.angular_momentum_error, tolerance);
}

}  // namespace carom::audit
