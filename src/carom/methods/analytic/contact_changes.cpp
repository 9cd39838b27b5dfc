// Where within a step the forces change their kind.
#include <algorithm>
#include <cmath>

#include "carom/geometry/distance/simplex.h"
#include "carom/math/regula_falsi.h"
#include "carom/methods/analytic/force_integrator.h"

namespace carom::methods {

namespace {

constexpr double kResolution = 1e-12;  // of the step
constexpr double kReach = 1e-8;        // of a body's size: how far off a contact is still the same
constexpr double kSameNormal = 1e-6;
constexpr double kTurned = 0.5;  // cosine: slip that has changed its direction
constexpr double kFlat =
    1e-12;  // progress, beside the distance, at which the search for the nearest point stops
// A step this short, in the time it takes to cross a body's size, is taken whatever changes: and
// after some of them in a row a longer one.
constexpr double kLeast = 1e-10;
constexpr int kMostShortSteps = 5;
constexpr int kMostChanges = 8;

bool are_alike(const contact::Contact& one, const contact::Contact& other) {
  return one.a == other.a && one.b == other.b &&
         (one.at.normal - other.at.normal).norm() <= kSameNormal;
}

// Of a point from the convex hull of those contacts that are like `model`, by GJK.
double distance_to_hull(const Vec3& point, const contact::Contact& model,
                        const contact::ContactSet& contacts) {
  constexpr int kMaxIterations = 50;
  geometry::Simplex simplex;
  Vec3 nearest = Vec3::Constant(HUGE_VAL);
  for (int i = 0; i < kMaxIterations; ++i) {
    const contact::Contact* lowest = nullptr;
    double least = HUGE_VAL;
    for (const contact::Contact& each : contacts) {
      if (!are_alike(model, each)) continue;
      const double along = i == 0 ? 0 : nearest.dot(each.at.point - point);
      if (along < least) lowest = &each;
      least = std::min(least, along);
    }
    if (lowest == nullptr) return HUGE_VAL;
    const Vec3 w = lowest->at.point - point;
    if (i > 0 &&
        (simplex.has(w) || nearest.squaredNorm() - least <= kFlat * nearest.squaredNorm())) {
      break;
    }
    simplex.add(w, lowest->at.point, point);
    nearest = simplex.reduce();
    if (simplex.count == 4) return 0;
  }
  return nearest.norm();
}

}  // namespace

double ForceIntegrator::least_step() const {
  return kLeast * scene_.tolerances.length / scene_.tolerances.speed;
}

const Accelerations& ForceIntegrator::look_at(const Flight& flight, double s) {
  flight.state_at(s, stage_);
  accelerations_.find(stage_, between_);
  return between_;
}

double ForceIntegrator::find_change(const Flight& flight, double h) {
  double first = h;
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    if (start_.pushes(i) && end_.vanishes(i) && !end_.pushes(i)) {
      first = std::min(first, find_vanishing(flight, h, i));
      continue;
    }
    for (const Resisted what : kResisted) {
      const Grip grip = accelerations_.contacts[i][what].grip;
      if (grip == Grip::Sticks && end_.slips(i, what))
        first = std::min(first, find_slipping(flight, h, i, what));
      else if (grip == Grip::Slides)
        first = std::min(first, find_stopping(flight, h, i, what));
    }
  }
  for (std::size_t i = 0; i < accelerations_.drives.count(); ++i)
    first = std::min(first, find_drive_change(flight, h, i));
  return accept_change(first, h);
}

// Changes at the end of the step, or too near its start to be worth a step, are none; nor are those
// that come back wherever the step ends.
double ForceIntegrator::accept_change(double s, double h) {
  const double least = least_step();
  if (s >= h * (1 - 1e-9) || h <= least || short_steps_ >= kMostShortSteps) return h;
  if (++changes_ > kMostChanges) return h;
  return std::max(s, least);
}

