#include "carom/dynamics/schemes.h"

#include <array>

#include "carom/dynamics/equations_of_motion.h"

namespace carom::dynamics {

namespace {

// The rate of a body's state, or a sum of rates.
struct Rate {
  Vec3 x = Vec3::Zero();
  Quat q{0, 0, 0, 0};
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};

struct Problem {
  const Body& body;
  const Wrench& wrench;
  const Vec3& gravity;

  Acceleration acceleration(BodyState at) const {
    at.q.normalize();
    return compute_acceleration(body, at, wrench, gravity);
  }
  Rate rate(const BodyState& at) const {
    const Acceleration a = acceleration(at);
    return {at.v, attitude_rate(at.q, at.w), a.linear, a.angular};
  }
};

void add(double weight, const Rate& rate, BodyState& to) {
  to.x += weight * rate.x;
  to.q.coeffs() += weight * rate.q.coeffs();
  to.v += weight * rate.v;
  to.w += weight * rate.w;
}

// An explicit Runge–Kutta formula: row i of A holds the weights of stage i, b those of the end.
template <std::size_t Stages>
struct Tableau {
  double A[Stages][Stages];
  std::array<double, Stages> b;
};

constexpr Tableau<4> kRungeKutta{{{}, {0.5}, {0, 0.5}, {0, 0, 1}},
                                 {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
// Dormand & Prince 1980, table 2; the weights of order 5 need no seventh stage.
constexpr Tableau<6> kDormandPrince{
    {{},
     {1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};

template <std::size_t Stages>
BodyState step(const Tableau<Stages>& formula, const Problem& problem, const BodyState& start,
               double h) {
  std::array<Rate, Stages> rates;
  for (std::size_t i = 0; i < Stages; ++i) {
    BodyState at = start;
    for (std::size_t j = 0; j < i; ++j) add(h * formula.A[i][j], rates[j], at);
    rates[i] = problem.rate(at);
  }
  BodyState end = start;
  for (std::size_t i = 0; i < Stages; ++i) add(h * formula.b[i], rates[i], end);
  end.q.normalize();
  return end;
}

math::MotionEnd end_of(const Problem& problem, const BodyState& at) {
  const Acceleration a = problem.acceleration(at);
  return {at.pose(), at.twist(), {a.linear, a.angular}};
}

RigidMotion move(Scheme scheme, const Problem& problem, const BodyState& start, double h) {
  if (scheme == Scheme::SymplecticEuler) {
    const Acceleration a = problem.acceleration(start);
    return {start.x, start.v + h * a.linear, Vec3::Zero(),
            math::SteadySpin{start.q, start.w + h * a.angular}};
  }
  const BodyState end = scheme == Scheme::RungeKutta ? step(kRungeKutta, problem, start, h)
                                                     : step(kDormandPrince, problem, start, h);
  return math::make_hermite_motion(end_of(problem, start), end_of(problem, end), h);
}

}  // namespace

void fly_by(Scheme scheme, const Scene& scene, const State& state, std::span<const Wrench> wrenches,
            double duration, Flight& out) {
  out.t0 = state.t;
  out.duration = duration;
  out.motions.clear();
  const Wrench none;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    const Problem problem{body, wrenches.empty() ? none : wrenches[i], scene.gravity};
    out.motions.push_back(body.is_dynamic() ? move(scheme, problem, state.bodies[i], duration)
                                            : fly_freely(scene, body, state.bodies[i]));
  }
}

}  // namespace carom::dynamics
