#include "carom/methods/elastic/elastic.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/state_bytes.h"

namespace carom::methods {

namespace {

constexpr double kHysteresis = 1e-10;  // of the smallest body
constexpr double kDeep = 1e-4;  // of the smallest body: an indentation worth a second thought
constexpr double kHysteresisOfSink = 0.05;
constexpr double kPortalNoise = 4;         // times what portals are exact to, for the hysteresis
constexpr double kFirstPart = 1e-3;        // of the last step, for the first where nothing begins
constexpr std::int64_t kMostSteps = 5000;  // of each cluster, between two beginnings
constexpr std::size_t kMostFrames = 10000;
constexpr std::int64_t kMostLooks = 1000;  // for each contact that begins or may

std::vector<double> lever_bounds_of(const Scene& scene, const contact::Pairs& pairs) {
  std::vector<double> lever_bounds;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    lever_bounds.push_back(pairs.lever_bound(id_of<BodyId>(i)));
  return lever_bounds;
}

}  // namespace

ElasticStepper::ElasticStepper(StepContext& context, const Elastic& options)
    : context_(context),
      scene_(context.scene),
      options_(options),
      tracks_(context.scene, lever_bounds_of(context.scene, context.pairs)),
      near_(context.scene, context.pairs, options.gauge),
      scratch_(context.scene, context.applied),
      impulses_(context.scene, near_, tracks_, scratch_),
      budget_(context.scene),
      cluster_of_(context.scene.bodies.size(), kNone),
      first_steps_(context.scene.bodies.size()) {
  refuse_smoothed_overlap(options.gauge, scene_, context.pairs);
  for (const model::Joint& joint : scene_.joints)
    for (const BodyId id : {joint.a, joint.b})
      if (is_dynamic(id)) jointed_.push_back(id);
}

// A frame up to t_end, recorded; no output may fall into it but at its end. Where an indentation
// has become twice as deep as any before, bodies may be squeezed; an indentation doubles only so
// often.
AdvanceResult ElasticStepper::advance(State& state, double t_end) {
  for (;;) {
    before_ = state;
    AdvanceResult result = advance_frame(state, t_end);
    if (dynamics::is_finite(state))
      context_.recorder.flown({before_, {}, state, segments_.view(), events_});
    if (result.status != AdvanceStatus::Indented) return result;
    if (AdvanceResult squeezed = squeeze_.find(context_, state); !squeezed.ok()) return squeezed;
  }
}

AdvanceResult ElasticStepper::advance_frame(State& state, double t_end) {
  if (!std::exchange(begun_, true)) {
    choose_hysteresis();
    begin(state);
  }
  segments_.clear();
  events_.clear();
  const AdvanceResult result = run(state, t_end);
  if (result.ok() && began_long_ago()) restart_all(state);
  return result;
}

// The event loop (Neumayr & Otter, sections 2 and 4). What comes first is done: a pair that is
// apart is looked at when it might touch; the cluster that is behind takes a step of the DAE
// solver, up to a root of z₁ or z₂ of eq. 12 (contact_dictionary.h), and where contacts begin or
// end it restarts with what is then in contact; pairs are collected anew when bodies have moved far
// enough.
AdvanceResult ElasticStepper::run(State& state, double t_end) {
  const std::int64_t steps_before = counts_.steps;
  for (std::int64_t looks = 0;;) {
    const double step = clocks_.earliest(), meeting = meetings_.earliest();
    const double next = std::min({step, meeting, watched_until_});
    if (!(next < t_end)) break;
    context_.workers.watched().poll(next);
    AdvanceResult result;
    if (next == watched_until_) {
      watch(next);
    } else if (next == meeting) {
      const std::size_t near = meetings_.next().item;
      const std::int64_t reasons = std::ssize(events_) + counts_.steps - steps_before + 1;
      if (++looks > kMostLooks * (reasons + static_cast<std::int64_t>(near_.size())))
        result = {AdvanceStatus::SearchDidNotEnd, near_[near].a, near_[near].b};
      else
        look_at(near, next);
    } else if (!proceed(clocks_.top().item)) {
      result = {AdvanceStatus::NoStepShortEnough};
    } else if (counts_.deepest > noted_depth_) {
      noted_depth_ = 2 * counts_.deepest;
      result = {AdvanceStatus::Indented};
    }
    if (result.ok()) continue;
    end_frame(state, next);
    return result;
  }
  end_frame(state, t_end);
  return {};
}

void ElasticStepper::choose_hysteresis() {
  hysteresis_ = options_.hysteresis > 0 ? options_.hysteresis : usual_hysteresis();
}

void ElasticStepper::end_frame(State& state, double t) {
  state.t = t;
  state.bodies.resize(scene_.bodies.size());
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    if (cluster_of_[i] == kNone) state.bodies[i] = tracks_.at(id_of<BodyId>(i), t);
  for (const std::unique_ptr<Cluster>& each : clusters_) {
    if (each->bodies().empty()) continue;
    each->record(t, segments_, counts_);
    for (std::size_t i = 0; i < each->bodies().size(); ++i)
      state[each->bodies()[i]] = each->states()[i];
  }
  restart_.frames.push_back(t);
}

// Small beside the bodies, and beside how far their weight presses the stiffest of them in: what
// rests must not be taken for apart. By portals it must not be below what they are exact to.
double ElasticStepper::usual_hysteresis() const {
  double stiffness = 0, sink = HUGE_VAL;
  for (const model::Material& material : scene_.materials)
    stiffness = std::max(stiffness, material.youngs_modulus);
  for (const Body& body : scene_.bodies) {
    if (body.is_dynamic())
      sink = std::min(
          sink, body.mass * scene_.gravity.norm() / (options_.reduction * stiffness * body.radius));
  }
  const double small = kHysteresis * scene_.tolerances.length;
  const double least = std::max(scene_.tolerances.resolution, portal_noise());
  if (sink == 0) return std::max(small, least);
  return std::max(least, std::min(small, kHysteresisOfSink * sink));
}

double ElasticStepper::portal_noise() const {
  double largest = 0;
  for (const Body& body : scene_.bodies)
    if (std::isfinite(body.radius)) largest = std::max(largest, body.radius);
  return options_.gauge.portals ? kPortalNoise * kPortalTolerance * largest : 0;
}

// All bodies fly, as far as is known yet.
void ElasticStepper::reset(const State& state) {
  scratch_.now = state;
  scratch_.rates.assign(state.bodies.size(), std::nullopt);
  scratch_.multipliers.clear();
  first_steps_.assign(state.bodies.size(), std::nullopt);
  cluster_of_.assign(state.bodies.size(), kNone);
  idle_.clear();
  clocks_.clear();
  for (std::size_t i = clusters_.size(); i-- > 0;) idle_.push_back(i);
  for (std::size_t i = 0; i < clusters_.size(); ++i) clocks_.add(HUGE_VAL);
  tracks_.begin(state);
  watch(state.t);
  applied_ = context_.applied.bodies();
  concerned_ = jointed_;
  concerned_.insert(concerned_.end(), applied_.begin(), applied_.end());
}

void ElasticStepper::begin(const State& state) {
  noted_depth_ = kDeep * scene_.tolerances.length;
  restart_ = {};
  restart_.state = state;
  budget_.begin(state.t);
  restart_.credits = budget_.credits();
  reset(state);
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const contact::Contact at = near_.find_nearest(k, state);
    if (at.at.gap >= -hysteresis_) continue;
    restart_.touches.push_back(begin_touch(near_.query(k), at));
  }
  std::sort(restart_.touches.begin(), restart_.touches.end());
  regroup(restart_.touches);
}

