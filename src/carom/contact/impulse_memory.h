// The contact forces of the last step, by contact: where the next solution begins. A hint that
// changes an answer within its tolerance only; part of what a run must remember to go on bit for
// bit.
#pragma once

#include <array>

#include "carom/contact/contact_problem.h"

namespace carom::contact {

class ImpulseMemory {
 public:
  struct Force {
    BodyId a{}, b{};
    std::int64_t feature = 0;
    std::array<double, 3> on_a{};  // world axes

    bool operator<(const Force& other) const;
  };

  // Impulses over `duration` of the contacts that were there before; zero for others.
  void recall(const ContactSet& contacts, const ContactProblem& problem, double duration,
              Impulses& out) const;
  void remember(const ContactSet& contacts, const ContactProblem& problem, double duration,
                const Impulses& impulses);

  std::vector<Force>& forces() { return forces_; }
  const std::vector<Force>& forces() const { return forces_; }

 private:
  std::vector<Force> forces_;  // ascending
};

}  // namespace carom::contact
