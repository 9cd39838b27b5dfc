// One impact of bodies made by hand, through any law.
#pragma once

#include <gtest/gtest.h>

#include "carom/impact/law.h"
#include "support/problems.h"

namespace carom::support {

struct Outcome {
  impact::ImpactResult result;
  contact::Impulses impulses;
  State after;
};

template <typename Law>
Outcome collide(const Law& law, const Bodies& bodies, const std::vector<ContactSpec>& contacts) {
  const contact::ContactProblem problem = make_problem(bodies, contacts);
  impact::ImpactWorkspace work;
  Outcome outcome{{}, {}, bodies.state};
  outcome.result = resolve(law, problem, work, outcome.impulses);
  contact::apply_impulses(problem, outcome.impulses, outcome.after);
  return outcome;
}

template <typename Law>
Outcome collide_cradle(const Law& law, const std::vector<double>& masses,
                       const std::vector<double>& speeds, double restitution = 1) {
  return collide(law, make_point_masses(masses, speeds), make_cradle(masses.size(), restitution));
}

inline void expect_speeds(const State& state, const std::vector<double>& expected,
                          double tolerance) {
  const std::vector<double> speeds = speeds_along_x(state);
  ASSERT_EQ(speeds.size(), expected.size());
  for (std::size_t i = 0; i < speeds.size(); ++i)
    EXPECT_NEAR(speeds[i], expected[i], tolerance) << i;
}

}  // namespace carom::support
