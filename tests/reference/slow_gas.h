// Hard balls between planes without gravity, the plain way: before every collision all pairs are
// asked for their time, and all balls are moved to the earliest.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/dynamics/state.h"

namespace carom::reference {

struct SlowBall {
  BodyId id;
  double radius, mass;
};
struct SlowPlane {
  BodyId id;
  Vec3 normal;
  double offset;
};

struct SlowGas {
  std::vector<SlowBall> balls;
  std::vector<SlowPlane> planes;
  double restitution = 1;

  struct Collision {
    double t = std::numeric_limits<double>::infinity();
    BodyId a{}, b{};
  };

  // Moves to the next collision, or to t_end where there is none before.
  std::optional<Collision> advance(State& state, double t_end) const {
    Collision first{t_end, {}, {}};
    for (const SlowBall& ball : balls) {
      for (const SlowPlane& plane : planes)
        take(plane_time(state, ball, plane), plane.id, ball.id, state, first);
      for (const SlowBall& other : balls) {
        if (other.id < ball.id)
          take(pair_time(state, other, ball), other.id, ball.id, state, first);
      }
    }
    for (const SlowBall& ball : balls) state[ball.id].x += (first.t - state.t) * state[ball.id].v;
    state.t = first.t;
    if (first.a == first.b) return std::nullopt;
    resolve(state, first);
    return first;
  }

 private:
  static void take(double wait, BodyId a, BodyId b, const State& state, Collision& first) {
    if (state.t + wait < first.t) first = {state.t + wait, a, b};
  }
  static double plane_time(const State& state, const SlowBall& ball, const SlowPlane& plane) {
    const double speed = -plane.normal.dot(state[ball.id].v);
    const double gap = plane.normal.dot(state[ball.id].x) - plane.offset - ball.radius;
    return speed > 0 ? std::max(0.0, gap / speed) : std::numeric_limits<double>::infinity();
  }
  // The smaller root of |x + v t|² = r², in long double.
  static double pair_time(const State& state, const SlowBall& a, const SlowBall& b) {
    const long double reach = static_cast<long double>(a.radius) + b.radius;
    long double half_b = 0, v2 = 0, c = -reach * reach;
    for (int i = 0; i < 3; ++i) {
      const long double x = static_cast<long double>(state[a.id].x[i]) - state[b.id].x[i];
      const long double v = static_cast<long double>(state[a.id].v[i]) - state[b.id].v[i];
      half_b += x * v;
      v2 += v * v;
      c += x * x;
    }
    const long double discriminant = half_b * half_b - v2 * c;
    if (half_b >= 0 || discriminant < 0) return std::numeric_limits<double>::infinity();
    const long double t = (-half_b - std::sqrt(discriminant)) / v2;
    return static_cast<double>(std::max(0.0L, t));
  }
  const SlowBall* find(BodyId id) const {
    for (const SlowBall& ball : balls) {
      if (ball.id == id) return &ball;
    }
    return nullptr;
  }
  void resolve(State& state, const Collision& at) const {
    const SlowBall *a = find(at.a), *b = find(at.b);
    BodyState& hit = state[at.b];
    if (a == nullptr) {
      for (const SlowPlane& plane : planes) {
        if (plane.id != at.a) continue;
        hit.v -= (1 + restitution) * plane.normal.dot(hit.v) * plane.normal;
      }
      return;
    }
    const Vec3 n = (state[at.a].x - hit.x).normalized();
    const double impulse =
        (1 + restitution) * n.dot(hit.v - state[at.a].v) / (1 / a->mass + 1 / b->mass);
    state[at.a].v += impulse / a->mass * n;
    hit.v -= impulse / b->mass * n;
  }
};

}  // namespace carom::reference
