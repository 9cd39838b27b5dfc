// Where within a step the forces change their kind.
#include <algorithm>
#include <cmath>

#include "carom/math/regula_falsi.h"
#include "carom/methods/smooth_motion.h"

namespace carom::methods {

namespace {

constexpr double kResolution = 1e-12;  // of the step
constexpr double kReach = 1e-8;  // of a body's size: how far apart contact points are the same
constexpr double kSameNormal = 1e-6;
// A step this short, in the time it takes to cross a body's size, is taken whatever changes: and
// after some of them in a row a longer one.
constexpr double kLeast = 1e-10;
constexpr int kMostShortSteps = 5;

}  // namespace

double SmoothMotion::least_step() const {
  return kLeast * scene_.tolerances.length / scene_.tolerances.speed;
}

const Accelerations& SmoothMotion::look_at(const Flight& flight, double s) {
  flight.state_at(s, stage_);
  accelerations_.find(stage_, between_);
  return between_;
}

double SmoothMotion::find_change(const Flight& flight, double h) {
  double first = h;
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    const Grip grip = accelerations_.contacts[i].grip;
    if (start_.pushes(i) && end_.vanishes(i) && !end_.pushes(i)) {
      first = std::min(first, find_vanishing(flight, h, i));
    } else if (grip == Grip::Sticks && end_.slips(i)) {
      first = std::min(first, find_slipping(flight, h, i));
    } else if (grip == Grip::Slides) {
      first = std::min(first, find_stopping(flight, h, i));
    }
  }
  return accept_change(first, h);
}

// Changes at the end of the step, or too near its start to be worth a step, are none.
double SmoothMotion::accept_change(double s, double h) const {
  const double least = least_step();
  if (s >= h * (1 - 1e-9) || h <= least || short_steps_ >= kMostShortSteps) return h;
  return std::max(s, least);
}

// f falls to zero, then χ̈ rises from zero: f/f₀ - χ̈/χ̈₁ passes through zero between them.
double SmoothMotion::find_vanishing(const Flight& flight, double h, std::size_t contact) {
  const double f0 = start_.force[contact].x(), a1 = end_.acceleration[contact].x();
  const auto g = [&](double s) {
    const Accelerations& at = look_at(flight, s);
    return at.force[contact].x() / f0 - at.acceleration[contact].x() / a1;
  };
  return math::find_root(g, {0, 1, h, -1}, kResolution * h);
}

// The same with what is left of the cone, and the acceleration along the surface.
double SmoothMotion::find_slipping(const Flight& flight, double h, std::size_t contact) {
  const double friction = accelerations_.contacts[contact].contact.friction;
  const double limit = friction * start_.force[contact].x();
  const double a1 = end_.acceleration[contact].tail<2>().norm();
  if (!(limit > 0)) return 0;
  const auto g = [&](const Accelerations& at) {
    const Vec3& force = at.force[contact];
    const double room = (friction * force.x() - force.tail<2>().norm()) / limit;
    return at.slips(contact) ? -at.acceleration[contact].tail<2>().norm() / a1
                             : std::max(room, 0.0);
  };
  const double room = g(start_);
  if (!(room > 0)) return 0;
  return math::find_root([&](double s) { return g(look_at(flight, s)); }, {0, room, h, -1},
                         kResolution * h);
}

double SmoothMotion::find_stopping(const Flight& flight, double h, std::size_t contact) {
  const Followed& each = accelerations_.contacts[contact];
  contact::Contact at = each.contact;
  const auto along = [&](double s) {
    flight.state_at(s, stage_);
    contact::follow(each.feature, stage_, at);
    return each.slip.dot(contact::slip_velocity(at, stage_));
  };
  const double end = along(h);
  if (end > 0) return h;
  return math::find_root(along, {0, along(0), h, end}, kResolution * h);
}

// How far the nearest contact that is really there is from one that is followed and pushes.
double SmoothMotion::parting(const Flight& flight, double s) {
  flight.state_at(s, stage_);
  pairs_.find_contacts(stage_, found_);
  double farthest = 0;
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    if (!start_.pushes(i) || !end_.pushes(i)) continue;
    contact::Contact at = accelerations_.contacts[i].contact;
    contact::follow(accelerations_.contacts[i].feature, stage_, at);
    double nearest = HUGE_VAL;
    for (const contact::Contact& found : found_) {
      if (found.a != at.a || found.b != at.b) continue;
      if ((found.at.normal - at.at.normal).norm() > kSameNormal) continue;
      nearest = std::min(nearest, (found.at.point - at.at.point).norm());
    }
    farthest = std::max(farthest, nearest);
  }
  return farthest;
}

double SmoothMotion::find_parting(const Flight& flight, double h) {
  const double reach = kReach * scene_.tolerances.length;
  const auto room = [&](double s) { return 1 - std::min(parting(flight, s) / reach, 2.0); };
  const double end = room(h);
  if (end >= 0) return h;
  return accept_change(math::find_root(room, {0, 1, h, end}, 1e-9 * h), h);
}

}  // namespace carom::methods
