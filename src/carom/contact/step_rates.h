// What the rows' velocities would be at the end of a step if no contact and no joint acted:
// gravity, gyration and applied forces, the part of the gaps' acceleration that velocities cause,
// and for joints what keeps the anchors together over the whole step.
#pragma once

#include "carom/contact/island_rows.h"

namespace carom::contact {

class StepRates {
 public:
  explicit StepRates(const Scene& scene) : scene_(scene) {}

  // `problem` holds rows half a step ahead, with the velocities of `state`, and as gaps what
  // contacts are to lose in the step (mid_step.h). The answer lives until the next call.
  // `step`, s, at least the duration: what it is a part of; within this joints are closed.
  // `applied`, empty or one per body: what acts beside gravity.
  Rates predict(const ContactProblem& problem, const State& state, double duration, double step,
                std::span<const Wrench> applied = {});

  // The same where a contact may close its gap within the step and not more, n·v⁺ >= -gap/duration,
  // and one that overlaps opens at a rate, as joints close. One that opens faster than gap/duration
  // and falls back is where it was at the end of the step, n·v⁺ >= -n·v, so that its force does no
  // work; to bring it to gap/duration would lift it. Rates go by the step that was asked for,
  // however short this one is.
  struct Pace {
    double step;     // s, that was asked for: within it joints are closed
    double opening;  // s; overlaps shrink to 1/e in three of these
  };
  Rates predict_closing(const ContactProblem& problem, const State& state, double duration,
                        const Pace& pace, std::span<const Wrench> applied = {});

  // What the rows' accelerations would be now if no contact and no joint acted: -b of Baraff's
  // χ̈ = A f - b, with every velocity term that the rows' biases hold. Lives as long.
  Rates accelerations(const ContactProblem& problem, const State& state,
                      std::span<const Wrench> applied = {});

  // The rows' velocities as they are; lives as long.
  Rates present(const ContactProblem& problem);

  // As they are, but for what gaps allow: n·v >= -gap / duration where a contact does not bounce.
  // `restitution` holds one coefficient per contact.
  Rates closing(const ContactProblem& problem, std::span<const double> restitution,
                double duration);

 private:
  void predict_gains(const ContactProblem& problem, const State& state, double duration,
                     std::span<const Wrench> applied);
  void predict_contacts(const ContactProblem& problem, double duration);
  Vec3 gained_between(const ContactRow& row) const;
  void predict_couples(const ContactProblem& problem, double now);
  Rates all() const { return {contacts_, equalities_, couples_}; }
  double gained_on(const EqualityRow& row) const;
  double return_speed(double off, double duration) const;
  void predict_joints(const ContactProblem& problem, const State& state, double duration,
                      double step);

  const Scene& scene_;
  std::vector<Twist> gained_;  // per block, from gravity, gyration and what is applied
  std::vector<Vec3> contacts_, couples_;
  std::vector<double> equalities_;
  std::vector<dynamics::JointRow> rows_now_;
};

}  // namespace carom::contact
