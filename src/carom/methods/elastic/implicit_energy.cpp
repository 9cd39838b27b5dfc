// What springs hold, and what they may give to the motion.
#include <algorithm>

#include "carom/methods/elastic/implicit_impulses.h"

namespace carom::methods {

namespace {

constexpr double kHolding = 1e4;  // of a spring's stiffness, where it holds a depth
constexpr int kHoldRounds = 4;

double energy_of(const PairLaw& law, double gap) {
  const double depth = std::max(0.0, -gap);
  return normal_force(law, depth, {1, 0}).value * depth / (law.exponent + 1);
}

}  // namespace

// What moves and what springs hold are together no more than they were, but for the hop of what
// rests. Returns what of it springs have taken from the motion, J.
double ImplicitImpulses::bound_gain(const Cluster& cluster) {
  const double stored = std::min(cluster.stored, held_at_instant());
  double held = held_ahead();
  if (find_work() + held > stored + hop_energy(cluster)) {
    hold_depths();
    held = held_at_instant();
  }
  return std::min(stored - find_work(), held);
}

double ImplicitImpulses::held_at_instant() {
  double sum = 0;
  for (Contact& contact : contacts_)
    sum += contact.held = energy_of(contact.spring.law, contact.spring.at.at.gap);
  return sum;
}

double ImplicitImpulses::held_ahead() {
  const auto u = u_.view();
  double sum = 0;
  for (Contact& contact : contacts_) {
    const double gap = gap_ahead(contact, rates(contact, u).x());
    sum += contact.held = energy_of(contact.spring.law, gap);
  }
  return sum;
}

// As if stiffer springs began where they are. By how much these sink, they are taken to be pressed
// in from the start in the next round (an augmented Lagrangian), so that depths stay as they are:
// their impulses only take from the motion. Joints close as ever.
void ImplicitImpulses::hold_depths() {
  for (Contact& contact : contacts_) {
    contact.measured_gap = std::max(0.0, contact.spring.at.at.gap);
    contact.measured_rate = 0;
    contact.spring.law.stiffness *= kHolding;
  }
  for (Hold& hold : holds_) {
    hold.error = hold.joint.error;
    hold.error_rate = 0;
  }
  for (int round = 0; round < kHoldRounds; ++round) {
    minimise();
    for (Contact& contact : contacts_) {
      contact.load = contact.impulse.x() / h_;
      const double gap = gap_ahead(contact, rates(contact, u_.view()).x());
      contact.measured_gap = std::max(0.0, contact.spring.at.at.gap) + std::min(0.0, gap);
    }
  }
  for (Contact& contact : contacts_) contact.spring.law.stiffness /= kHolding;
}

// J; of the impulses, at the instant: rates before them are those in the middle of the flight.
double ImplicitImpulses::find_work() const {
  const auto u = u_.view();
  double work = 0.5 * u.squaredNorm();
  for (const Contact& contact : contacts_)
    for (std::size_t k = 0; k < 3; ++k)
      work += contact.impulse[static_cast<Index>(k)] * contact.before[k];
  for (const Hold& hold : holds_) work += hold.impulse * hold.before;
  Vec3 given = Vec3::Zero();
  for (std::size_t i = 0; i < root_masses_.size(); ++i)
    given += root_masses_[i] * u.segment<3>(static_cast<Index>(6 * i));
  return work - 0.5 * h_ * scene_.gravity.dot(given);
}

// J; bodies at rest start each flight at half the speed that gravity gives in it, which one that
// comes to rest from below has not.
double ImplicitImpulses::hop_energy(const Cluster& cluster) const {
  double mass = 0;
  for (const BodyId id : cluster.bodies) mass += scene_.body(id).mass;
  return 0.5 * mass * (0.5 * h_ * scene_.gravity).squaredNorm();
}

}  // namespace carom::methods
