// What Vouga et al. (§4) ask of an impact operator, on arbitrary bodies and contacts: impulses
// along the normals that only push (NORM, ONE), momentum and energy kept (KIN), and feasible
// velocities after.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "carom/impact/laws/reflections.h"
#include "carom/impact/laws/sequential.h"
#include "reference/cradle.h"
#include "support/problems.h"

namespace carom::impact {
namespace {

using support::Bodies;
using support::ContactSpec;

double number(double size) { return size * (*rc::gen::inRange(-1000, 1001)) * 1e-3; }
Vec3 vector(double size) { return {number(size), number(size), number(size)}; }

struct Crash {
  Bodies bodies;
  std::vector<ContactSpec> contacts;
};

Bodies arbitrary_bodies(int count) {
  Bodies bodies;
  for (int i = 0; i < count; ++i) {
    bodies.masses.push_back(*rc::gen::element(0.1, 1.0, 1.0, 3.0, 10.0));
    const Mat3 turn = math::quat_exp(vector(3)).toRotationMatrix();
    const Vec3 moments(1, 1.5, 1.2 + 0.5 * std::abs(number(1)));
    bodies.inertias.push_back(bodies.masses.back() * turn * moments.asDiagonal() *
                              turn.transpose());
    BodyState at;
    at.x = vector(1);
    at.v = vector(2);
    at.w = vector(2);
    bodies.state.bodies.push_back(at);
  }
  return bodies;
}

Crash arbitrary_crash(double restitution, double friction, bool with_world) {
  const int count = *rc::gen::inRange(2, 5);
  Crash crash{arbitrary_bodies(count), {}};
  const int contacts = *rc::gen::inRange(1, 6);
  for (int i = 0; i < contacts; ++i) {
    const int a = *rc::gen::inRange(0, count);
    int b = *rc::gen::inRange(with_world ? -1 : 0, count);
    if (b == a) b = (a + 1) % count;
    const Vec3 normal = (vector(1) + Vec3(0, 0, 1.1)).normalized();  // in a half-space: no wedging
    crash.contacts.push_back(
        {a, b, vector(1), b > a ? Vec3(-normal) : normal, restitution, friction});
  }
  return crash;
}

struct Outcome {
  ImpactResult result;
  contact::ContactProblem problem;
  contact::Impulses impulses;
  State after;
};

Outcome resolve(const Crash& crash, Order order) {
  Outcome outcome{{}, support::make_problem(crash.bodies, crash.contacts), {}, crash.bodies.state};
  ImpactWorkspace work;
  outcome.result = resolve(Sequential{.order = order}, outcome.problem, work, outcome.impulses);
  contact::apply_impulses(outcome.problem, outcome.impulses, outcome.after);
  return outcome;
}

Order arbitrary_order() {
  return *rc::gen::element(Order::Lexicographic, Order::Random, Order::Deepest);
}

void check_feasible(const Outcome& outcome) {
  RC_ASSERT(outcome.result.status == ImpactStatus::Resolved);
  for (std::size_t i = 0; i < outcome.problem.contacts.size(); ++i) {
    RC_ASSERT(support::rate_of(outcome.problem.contacts[i], outcome.after).x() >= -1e-10);
    RC_ASSERT(outcome.impulses.contacts[i].x() >= -1e-12);
  }
}

RC_GTEST_PROP(SequentialImpact, KeepsEnergyAndPushesAlongNormalsWhenElastic, ()) {
  const Crash crash = arbitrary_crash(1, 0, true);
  const Outcome outcome = resolve(crash, arbitrary_order());
  check_feasible(outcome);
  const double before = support::kinetic_energy(crash.bodies, crash.bodies.state);
  RC_ASSERT(std::abs(support::kinetic_energy(crash.bodies, outcome.after) - before) <=
            1e-9 * (1 + before));
  for (const Vec3& impulse : outcome.impulses.contacts) RC_ASSERT(impulse.tail<2>().isZero(0));
}

RC_GTEST_PROP(SequentialImpact, NeverGainsEnergy, ()) {
  const double e = *rc::gen::element(0.0, 0.3, 0.7, 1.0);
  const double mu = *rc::gen::element(0.0, 0.2, 1.0);
  const Crash crash = arbitrary_crash(e, mu, true);
  const Outcome outcome = resolve(crash, arbitrary_order());
  check_feasible(outcome);
  const double before = support::kinetic_energy(crash.bodies, crash.bodies.state);
  RC_ASSERT(support::kinetic_energy(crash.bodies, outcome.after) <= before * (1 + 1e-9));
  for (const Vec3& impulse : outcome.impulses.contacts) {
    RC_ASSERT(impulse.tail<2>().norm() <= mu * impulse.x() * (1 + 1e-9) + 1e-12);
  }
}

// Energy and feasibility, whichever of the contacts bounce.
template <typename Law>
void check_mixed(const Law& law) {
  Crash crash = arbitrary_crash(0, *rc::gen::element(0.0, 0.5), true);
  for (ContactSpec& contact : crash.contacts)
    contact.restitution = *rc::gen::element(0.0, 0.3, 0.3, 0.7, 1.0);
  Outcome outcome{{}, support::make_problem(crash.bodies, crash.contacts), {}, crash.bodies.state};
  ImpactWorkspace work;
  outcome.result = resolve(law, outcome.problem, work, outcome.impulses);
  contact::apply_impulses(outcome.problem, outcome.impulses, outcome.after);
  check_feasible(outcome);
  const double before = support::kinetic_energy(crash.bodies, crash.bodies.state);
  RC_ASSERT(support::kinetic_energy(crash.bodies, outcome.after) <= before * (1 + 1e-9));
}

RC_GTEST_PROP(SequentialImpact, EndsFeasibleWithoutGainWhereCoefficientsDiffer, ()) {
  check_mixed(Sequential{.order = arbitrary_order()});
}

RC_GTEST_PROP(Reflections, EndFeasibleWithoutGainWhereCoefficientsDiffer, ()) {
  check_mixed(Reflections{});
}

RC_GTEST_PROP(SequentialImpact, ConservesMomentumOfBodiesAmongThemselves, ()) {
  const Crash crash = arbitrary_crash(0.5, 0.5, false);
  const Outcome outcome = resolve(crash, Order::Lexicographic);
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t i = 0; i < crash.bodies.masses.size(); ++i) {
    const BodyState& before = crash.bodies.state.bodies[i];
    const Vec3 gained = crash.bodies.masses[i] * (outcome.after.bodies[i].v - before.v);
    linear += gained;
    angular +=
        before.x.cross(gained) + crash.bodies.inertias[i] * (outcome.after.bodies[i].w - before.w);
  }
  RC_ASSERT(linear.norm() <= 1e-11);
  RC_ASSERT(angular.norm() <= 1e-11);
}

// The inelastic velocity is a projection: which contact comes first makes no difference.
RC_GTEST_PROP(SequentialImpact, DoesNotDependOnTheOrderOfContactsWithoutRestitution, ()) {
  const Crash crash = arbitrary_crash(0, 0, true);
  Crash reversed = crash;
  std::reverse(reversed.contacts.begin(), reversed.contacts.end());
  const State one = resolve(crash, Order::Lexicographic).after;
  const State other = resolve(reversed, Order::Deepest).after;
  for (std::size_t i = 0; i < one.bodies.size(); ++i) {
    RC_ASSERT((one.bodies[i].v - other.bodies[i].v).norm() <= 1e-9);
    RC_ASSERT((one.bodies[i].w - other.bodies[i].w).norm() <= 1e-9);
  }
}

// Seen from a moving frame, everything collides the same.
RC_GTEST_PROP(SequentialImpact, DoesNotDependOnTheFrame, ()) {
  const Crash crash = arbitrary_crash(1, 0, false);
  const Vec3 shift = vector(1);
  Crash moving = crash;
  for (BodyState& body : moving.bodies.state.bodies) body.v += shift;
  const State one = resolve(crash, Order::Lexicographic).after;
  const State other = resolve(moving, Order::Lexicographic).after;
  for (std::size_t i = 0; i < one.bodies.size(); ++i) {
    RC_ASSERT((one.bodies[i].v + shift - other.bodies[i].v).norm() <= 1e-8);
  }
}

RC_GTEST_PROP(SequentialImpact, IsThePlainExchangeForBallsOnALine, ()) {
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(2, 8));
  std::vector<double> masses, speeds;
  for (std::size_t i = 0; i < count; ++i) {
    masses.push_back(*rc::gen::inRange(1, 10));
    speeds.push_back(number(3));
  }
  const reference::Cradle expected = reference::collide_cradle(masses, speeds);
  const Outcome outcome =
      resolve({support::make_point_masses(masses, speeds), support::make_cradle(count)},
              Order::Lexicographic);
  for (std::size_t i = 0; i < count; ++i) {
    RC_ASSERT(std::abs(outcome.after.bodies[i].v.x() - static_cast<double>(expected.speeds[i])) <=
              1e-10);
  }
  RC_ASSERT(std::abs(outcome.result.iterations - expected.iterations) <=
            1);  // ties may round either way
}

}  // namespace
}  // namespace carom::impact