bool ElasticStepper::began_long_ago() const {
  const auto clusters = static_cast<std::int64_t>(clusters_.size() - idle_.size());
  return restart_.steps >= kMostSteps * std::max<std::int64_t>(1, clusters) ||
         restart_.frames.size() >= kMostFrames;
}

void ElasticStepper::restart_all(const State& state) {
  collect_restart(state);
  begin_from_restart();
}

// All clusters have been recorded up to this state.
void ElasticStepper::collect_restart(const State& state) {
  restart_ = {};
  restart_.state = state;
  restart_.credits = budget_.credits();
  for (const std::unique_ptr<Cluster>& each : clusters_) {
    if (each->bodies().empty()) continue;
    each->remember();
    each->suspend();
    restart_.touches.insert(restart_.touches.end(), each->touches().begin(), each->touches().end());
    for (const BodyId id : each->bodies()) {
      if (!scratch_.rates[index(id)]) continue;
      restart_.pushed.push_back({.id = id,
                                 .rates = *scratch_.rates[index(id)],
                                 .first_step = kFirstPart * each->last_step()});
    }
    each->dissolve();
  }
  std::sort(restart_.touches.begin(), restart_.touches.end());
  restart_.multipliers = scratch_.multipliers;
}

void ElasticStepper::begin_from_restart() {
  reset(restart_.state);
  for (const Pushed& body : restart_.pushed) {
    scratch_.rates[index(body.id)] = body.rates;
    first_steps_[index(body.id)] = body.first_step;
  }
  scratch_.multipliers = restart_.multipliers;
  budget_.restore(restart_.credits);
  regroup(restart_.touches);
}

// Accelerations jump, and frames that began under other forces cannot be taken again under these.
void ElasticStepper::forces_changed(const State& state) {
  if (!begun_) return;
  collect_restart(state);
  restart_.pushed.clear();
  restart_.multipliers.clear();
  begin_from_restart();
}

// Replays the frames since the restart point; the same steps have the same results, so that none is
// checked again.
void ElasticStepper::catch_up() {
  const record::ElasticCounts counts = counts_;
  const std::vector<double> frames = std::exchange(restart_.frames, {});
  begin_from_restart();
  State state;
  replays_ = true;
  for (const double t : frames) run(state, t);
  replays_ = false;
  counts_ = counts;
}

void ElasticStepper::save(std::string& bytes) const {
  base::append_bytes(bytes, begun_);
  base::append_bytes(bytes, counts_);
  if (!begun_) return;
  base::append_bytes(bytes, noted_depth_);
  base::append_bytes(bytes, restart_.state.t);
  for (const BodyState& body : restart_.state.bodies) dynamics::append_bytes(bytes, body);
  base::append_bytes(bytes, restart_.touches);
  base::append_bytes(bytes, restart_.pushed);
  base::append_bytes(bytes, restart_.multipliers);
  base::append_bytes(bytes, restart_.credits);
  base::append_bytes(bytes, restart_.frames);
}

void ElasticStepper::restore(std::string_view& bytes) {
  base::take_bytes(bytes, begun_);
  base::take_bytes(bytes, counts_);
  if (!begun_) return;
  base::take_bytes(bytes, noted_depth_);
  base::take_bytes(bytes, restart_.state.t);
  restart_.state.bodies.resize(scene_.bodies.size());
  for (BodyState& body : restart_.state.bodies) dynamics::take_bytes(bytes, body);
  base::take_bytes(bytes, restart_.touches);
  base::take_bytes(bytes, restart_.pushed);
  base::take_bytes(bytes, restart_.multipliers);
  base::take_bytes(bytes, restart_.credits);
  base::take_bytes(bytes, restart_.frames);
  choose_hysteresis();
  catch_up();
}

}  // namespace carom::methods
