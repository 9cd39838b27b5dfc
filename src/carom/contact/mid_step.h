// Contacts and bodies half a step ahead, by the velocities of its start. Forces that are constant
// over a step h act there: with levers r = p - x of the middle, the moments of a contact's two
// forces about any point cancel to h³ (they act along the whole way, whose mean is the middle), and
// a force works on the distance that its contact travels to the same order, h J (v + v⁺)/2.
#pragma once

#include "carom/contact/contact_problem.h"
#include "carom/contact/followed.h"
#include "carom/contact/pairs.h"

namespace carom::contact {

class MidStep {
 public:
  explicit MidStep(const Scene& scene) : scene_(scene) {}

  // Contacts found at `start`, each with its feature.
  void place(const State& start, std::span<const Contact> contacts,
             std::span<const ContactFeatures> features, double duration);

  // The same for contacts that `pairs` found last as near, which have no features: they are looked
  // for again. Velocities may have changed since.
  void place(const State& start, std::span<const Contact> contacts, Pairs& pairs, double duration);

  bool moves() const { return moves_; }          // any of the contacts' bodies
  const State& state() const { return state_; }  // with the velocities of the start
  const ContactSet& contacts() const { return contacts_; }

  // Makes the rows' rates those of the start, and their biases what takes these to the rates that
  // contact forces have to answer: `problem` was assembled from contacts() at state(), which came
  // from `start`. With u₀ and u_m the rates that the start's velocities have at the start and in
  // the middle, these are 2 u_m - θ u₀ beside what gravity gives. θ = 1 asks for none at the end of
  // the step, to second order; θ = 0 for none on the average of the step, which does no work. What
  // u₀ may be because the last step was off by (ωh)² is left to the average, what is more is ended.
  // Gaps become `off`: per contact, how much of its gap the step is to take away.
  void refer_to_start(const State& start, std::span<const Contact> contacts,
                      std::span<const double> off, ContactProblem& problem) const;

 private:
  // `at`, unless it has run off: then the contact stays with its bodies.
  geometry::ContactPoint keep_near(const geometry::ContactPoint& at, const State& start,
                                   const Contact& contact) const;
  Vec3 part_left_by_a_step(const Vec3& u0, double error) const;  // (1 - θ) u₀

  const Scene& scene_;
  State state_;
  ContactSet contacts_;
  double duration_ = 0;
  bool moves_ = false;
};

}  // namespace carom::contact
