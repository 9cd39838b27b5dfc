// What the rows' velocities would be at the end of a step if no contact and no joint acted: gravity
// and gyration, the part of the gaps' acceleration that velocities cause, and how joint rows turn.
#pragma once

#include "carom/contact/island_system.h"

namespace carom::contact {

class StepRates {
 public:
  explicit StepRates(const Scene& scene) : scene_(scene) {}

  // `problem` holds the contacts and joints at `state`. The answer lives until the next call.
  IslandSystem::Rates predict(const ContactProblem& problem, const State& state, double duration);

 private:
  void predict_contacts(const ContactProblem& problem, double duration);
  void predict_joints(const ContactProblem& problem, const State& state, double duration);

  const Scene& scene_;
  std::vector<Twist> gained_;  // per block, from gravity and gyration
  std::vector<Vec3> contacts_;
  std::vector<double> equalities_;
  State ahead_;  // where velocities alone would take the bodies
  std::vector<dynamics::JointRow> rows_ahead_;
};

}  // namespace carom::contact
