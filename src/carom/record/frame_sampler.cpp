#include "carom/record/frame_sampler.h"

#include "carom/dynamics/flight.h"

namespace carom::record {

void FrameSampler::pass(const Frame& frame, std::size_t passed) {
  if (passed_ == kNone) {
    last_.assign(frame.start.bodies.size(), kNone);
    passed_ = 0;
  }
  for (; passed_ < passed; ++passed_) {
    const ContactEvent& event = frame.collisions[passed_].event;
    last_[index(event.a)] = last_[index(event.b)] = passed_;
  }
}

void FrameSampler::sample(const Scene& scene, const Frame& frame, std::size_t passed, double t,
                          State& out) {
  pass(frame, passed);
  out.t = t;
  out.bodies.resize(last_.size());
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const BodyState* from = &frame.start.bodies[i];
    double since = frame.start.t;
    if (last_[i] != kNone) {
      const Collision& collision = frame.collisions[last_[i]];
      from = index(collision.event.a) == i ? &collision.a : &collision.b;
      since = collision.event.t;
    }
    out.bodies[i] =
        dynamics::state_on(dynamics::fly_freely(scene, scene.bodies[i], *from), t - since);
  }
}

}  // namespace carom::record
