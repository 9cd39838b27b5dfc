// One impact of bodies made by hand, through any law.
#pragma once

#include <gtest/gtest.h>

#include "carom/impact/law.h"
#include "support/impact_cases.h"
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

// A mass of 2 kg at unit speed against a wall.
template <typename Law>
void expect_newtons_law(const Law& law) {
  for (const double e : {0.0, 0.3, 1.0}) {
    const Outcome found =
        collide(law, make_point_masses({2}, {-1}), {{0, -1, Vec3::Zero(), Vec3::UnitX(), e}});
    EXPECT_NEAR(found.after.bodies[0].v.x(), e, 1e-14);
    EXPECT_NEAR(found.impulses.contacts[0].x(), 2 * (1 + e), 1e-14);
    EXPECT_EQ(found.result.iterations, 1);
  }
}

// Nothing approaches afterwards, energy does not grow, and impulses are within their cones, of
// which friction may miss its own by `slack`, N s.
template <typename Law>
impact::ImpactResult expect_lawful(const Law& law, const ImpactCase& c,
                                   impact::ImpactWorkspace& work, double slack = 0) {
  contact::Impulses impulses;
  const impact::ImpactResult result = resolve(law, c.problem, work, impulses);
  EXPECT_EQ(result.status, impact::ImpactStatus::Resolved);
  EXPECT_LE(result.residual, 1e-8);
  State after = c.bodies.state;
  contact::apply_impulses(c.problem, impulses, after);
  EXPECT_LE(kinetic_energy(c.bodies, after), kinetic_energy(c.bodies, c.bodies.state) * (1 + 1e-9));
  for (std::size_t k = 0; k < impulses.contacts.size(); ++k) {
    const Vec3& p = impulses.contacts[k];
    EXPECT_GE(p.x(), 0);
    EXPECT_LE(p.tail<2>().norm(), c.problem.contacts[k].friction * p.x() * (1 + 1e-9) + slack);
  }
  return result;
}

}  // namespace carom::support
