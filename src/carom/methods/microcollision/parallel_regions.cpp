#include "carom/methods/microcollision/parallel_regions.h"

#include <algorithm>
#include <limits>

namespace carom::methods {

namespace {

constexpr std::size_t kEnoughPairs = 8;  // for a region
constexpr std::size_t kMostRegions = 256;
constexpr int kMostRounds = 3;
constexpr std::int64_t kUndivided = 32;  // frames, after one in which regions kept on meeting

}  // namespace

ParallelRegions::ParallelRegions(StepContext& context, const ClockOptions& options,
                                 const impact::Law& law, MicrocollisionMemory& memory)
    : scene_(context.scene),
      workers_(context.workers),
      pairs_(context.pairs),
      options_(options),
      law_(law),
      memory_(memory),
      sizes_(scene_.bodies.size()),
      again_(scene_.bodies.size()) {
  timetable_.clocks.resize(scene_.bodies.size());
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    if (scene_.bodies[i].is_dynamic()) moving_.push_back(id_of<BodyId>(i));
  }
}

AdvanceResult ParallelRegions::advance(State& state, double t_end,
                                       std::vector<record::Collision>& out) {
  begin(state, t_end);
  if (memory_.undivided > 0) {
    --memory_.undivided;
    run_as_one(t_end);
  } else {
    run_in_groups();
  }
  AdvanceResult result;
  state.t = t_end;
  if (const CollisionHeap* stuck = find_stuck()) {
    result = stuck->result();
    state.t = stuck->reached();
    if (used_ > 1) run_as_one(state.t);
  }
  gather(out);
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    state.bodies[i] = timetable_.state_of(id_of<BodyId>(i), state.t);
  return result;
}

void ParallelRegions::begin(const State& state, double t_end) {
  timetable_.t_end = t_end;
  Flight& flight = timetable_.flight;
  flight.t0 = state.t;
  flight.duration = t_end - state.t;
  flight.motions.clear();
  connected_.reset(state.bodies.size());
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    flight.motions.push_back(dynamics::fly_freely(scene_, scene_.bodies[i], state.bodies[i]));
    timetable_.set_way(scene_, id_of<BodyId>(i), flight.motions.back(), state.t);
    sizes_[i] = 0;
  }
  pairs_in_frame_ = pairs_.begin_frame(flight);
  timetable_.regions.assign(state.bodies.size(), Timetable::kNone);
  used_ = 0;
}

void ParallelRegions::run_in_groups() {
  find_groups();
  const std::size_t enough = std::max(kEnoughPairs, pairs_in_frame_ / kMostRegions);
  for (int round = 0; round < kMostRounds; ++round) {
    run_what_has_no_region(enough, timetable_.t_end);
    if (!dissolve_what_met()) return;
  }
  memory_.undivided = kUndivided;
  run_as_one(timetable_.t_end);
}

void ParallelRegions::run_as_one(double until) {
  if (used_ > 0) {
    for (const BodyId body : moving_) dissolve(body);
  }
  used_ = 0;
  run_what_has_no_region(std::numeric_limits<std::size_t>::max(), until);
}

void ParallelRegions::find_groups() {
  for (std::size_t number = 0; number < pairs_in_frame_; ++number) {
    const contact::ShapePair& who = pairs_.meeting(number).query->pair();
    const bool a_moves = scene_.body(who.a).is_dynamic();
    if (a_moves && scene_.body(who.b).is_dynamic()) unite(who.a, who.b);
    ++sizes_[index(group_of(a_moves ? who.a : who.b))];
  }
}

void ParallelRegions::unite(BodyId a, BodyId b) {
  if (group_of(a) == group_of(b)) return;
  const std::size_t second = connected_.unite(index(a), index(b));
  sizes_[index(group_of(a))] += sizes_[second];
}

void ParallelRegions::run_what_has_no_region(std::size_t enough, double until) {
  const std::size_t first = used_;
  make_regions(enough);
  give_pairs_and_sticks(first);
  auto run = [&](std::size_t i) { regions_[first + i].run(until); };
  workers_.for_each(used_ - first, 1, run);
}

// A group's first body comes before its others.
void ParallelRegions::make_regions(std::size_t enough) {
  std::size_t pairs = enough;
  for (const BodyId body : moving_) {
    std::int32_t& region = timetable_.regions[index(body)];
    if (region != Timetable::kNone) continue;
    const BodyId group = group_of(body);
    if (group == body) {
      if (pairs >= enough) {
        pairs = 0;
        if (used_ == regions_.size())
          regions_.emplace_back(scene_, pairs_, options_, law_, timetable_, workers_.watched());
        regions_[used_].begin(static_cast<std::int32_t>(used_));
        ++used_;
      }
      pairs += sizes_[index(body)];
      region = static_cast<std::int32_t>(used_) - 1;
    } else {
      region = timetable_.regions[index(group)];
    }
    regions_[static_cast<std::size_t>(region)].add(body);
  }
}

