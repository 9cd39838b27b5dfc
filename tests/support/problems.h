// Contact problems made by hand: algebra without shapes.
#pragma once

#include "carom/contact/contact_problem.h"
#include "carom/contact/island_rows.h"

namespace carom::support {

// Bodies and the contacts between them, in one island; a side of -1 is the world.
struct Bodies {
  std::vector<double> masses;
  std::vector<Mat3> inertias;
  State state;
};

inline Bodies make_point_masses(const std::vector<double>& masses,
                                const std::vector<double>& speeds) {
  Bodies bodies;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    bodies.masses.push_back(masses[i]);
    bodies.inertias.push_back(masses[i] * Mat3::Identity());
    BodyState at;
    at.x = Vec3(static_cast<double>(i), 0, 0);
    at.v = Vec3(speeds[i], 0, 0);
    bodies.state.bodies.push_back(at);
  }
  return bodies;
}

struct ContactSpec {
  int a = -1, b = -1;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitX();
  double restitution = 1, friction = 0;
};

inline contact::Side make_side(const Bodies& bodies, int body, const Vec3& point) {
  if (body < 0) return {-1, Vec3::Zero()};
  return {body, point - bodies.state.bodies[static_cast<std::size_t>(body)].x};
}

inline Vec3 velocity_at(const State& state, const contact::Side& side) {
  if (side.block < 0) return Vec3::Zero();
  return state.bodies[static_cast<std::size_t>(side.block)].twist().at(side.lever);
}

inline Vec3 rate_of(const contact::ContactRow& row, const State& state) {
  const Vec3 relative = velocity_at(state, row.a) - velocity_at(state, row.b);
  return {row.normal.dot(relative), row.tangent1.dot(relative), row.tangent2.dot(relative)};
}

inline contact::ContactProblem make_problem(const Bodies& bodies,
                                            const std::vector<ContactSpec>& contacts) {
  contact::ContactProblem problem;
  for (std::size_t i = 0; i < bodies.masses.size(); ++i) {
    problem.blocks.push_back({id_of<BodyId>(i), 1 / bodies.masses[i], bodies.inertias[i].inverse(),
                              bodies.state.bodies[i].v, bodies.state.bodies[i].w});
  }
  for (const ContactSpec& spec : contacts) {
    const math::Tangents tangents = math::make_tangents(spec.normal);
    contact::ContactRow row;
    row.a = make_side(bodies, spec.a, spec.point);
    row.b = make_side(bodies, spec.b, spec.point);
    row.normal = spec.normal;
    row.tangent1 = tangents.first;
    row.tangent2 = tangents.second;
    row.restitution = spec.restitution;
    row.friction = spec.friction;
    row.rate = rate_of(row, bodies.state);
    row.source = static_cast<std::int32_t>(problem.contacts.size());
    problem.contacts.push_back(row);
  }
  problem.islands = {{0, static_cast<std::int32_t>(contacts.size()), 0, 0}};
  return problem;
}

// A line of touching balls, each with its right neighbour.
inline std::vector<ContactSpec> make_cradle(std::size_t balls, double restitution = 1) {
  std::vector<ContactSpec> contacts;
  for (int i = 0; i + 1 < static_cast<int>(balls); ++i) {
    contacts.push_back({i, i + 1, Vec3(i + 0.5, 0, 0), -Vec3::UnitX(), restitution});
  }
  return contacts;
}

inline std::vector<double> speeds_along_x(const State& state) {
  std::vector<double> speeds;
  for (const BodyState& body : state.bodies) speeds.push_back(body.v.x());
  return speeds;
}

inline double kinetic_energy(const Bodies& bodies, const State& state) {
  double energy = 0;
  for (std::size_t i = 0; i < bodies.masses.size(); ++i) {
    const BodyState& body = state.bodies[i];
    energy += 0.5 * bodies.masses[i] * body.v.squaredNorm() +
              0.5 * body.w.dot(bodies.inertias[i] * body.w);
  }
  return energy;
}

}  // namespace carom::support
