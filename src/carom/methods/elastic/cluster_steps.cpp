#include "carom/methods/elastic/cluster_steps.h"

#include <utility>

namespace carom::methods {

namespace {

template <typename T>
void append(std::vector<T>& to, std::span<const T> more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

void ClusterSteps::clear() {
  places_.clear();
  bodies_.clear();
  motions_.clear();
  ends_.clear();
  start_.clear();
  middle_.clear();
  end_.clear();
  effects_.clear();
  for (auto* program : {&program_start_, &program_middle_, &program_end_}) program->clear();
}

void ClusterSteps::add(Times times, std::span<const BodyId> bodies,
                       std::span<const RigidMotion> motions, std::span<const BodyState> ends,
                       const record::Forces& forces) {
  places_.push_back({times, bodies_.size(), bodies.size(), start_.size(), forces.start.size(),
                     forces.stored_start + std::exchange(owed_, 0), forces.stored_end});
  append(bodies_, bodies);
  append(motions_, motions);
  append(ends_, ends);
  append(start_, forces.start);
  append(middle_, forces.middle);
  append(end_, forces.end);
  append(effects_, forces.effects);
  append(program_start_, forces.program.start);
  append(program_middle_, forces.program.middle);
  append(program_end_, forces.program.end);
}

void ClusterSteps::take_off(double stored) {
  if (places_.empty())
    owed_ += stored;
  else
    places_.back().stored_end -= stored;
}

// What a program applies is the same for all steps of a frame, so it is there for all or for none.
record::ProgramWrenches ClusterSteps::program_of(const Place& at) const {
  if (program_start_.empty()) return {};
  const auto part = [&](const std::vector<Wrench>& all) {
    return std::span(all).subspan(at.body, at.bodies);
  };
  return {part(program_start_), part(program_middle_), part(program_end_)};
}

std::span<const record::ClusterSegment> ClusterSteps::view() {
  segments_.clear();
  for (const Place& at : places_) {
    const auto part = [](const auto& all, std::size_t first, std::size_t count) {
      return std::span(all).subspan(first, count);
    };
    segments_.push_back({at.times.t0,
                         at.times.t1,
                         part(bodies_, at.body, at.bodies),
                         part(motions_, at.body, at.bodies),
                         part(ends_, at.body, at.bodies),
                         {part(start_, at.force, at.forces), part(middle_, at.force, at.forces),
                          part(end_, at.force, at.forces), part(effects_, at.force, at.forces),
                          at.stored_start, at.stored_end, 0, program_of(at)}});
  }
  return segments_;
}

}  // namespace carom::methods
