// The 13 numbers of a body that integrators work on, and their rates, in one order. The angular
// momentum is among them instead of the angular velocity: what no force changes stays to round-off.
#pragma once

#include "carom/math/buffers.h"
#include "carom/math/linear_algebra.h"

namespace carom::dynamics {

struct BodyVariables {
  Vec3 x;  // m; centre of mass
  Quat q;  // attitude, or its rate: w first
  Vec3 v;  // m/s
  Vec3 L;  // kg m²/s; about the centre of mass, along the world's axes

  static constexpr math::Index kX = 0, kQ = 3, kV = 7, kL = 10, kCount = 13;

  void write(math::VecView& out, math::Index at) const {
    out.segment<3>(at + kX) = x;
    out[at + kQ] = q.w();
    out.segment<3>(at + kQ + 1) = q.vec();
    out.segment<3>(at + kV) = v;
    out.segment<3>(at + kL) = L;
  }
  static BodyVariables read(math::VecIn y, math::Index at) {
    return {y.segment<3>(at + kX), read_attitude(y, at), y.segment<3>(at + kV),
            y.segment<3>(at + kL)};
  }
  static Quat read_attitude(math::VecIn y, math::Index at) {
    return {y[at + kQ], y[at + kQ + 1], y[at + kQ + 2], y[at + kQ + 3]};
  }
};

}  // namespace carom::dynamics