void ParallelRegions::give_pairs_and_sticks(std::size_t first) {
  const auto give = [&](BodyId a, BodyId b, const auto& what) {
    const std::int32_t region = region_of(a, b);
    if (region != Timetable::kNone && static_cast<std::size_t>(region) >= first)
      regions_[static_cast<std::size_t>(region)].add(what);
  };
  for (std::size_t number = 0; number < pairs_in_frame_; ++number) {
    const contact::Pairs::Meeting meeting = pairs_.meeting(number);
    give(meeting.query->pair().a, meeting.query->pair().b, meeting);
  }
  for (const StickRecord& each : memory_.sticks) give(each.id_a, each.id_b, each);
}

// Of two bodies in different regions, none.
std::int32_t ParallelRegions::region_of(BodyId a, BodyId b) const {
  const auto& regions = timetable_.regions;
  if (!scene_.body(a).is_dynamic()) return regions[index(b)];
  if (!scene_.body(b).is_dynamic()) return regions[index(a)];
  return regions[index(a)] == regions[index(b)] ? regions[index(a)] : Timetable::kNone;
}

// Groups that met in different regions, and all others of a region that did not reach the end for
// one of them. Returns whether there are any.
bool ParallelRegions::dissolve_what_met() {
  for (std::size_t i = 0; i < used_; ++i) {
    for (const auto& [a, b] : regions_[i].met()) unite(a, b);
  }
  std::fill(again_.begin(), again_.end(), 0);
  const auto again = [&](BodyId body) -> char& { return again_[index(group_of(body))]; };
  for (const BodyId body : moving_) {
    if (region_of(body, group_of(body)) == Timetable::kNone) again(body) = 1;
  }
  for (std::size_t i = 0; i < used_; ++i) {
    const auto bodies = regions_[i].bodies();
    const auto runs_again = [&](BodyId body) { return regions_[i].is_home(body) && again(body); };
    if (regions_[i].result().ok() || std::none_of(bodies.begin(), bodies.end(), runs_again))
      continue;
    for (const BodyId body : bodies) again(body) = 1;
  }
  bool any = false;
  for (const BodyId body : moving_) {
    if (!again(body)) continue;
    dissolve(body);
    any = true;
  }
  return any;
}

void ParallelRegions::dissolve(BodyId body) {
  timetable_.regions[index(body)] = Timetable::kNone;
  pairs_.set_back(body, timetable_.flight);
}

// The one that stopped first.
const CollisionHeap* ParallelRegions::find_stuck() const {
  const CollisionHeap* stuck = nullptr;
  for (std::size_t i = 0; i < used_; ++i) {
    const CollisionHeap& region = regions_[i];
    if (region.result().ok() || !region.is_home(region.bodies().front())) continue;
    if (!stuck || region.reached() < stuck->reached()) stuck = &region;
  }
  return stuck;
}

void ParallelRegions::gather(std::vector<record::Collision>& out) {
  places_.clear();
  for (std::size_t i = 0; i < used_; ++i) {
    const auto bounces = regions_[i].bounces();
    for (std::size_t k = 0; k < bounces.size(); ++k) {
      const record::ContactEvent& event = bounces[k].collision.event;
      if (region_of(event.a, event.b) == regions_[i].number()) places_.push_back({event.t, i, k});
    }
  }
  if (used_ > 1) std::sort(places_.begin(), places_.end());
  for (const Place& place : places_) {
    const Bounce& bounce = regions_[place.region].bounces()[place.number];
    out.push_back(bounce.collision);
    memory_.vibration.add(bounce.vibration);
  }
  gather_sticks();
}

void ParallelRegions::gather_sticks() {
  kept_.clear();
  for (const StickRecord& each : memory_.sticks) {
    if (region_of(each.id_a, each.id_b) == Timetable::kNone) kept_.push_back(each);
  }
  for (std::size_t i = 0; i < used_; ++i) {
    for (const StickRecord& each : regions_[i].sticks()) {
      if (region_of(each.id_a, each.id_b) == regions_[i].number()) kept_.push_back(each);
    }
  }
  std::sort(kept_.begin(), kept_.end(),
            [](const StickRecord& f, const StickRecord& g) { return f.key() < g.key(); });
  std::swap(kept_, memory_.sticks);
}

}  // namespace carom::methods
