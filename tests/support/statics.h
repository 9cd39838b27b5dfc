// Bodies under gravity that touch one another, for contact forces: algebra without shapes.
#pragma once

#include "carom/base/workers.h"
#include "carom/resting/contact_forces.h"
#include "support/problems.h"

namespace carom::support {

inline const Vec3 kGravity(0, 0, -9.81);

inline void add_body(Bodies& bodies, double mass, const Mat3& inertia, const Vec3& center) {
  bodies.masses.push_back(mass);
  bodies.inertias.push_back(inertia);
  BodyState at;
  at.x = center;
  bodies.state.bodies.push_back(at);
}

inline void add_brick(Bodies& bodies, double mass, const Vec3& size, const Vec3& center) {
  const Vec3 squares = size.cwiseAbs2();
  const Vec3 inertia = mass / 12 * (Vec3::Constant(squares.sum()) - squares);
  add_body(bodies, mass, inertia.asDiagonal(), center);
}

// `a` rests on `b` from above.
inline ContactSpec stand(int a, int b, const Vec3& point, double friction = 0) {
  return {.a = a, .b = b, .point = point, .normal = Vec3::UnitZ(), .friction = friction};
}

struct Stack {
  Bodies bodies;
  std::vector<ContactSpec> contacts;
};

// Bricks of a wall in running bond, two wide and one high, each on the two below it (or the floor)
// by the corners of what they share: four contacts each. `mass(i)` of the i-th brick, course by
// course from below.
template <typename Mass>
Stack make_wall(int bricks_wide, int courses, const Mass& mass) {
  Stack wall;
  const auto add_patch = [&](int upper, int lower, double from, double to, double height) {
    for (const double x : {from, to}) {
      for (const double y : {-0.5, 0.5})
        wall.contacts.push_back(stand(upper, lower, Vec3(x, y, height)));
    }
  };
  for (int course = 0; course < courses; ++course) {
    const double shift = course % 2 == 0 ? 0 : 1, height = course;
    for (int k = 0; k < bricks_wide; ++k) {
      const int brick = course * bricks_wide + k;
      const double x = 2 * k + shift;
      add_brick(wall.bodies, mass(brick), Vec3(2, 1, 1), Vec3(x, 0, height + 0.5));
      if (course == 0) add_patch(brick, -1, x - 1, x + 1, height);
      const int left = brick - bricks_wide - (course % 2 == 0 ? 1 : 0);
      const bool has_left = course % 2 == 1 || k > 0,
                 has_right = course % 2 == 0 || k + 1 < bricks_wide;
      if (course > 0 && has_left) add_patch(brick, left, x - 1, x, height);
      if (course > 0 && has_right) add_patch(brick, left + 1, x, x + 1, height);
    }
  }
  return wall;
}

// Accelerations of rows when nothing but gravity acts.
struct Accelerations {
  std::vector<Vec3> contacts;
  std::vector<double> equalities;
  contact::Rates rates() const { return {contacts, equalities}; }
};

inline Accelerations under_gravity(const contact::ContactProblem& problem,
                                   const Vec3& gravity = kGravity) {
  Accelerations out;
  for (const contact::ContactRow& row : problem.contacts) {
    const double sides = (row.a.block >= 0 ? 1.0 : 0.0) - (row.b.block >= 0 ? 1.0 : 0.0);
    out.contacts.emplace_back(sides * row.normal.dot(gravity), sides * row.tangent1.dot(gravity),
                              sides * row.tangent2.dot(gravity));
  }
  for (const contact::EqualityRow& row : problem.equalities) {
    double rate = 0;
    if (row.block_a >= 0) rate += row.linear_a.dot(gravity);
    if (row.block_b >= 0) rate += row.linear_b.dot(gravity);
    out.equalities.push_back(rate);
  }
  return out;
}

struct Forces {
  resting::ContactForceResult result;
  contact::Impulses forces;
  std::vector<double> left;  // normal accelerations
  State gained;              // accelerations of bodies, by id, gravity included where it moves them

  double push(std::size_t contact) const { return forces.contacts[contact].x(); }
};

inline contact::Impulses no_forces(const contact::ContactProblem& problem) {
  return {std::vector<Vec3>(problem.contacts.size(), Vec3::Zero()),
          std::vector<double>(problem.equalities.size(), 0)};
}

inline Forces find_forces(const contact::ContactProblem& problem, const Accelerations& without,
                          const resting::ContactForceOptions& options = {},
                          const Vec3& gravity = kGravity) {
  base::Workers workers(1);
  resting::ContactForces solver(workers);
  Forces found;
  found.forces = no_forces(problem);
  found.result = solver.solve(problem, without.rates(), 1e-9, options, found.forces);
  std::size_t bodies = 0;
  for (const auto& block : problem.blocks)
    bodies = std::max(bodies, static_cast<std::size_t>(index(block.id)) + 1);
  found.gained.bodies.resize(bodies);
  contact::apply_impulses(problem, found.forces, found.gained);
  std::vector<BodyState> by_block;
  for (const auto& block : problem.blocks) by_block.push_back(found.gained[block.id]);
  State blocks;
  blocks.bodies = by_block;
  for (std::size_t k = 0; k < problem.contacts.size(); ++k)
    found.left.push_back(without.contacts[k].x() + rate_of(problem.contacts[k], blocks).x());
  for (const auto& block : problem.blocks) found.gained[block.id].v += gravity;
  return found;
}

inline Forces find_forces(const Bodies& bodies, const std::vector<ContactSpec>& contacts,
                          const resting::ContactForceOptions& options = {}) {
  const contact::ContactProblem problem = make_problem(bodies, contacts);
  return find_forces(problem, under_gravity(problem), options);
}

}  // namespace carom::support