// f falls to zero, then χ̈ rises from zero: f/f₀ - χ̈/χ̈₁ passes through zero between them.
double ForceIntegrator::find_vanishing(const Flight& flight, double h, std::size_t contact) {
  const double f0 = start_.force[contact].x(), a1 = end_.acceleration[contact].x();
  const auto g = [&](double s) {
    const Accelerations& at = look_at(flight, s);
    return at.force[contact].x() / f0 - at.acceleration[contact].x() / a1;
  };
  return math::find_root(g, {0, 1, h, -1}, kResolution * h);
}

// The same with what is left of the cone, and the acceleration along the surface.
double ForceIntegrator::find_slipping(const Flight& flight, double h, std::size_t contact,
                                      Resisted what) {
  const contact::Contact& of = accelerations_.contacts[contact].contact;
  const double limit = coefficient_of(of, what) * start_.force[contact].x();
  const double a1 = end_.resisted(contact, what).norm();
  if (!(limit > 0)) return 0;
  const auto g = [&](const Accelerations& at) {
    return at.slips(contact, what) ? -at.resisted(contact, what).norm() / a1
                                   : std::max(at.room(contact, of, what) / limit, 0.0);
  };
  const double room = g(start_);
  if (!(room > 0)) return 0;
  return math::find_root([&](double s) { return g(look_at(flight, s)); }, {0, room, h, -1},
                         kResolution * h);
}

// Where it turns by more than 60 degrees, which is also where it stops.
double ForceIntegrator::find_stopping(const Flight& flight, double h, std::size_t contact,
                                      Resisted what) {
  const Followed& each = accelerations_.contacts[contact];
  const Vec3& then = each[what].rate;
  contact::Contact at = each.contact;
  const auto along = [&](double s) {
    flight.state_at(s, stage_);
    contact::follow_features(each.feature, stage_, at);
    const Vec3 now = rate_of(scene_, at, what, stage_);
    return then.dot(now) - kTurned * then.norm() * now.norm();
  };
  const double end = along(h);
  if (end > 0) return h;
  return math::find_root(along, {0, along(0), h, end}, kResolution * h);
}

// Where one that holds needs its bound, or one that pulls has its speed.
double ForceIntegrator::find_drive_change(const Flight& flight, double h, std::size_t drive) {
  const JointDrives& drives = accelerations_.drives;
  const double bound = drives.bound(drive);
  const auto room = [&](double s) {
    if (drives.pull(drive) == 0)
      return 1 - std::abs(s < h ? look_at(flight, s).drive[drive] : end_.drive[drive]) / bound;
    flight.state_at(s, stage_);
    return drives.room(drive, stage_);
  };
  const double end = room(h);
  if (end >= 0) return h;
  const double start = room(0);
  return start > 0 ? math::find_root(room, {0, start, h, end}, kResolution * h) : 0;
}

// Between two bodies that touch along a plane only the resultant counts: points of the region may
// be others than those followed, as long as they can carry it. How far outside of what is really
// there the centre of pressure is, the farthest of all pairs and directions.
double ForceIntegrator::parting(const Flight& flight, double s) {
  flight.state_at(s, stage_);
  pairs_.find_contacts(stage_, found_);
  accelerations_.look(stage_);
  const contact::ContactSet& followed = accelerations_.set();
  double farthest = 0;
  for (std::size_t i = 0; i < followed.size(); ++i) {
    double force = 0;
    Vec3 moment = Vec3::Zero();
    for (std::size_t k = 0; k < followed.size(); ++k) {
      if (!start_.pushes(k) || !end_.pushes(k) || !are_alike(followed[i], followed[k])) continue;
      force += end_.force[k].x();
      moment += end_.force[k].x() * followed[k].at.point;
      if (k < i) force = HUGE_VAL;  // done with k
    }
    if (force == 0 || force == HUGE_VAL) continue;
    farthest = std::max(farthest, distance_to_hull(moment / force, followed[i], found_));
  }
  return farthest;
}

double ForceIntegrator::find_parting(const Flight& flight, double h) {
  const double reach = kReach * scene_.tolerances.length;
  const auto room = [&](double s) { return 1 - std::min(parting(flight, s) / reach, 2.0); };
  const double end = room(h);
  if (end >= 0) return h;
  return accept_change(math::find_root(room, {0, 1, h, end}, 1e-9 * h), h);
}

}  // namespace carom::methods
