// How a live simulation goes back: to a state that it saved, and from there again, with what drew
// bodies on the way.
#include <algorithm>
#include <utility>

#include "carom/base/diagnostics.h"
#include "live_running.h"

namespace carom::cli {

namespace {

constexpr std::size_t kMostSaved = 256'000'000;  // bytes

}  // namespace

void LiveSimulation::save() {
  if (!saved_.empty() && time() < saved_.back().t + between_saved_) return;
  saved_.push_back({time(), running_->simulation.save(), pulls_.size()});
  if (saved_.size() * saved_.back().bytes.size() < kMostSaved) return;
  std::vector<Saved> kept;  // every second one
  for (std::size_t i = 0; i < saved_.size(); i += 2) kept.push_back(std::move(saved_[i]));
  saved_ = std::move(kept);
  between_saved_ *= 2;
}

// A step that was stopped within leaves what only a saved state mends.
void LiveSimulation::take(const simulation::Progress& progress) {
  is_torn_ = !progress.ok && watch_.stop;
  if (is_torn_) return;
  if (!progress.ok) stopped_ = progress.reason;
  save();
}

void LiveSimulation::mend() {
  if (is_torn_) go_back(saved_.back().t);
}

void LiveSimulation::go_back(double t) {
  if (t >= time() && !is_torn_) return;
  const auto later = std::ranges::upper_bound(saved_, t, {}, &Saved::t);
  if (later == saved_.begin()) {
    throw base::BadInput({{.place = "the moment shown",
                           .found = std::to_string(t) + " s",
                           .expected = "at least " + std::to_string(running_->start) +
                                       " s, where the scene was changed last; or start anew"}});
  }
  saved_.erase(later, saved_.end());
  const std::vector<Pulled> past = std::exchange(pulls_, {});
  pulls_.assign(past.begin(), past.begin() + static_cast<std::ptrdiff_t>(saved_.back().pulls));
  draw(pulls_.back().pull);  // as it was there
  running_->simulation.restore(saved_.back().bytes);
  stopped_.clear();
  is_torn_ = false;
  go_on_again(t - running_->start, past);
  running_->data.forget();
  back_to_ = time();
  show_now();
}

// To a time of the simulation, with what drew bodies on the way.
void LiveSimulation::go_on_again(double t, const std::vector<Pulled>& past) {
  while (pulls_.size() < past.size() && past[pulls_.size()].since < t) {
    const Pulled& next = past[pulls_.size()];
    take(running_->simulation.advance_to(next.since));
    if (is_torn_ || !stopped_.empty()) return;
    draw(next.pull);
    pulls_.push_back(next);
  }
  take(running_->simulation.advance_to(t));
}

void LiveSimulation::draw(const std::optional<Pull>& pull) {
  simulation::Simulation& simulation = running_->simulation;
  if (!pull) return simulation.set_force_law({}, {});
  const std::vector<model::Body>& bodies = simulation.scene().bodies;
  const std::size_t i = index(pull->body);
  if (i >= bodies.size()) {
    throw base::BadInput({{.place = "what is pulled",
                           .found = "body number " + std::to_string(i),
                           .expected = "one of " + std::to_string(bodies.size()) + " bodies"}});
  }
  simulation.set_force_law({pull->body}, make_law(*pull, bodies[i]));
}

void LiveSimulation::pull(const std::optional<Pull>& next) {
  mend();
  if (next == pulls_.back().pull) return;
  draw(next);
  pulls_.push_back({running_->simulation.time(), next});
}

std::string LiveSimulation::back(double at) {
  go_back(at);
  return tell();
}

void LiveSimulation::show_now() {
  running_->data.output(running_->simulation.state());
  running_->data.forces(running_->simulation.time(), running_->simulation.forces());
}

}  // namespace carom::cli
