// Bodies that others keep hitting: those with more impacts in a step than a few. A heap that
// settles goes through impacts without number at ever smaller speeds, each of which stops the whole
// scene. Where a crowded body meets another that moves, the island of that moment is brought to
// rest instead of bounced (ImpactTreatment), so that nothing in it comes back; unless one of its
// contacts approaches faster than what bodies can gain in the step by falling. A body that bounces
// on what stands still is no crowd, however often it does.
#pragma once

#include <algorithm>
#include <vector>

#include "carom/contact/contact_set.h"
#include "carom/model/scene.h"

namespace carom::methods {

class Crowd {
 public:
  explicit Crowd(const Scene& scene) : scene_(scene), impacts_(scene.bodies.size(), 0) {}

  void begin_step(double duration) {
    std::fill(impacts_.begin(), impacts_.end(), 0);
    const base::Tolerances& scale = scene_.tolerances;
    fast_ = kFast * duration * scale.speed * scale.speed / scale.length;
  }

  // An impact of the contacts that approach faster than `slow`, m/s.
  void note_impact(const contact::ContactSet& contacts, double slow) {
    for (const contact::Contact& contact : contacts) {
      if (contact.approach_rate >= -slow) continue;
      ++impacts_[index(contact.a)];
      ++impacts_[index(contact.b)];
    }
  }

  double fast() const { return fast_; }  // m/s
  bool holds(const contact::Contact& contact) const {
    const auto crowded = [&](BodyId id) {
      return scene_.body(id).is_dynamic() && impacts_[index(id)] > kFew;
    };
    return crowded(contact.a) || crowded(contact.b);
  }

 private:
  static constexpr int kFew = 10;
  static constexpr double kFast = 2;  // of what falling gives in a step

  const Scene& scene_;
  std::vector<int> impacts_;  // of each body in this step
  double fast_ = 0;
};

}  // namespace carom::methods
