#include "divergence.h"

#include <algorithm>
#include <cmath>

namespace carom::cli {

namespace {

bool is_same_meeting(const record::ContactEvent& a, const record::ContactEvent& b) {
  return a.t == b.t && std::minmax(a.a, a.b) == std::minmax(b.a, b.b);
}

void count(const record::ContactEvent& event, std::vector<double>& times,
           record::ContactEvent& last) {
  if (!times.empty() && is_same_meeting(event, last)) return;
  times.push_back(event.t);
  last = event;
}

std::size_t count_up_to(const std::vector<double>& times, double t) {
  return static_cast<std::size_t>(
      std::ranges::count_if(times, [t](double each) { return each <= t; }));
}

}  // namespace

void BaseRun::begin(const Scene& scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].motion == model::Motion::Fixed) continue;
    bodies_.push_back(id_of<BodyId>(i));
    const double radius = scene.bodies[i].radius;
    radii_.push_back(std::isfinite(radius) ? radius : 0);
  }
}

void BaseRun::output(const State& state) {
  times_.push_back(state.t);
  for (const BodyId body : bodies_) places_.push_back({state[body].x, state[body].q});
}

void BaseRun::event(const record::ContactEvent& event) {
  using enum record::EventKind;
  if (event.kind == Impact || event.kind == Microcollision) count(event, impacts_, last_impact_);
  if (event.kind == ContactBegin) count(event, touches_, last_touch_);
}

double BaseRun::distance(std::size_t output, std::size_t track, const BodyState& other) const {
  const Place& place = places_[output * bodies_.size() + track];
  // 2 sin(angle / 2), by the vector part of the quaternion of the turn
  const double chord = 2 * (other.q * place.q.conjugate()).vec().norm();
  return (other.x - place.x).norm() + chord * radii_[track];
}

std::size_t BaseRun::collisions(double t) const {
  return count_up_to(impacts_.empty() ? touches_ : impacts_, t);
}

Divergence::Divergence(const BaseRun& base)
    : base_(base), greatest_(base.outputs() * base.bodies().size()) {}

void Divergence::add(std::size_t output, const State& state) {
  if (output >= base_.outputs() || state.t != base_.time(output)) return;
  const std::lock_guard lock(mutex_);
  reached_ = std::max(reached_, output + 1);
  const std::vector<BodyId>& bodies = base_.bodies();
  for (std::size_t track = 0; track < bodies.size(); ++track) {
    double& greatest = greatest_[output * bodies.size() + track];
    greatest = std::max(greatest, base_.distance(output, track, state[bodies[track]]));
  }
}

double Divergence::greatest(std::size_t output) const {
  double greatest = 0;
  for (std::size_t track = 0; track < base_.bodies().size(); ++track)
    greatest = std::max(greatest, of_body(output, track));
  return greatest;
}

}  // namespace carom::cli
