// How contacts of smooth motion grip where a step begins: what sticks, slides, or starts to slide.
#include <cmath>

#include "carom/methods/analytic/force_integrator.h"

namespace carom::methods {

namespace {

constexpr double kStarted = 1e-4;  // of the speed at hand: slip that has started
constexpr double kEnding = 1e-6;   // the same: slip that is not worth steps of its own
constexpr double kSameWay = 0.99;  // cosine
constexpr int kGrips = 4;
constexpr double kSlow = 10;  // velocity tolerances: slower slip counts as none

}  // namespace

// What slips no faster than what has just started is held to stick at first:
// update_friction_modes() knows better once there are forces.
void ForceIntegrator::set_contacts(const FeatureContacts& contacts, const State& state) {
  accelerations_.contacts.clear();
  has_friction_ = false;
  for (std::size_t i = 0; i < contacts.set.size(); ++i) {
    has_friction_ |= contacts.set[i].friction > 0;
    Followed& each = accelerations_.contacts.emplace_back(contacts.set[i], contacts.features[i]);
    for (const Resisted what : kResisted) {
      if (coefficient_of(contacts.set[i], what) <= 0) continue;
      const Vec3 rate = rate_of(scene_, contacts.set[i], what, state);
      const bool slides = rate.norm() > kStarted * scene_.tolerances.speed;
      each[what] = {slides ? Grip::Slides : Grip::Sticks, rate};
    }
  }
}

// Friction against a slip that is slow is stiff: its direction turns the faster the slower it is. A
// slow contact that speeds up where it goes has its friction against its acceleration instead,
// which is the same direction and not stiff. True if a contact is to be treated otherwise than it
// was.
bool ForceIntegrator::update_friction_modes() {
  bool changed = false;
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    for (const Resisted what : kResisted) {
      Gripped& each = accelerations_.contacts[i][what];
      if (each.grip != Grip::Sticks) continue;
      const bool slow = each.rate.norm() <= slow_slip();
      if (start_.slips(i, what) && (slow || speeds_up(i, what))) {
        each.grip = Grip::Starts;
      } else if (!slow) {
        each.grip = Grip::Slides;
        changed = true;
      }
    }
  }
  return changed;
}

// Slip that friction can hold, and that it would stop within a moment.
bool ForceIntegrator::slip_ends() const {
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    for (const Resisted what : kResisted) {
      const Gripped& each = accelerations_.contacts[i][what];
      const double slip = each.rate.norm();
      const bool held = each.grip == Grip::Sticks && start_.pushes(i) && !start_.slips(i, what);
      if (held && slip > slow_slip() && slip <= kEnding * scene_.tolerances.speed) return true;
    }
  }
  return false;
}

bool ForceIntegrator::speeds_up(std::size_t contact, Resisted what) const {
  const Followed& of = accelerations_.contacts[contact];
  const Vec3& slip = of[what].rate;
  const auto [first, second] = math::make_tangents(of.contact.at.normal);
  const Vec3 a = start_.resisted(contact, what);
  const Vec3 along = a.x() * of.contact.at.normal + a.y() * first + a.z() * second;
  return along.dot(slip) > kSameWay * along.norm() * slip.norm();
}

double ForceIntegrator::slow_slip() const { return kSlow * scene_.tolerances.velocity; }

// What starts to slide goes where it accelerates to: not for long.
double ForceIntegrator::longest_start() const {
  double longest = HUGE_VAL;
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    for (const Resisted what : kResisted) {
      if (accelerations_.contacts[i][what].grip != Grip::Starts) continue;
      const double a = start_.resisted(i, what).norm();
      longest = std::min(longest, kStarted * scene_.tolerances.speed / a);
    }
  }
  return longest;
}

// A multistep formula's past is good for as long as the same contacts are gripped in the same way.
void ForceIntegrator::mark_contacts() {
  last_marks_.swap(marks_);
  marks_.clear();
  for (const Followed& each : accelerations_.contacts) {
    const contact::Contact& contact = each.contact;
    std::int64_t grips = 0;
    for (const Gripped& grip : each.grips) grips = kGrips * grips + static_cast<int>(grip.grip);
    marks_.push_back({static_cast<std::int64_t>(contact.a), static_cast<std::int64_t>(contact.b),
                      contact.feature, grips});
  }
  for (std::size_t i = 0; i < accelerations_.drives.count(); ++i)
    marks_.push_back({-1, -1, static_cast<std::int64_t>(i), accelerations_.drives.pull(i)});
  if (marks_ != last_marks_) stepper_.restart();
}

}  // namespace carom::methods
