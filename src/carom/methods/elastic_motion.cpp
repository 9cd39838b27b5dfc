#include "carom/methods/elastic_motion.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"

namespace carom::methods {

namespace {

constexpr double kHysteresis = 1e-10;  // of the smallest body
constexpr double kHysteresisOfSink = 0.05;
constexpr double kFirstPart = 1e-3;        // of a contact, for the first step in it
constexpr std::int64_t kMostSteps = 5000;  // between two beginnings
constexpr double kStepsWatched = 20;       // for which pairs are looked up ahead
constexpr double kTwice = 2;               // as far as bodies would get unpushed
constexpr double kLeastReach = 0.05;       // of the smallest body
constexpr double kMostUsed = 0.5;          // of a reach, before pairs are looked up again
constexpr double kLongestFirst = 1e-4;     // s
constexpr double kLeastStep = 1e-14;       // of the time simulated

}  // namespace

ElasticMotion::ElasticMotion(const Scene& scene, contact::Pairs& pairs)
    : scene_(scene),
      system_(scene, pairs),
      solver_({.residual = [this](double t, const auto& y, const auto& rate,
                                  auto& out) { return system_.residual(t, y, rate, out); },
               .jacobian = [this](double t, double c, const auto& y, const auto& rate,
                                  auto& values) { system_.jacobian(t, c, y, rate, values); },
               .roots =
                   [this](double t, const auto& y, auto& out) {
                     system_.unpack(t, y, between_);
                     const auto z = system_.dictionary().cross(between_);
                     out[0] = z.contact;
                     out[1] = z.apart;
                   },
               .weights = [this](const auto& y,
                                 auto& out) { system_.weights(y, options_.tolerance, out); },
               .quadrature = [this](double t, const auto& y, const auto& rate,
                                    auto& out) { system_.quadrature(t, y, rate, out); },
               .root_count = 2}) {}

// Each body's reach: as far as it gets in some steps to come, twice, and a part of the smallest.
void ElasticMotion::watch(const State& state, double step) {
  const double ahead = kStepsWatched * step, fall = 0.5 * scene_.gravity.norm() * ahead * ahead;
  reaches_.assign(state.bodies.size(), 0.0);
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    if (scene_.bodies[i].motion == model::Motion::Fixed) continue;
    const BodyState& body = state.bodies[i];
    const double swing = system_.dictionary().swing(id_of<BodyId>(i));
    const double way = ahead * (body.v.norm() + swing * body.w.norm()) + fall;
    reaches_[i] = kLeastReach * scene_.tolerances.length + kTwice * way;
  }
  system_.dictionary().watch(state, reaches_);
}

// Small beside the bodies, and beside how far their weight presses the stiffest of them in: what
// rests must not be taken for apart.
double ElasticMotion::usual_hysteresis() const {
  double stiffness = 0, sink = HUGE_VAL;
  for (const model::Material& material : scene_.materials)
    stiffness = std::max(stiffness, material.youngs_modulus);
  for (const Body& body : scene_.bodies) {
    if (body.is_dynamic())
      sink = std::min(
          sink, body.mass * scene_.gravity.norm() / (options_.reduction * stiffness * body.radius));
  }
  const double small = kHysteresis * scene_.tolerances.length;
  if (sink == 0) return small;
  return std::max(scene_.tolerances.gap, std::min(small, kHysteresisOfSink * sink));
}

void ElasticMotion::begin(const State& state) {
  begun_ = true;
  system_.dictionary().set_hysteresis(options_.hysteresis > 0 ? options_.hysteresis
                                                              : usual_hysteresis());
  system_.dictionary().restore(beginning_.touches);
  watch(state, 0);
  if (!resumed_) system_.dictionary().select(state, changes_);
  system_.loads().prepare(options_);
  begin_anew(state, resumed_ ? beginning_.first_step : kFirstPart * system_.loads().shortest());
}

// As they are; those of pairs that begin, as far as the first step will bend them.
void ElasticMotion::keep_bristles(const State& state, double first_step) {
  const std::vector<elastic::Touch>& touches = system_.dictionary().touches();
  beginning_.bristles.resize(3 * touches.size());
  for (std::size_t i = 0; i < touches.size(); ++i) {
    Vec3 bristle;
    if (touches[i].slot < 0) {
      bristle = system_.loads().first_bend(i, state, first_step);
    } else if (options_.stick && y_.size() > 0) {
      bristle = system_.bristles(y_).segment<3>(3 * math::Index{touches[i].slot});
    } else {
      continue;
    }
    std::copy_n(bristle.data(), 3,
                beginning_.bristles.begin() + 3 * static_cast<std::ptrdiff_t>(i));
  }
}

void ElasticMotion::begin_anew(const State& state, double first_step) {
  beginning_.first_step = std::isfinite(first_step) ? first_step : kLongestFirst;
  keep_bristles(state, beginning_.first_step);
  if (y_.size() > 0) system_.keep_rates(rate_, beginning_.rates);
  system_.begin(state);
  system_.place_slots(options_);
  system_.lay_out();
  y_.resize(system_.size());
  rate_.resize(system_.size());
  system_.pack(state, beginning_.bristles, {y_.data(), y_.size()});
  math::VecView rate(rate_.data(), rate_.size());
  system_.find_rates(state.t, y_, rate);
  if (!beginning_.rates.empty()) system_.put_rates(beginning_.rates, rate);
  solver_.set_pattern(system_.pattern());
  beginning_.state = state;
  beginning_.touches = system_.dictionary().touches();
  beginning_.steps = 0;
  watch(state, beginning_.first_step);
  const VecX errors = system_.quadrature_errors(options_.tolerance);
  solver_.restart(state.t, y_, rate_, beginning_.first_step, errors);
  sums_.setZero(errors.size());
  ++counts_.beginnings;
}

void ElasticMotion::look(const State& state, math::VecIn y, math::VecIn rate, Look& out) {
  system_.load(state, system_.bristles(y), system_.multipliers(rate));
  out.forces.clear();
  system_.append_forces(state, out.forces);
  system_.read_accelerations(state, rate, out.accelerations);
  counts_.deepest = std::max(counts_.deepest, system_.loads().deepest());
  counts_.bent = std::max(counts_.bent, system_.loads().bent());
}

double ElasticMotion::choose_stop(const State& state, double t_end) {
  const double next = beginning_.steps == 0 ? beginning_.first_step : solver_.next_step();
  const double soon =
      system_.dictionary().time_to_begin(state, start_.accelerations, kTwice * next);
  const double least = kLeastStep * std::max(std::abs(state.t), scene_.duration);
  return std::min(t_end, state.t + std::max(soon, least));
}

// What happens where a step ends. At t_end the solver begins anew too: a run that goes on from
// there has no step that was cut to repeat.
void ElasticMotion::tend_to_events(solvers::DaeStatus status, const State& state, double t_end) {
  elastic::ContactDictionary& dictionary = system_.dictionary();
  changes_.clear();
  const auto z = dictionary.cross(state);
  if (status == solvers::DaeStatus::Rooted || z.apart < dictionary.hysteresis())
    dictionary.select(state, changes_);
  if (!changes_.empty()) system_.loads().prepare(options_);
  const bool begins = std::any_of(changes_.begin(), changes_.end(),
                                  [](const elastic::Change& each) { return each.begins; });
  const bool all_fly = dictionary.touches().empty() && scene_.joints.empty() && !system_.idle();
  if (begins || all_fly) return begin_anew(state, kFirstPart * system_.loads().shortest());
  if (beginning_.steps >= kMostSteps || state.t >= t_end)
    return begin_anew(state, kFirstPart * solver_.last_step());
  if (changes_.empty()) return;
  system_.lay_out();
  solver_.set_pattern(system_.pattern());
}

ElasticStatus ElasticMotion::take_step(State& state, double t_end, Flight& flight) {
  if (system_.dictionary().used(state) > kMostUsed) watch(state, solver_.last_step());
  look(state, y_, rate_, start_);
  solvers::DaeStatus status = solver_.step(choose_stop(state, t_end));
  if (status == solvers::DaeStatus::Failed) {
    begin_anew(state, kFirstPart * std::min(system_.loads().shortest(), kLongestFirst));
    status = solver_.step(choose_stop(state, t_end));
    if (status == solvers::DaeStatus::Failed) return ElasticStatus::Failed;
  }
  ++beginning_.steps;
  ++counts_.steps;
  y_ = solver_.y();
  rate_ = solver_.rate();
  system_.unpack(solver_.time(), y_, end_state_);
  look(end_state_, y_, rate_, end_);
  system_.loads().remember();
  sums_before_ = sums_;
  sums_ = solver_.quadratures();
  sums_before_ = sums_ - sums_before_;
  stored_before_ = system_.stored();
  stored_ = system_.store(sums_before_);
  system_.read_effects(sums_before_, {state, end_state_, start_.forces, end_.forces}, effects_);
  join_ends(state, end_state_, flight);
  if (flight.duration > 0) {
    const double half = 0.5 * flight.duration;
    middle_y_.resize(y_.size());
    middle_rate_.resize(y_.size());
    solver_.interpolate(state.t + half, 0, {middle_y_.data(), y_.size()});
    solver_.interpolate(state.t + half, 1, {middle_rate_.data(), y_.size()});
    flight.state_at(half, between_);
    look(between_, middle_y_, middle_rate_, middle_);
  }
  state = end_state_;
  tend_to_events(status, state, t_end);
  return ElasticStatus::Stepped;
}

// Begins at a state, or where the run that is resumed last did, and takes its steps since.
bool ElasticMotion::catch_up(const State& state, double t_end, Flight& flight) {
  const record::ElasticCounts counts = counts_;
  const std::int64_t steps = beginning_.steps;
  State from = resumed_ ? beginning_.state : state;
  begin(from);
  if (!resumed_) return true;
  for (std::int64_t i = 0; i < steps; ++i)
    if (take_step(from, t_end, flight) != ElasticStatus::Stepped) return false;
  counts_ = counts;
  return true;
}

ElasticStatus ElasticMotion::step(const elastic::ElasticOptions& options, State& state,
                                  double t_end, Flight& flight) {
  options_ = options;
  if (!begun_ && !catch_up(state, t_end, flight)) return ElasticStatus::Failed;
  return take_step(state, t_end, flight);
}

void ElasticMotion::join_ends(const State& from, const State& to, Flight& flight) const {
  flight.t0 = from.t;
  flight.duration = to.t - from.t;
  flight.motions.resize(from.bodies.size());
  for (std::size_t i = 0; i < from.bodies.size(); ++i) {
    const BodyState &a = from.bodies[i], &b = to.bodies[i];
    if (!system_.moves(id_of<BodyId>(i)) || flight.duration <= 0) {
      flight.motions[i] = dynamics::fly_freely(scene_, scene_.bodies[i], a);
    } else {
      flight.motions[i] =
          math::make_hermite_motion({a.pose(), a.twist(), start_.accelerations[i]},
                                    {b.pose(), b.twist(), end_.accelerations[i]}, flight.duration);
    }
  }
}

record::Forces ElasticMotion::forces() const {
  return {start_.forces, middle_.forces, end_.forces, effects_, stored_before_, stored_};
}

void ElasticMotion::save(std::string& bytes) const {
  base::append_bytes(bytes, begun_);
  base::append_bytes(bytes, counts_);
  if (!begun_) return;
  base::append_bytes(bytes, beginning_.steps);
  base::append_bytes(bytes, beginning_.first_step);
  base::append_bytes(bytes, beginning_.state.t);
  for (const BodyState& body : beginning_.state.bodies) {
    for (const double* part : {body.x.data(), body.v.data(), body.w.data()})
      for (int k = 0; k < 3; ++k) base::append_bytes(bytes, part[k]);
    for (int k = 0; k < 4; ++k) base::append_bytes(bytes, body.q.coeffs()[k]);
  }
  base::append_bytes(bytes, beginning_.touches);
  base::append_bytes(bytes, beginning_.bristles);
  base::append_bytes(bytes, beginning_.rates);
}

void ElasticMotion::restore(std::string_view& bytes) {
  bool has_begun = false;
  base::take_bytes(bytes, has_begun);
  base::take_bytes(bytes, counts_);
  if (!has_begun) return;
  base::take_bytes(bytes, beginning_.steps);
  base::take_bytes(bytes, beginning_.first_step);
  base::take_bytes(bytes, beginning_.state.t);
  beginning_.state.bodies.resize(scene_.bodies.size());
  for (BodyState& body : beginning_.state.bodies) {
    for (double* part : {body.x.data(), body.v.data(), body.w.data()})
      for (int k = 0; k < 3; ++k) base::take_bytes(bytes, part[k]);
    for (int k = 0; k < 4; ++k) base::take_bytes(bytes, body.q.coeffs()[k]);
  }
  base::take_bytes(bytes, beginning_.touches);
  base::take_bytes(bytes, beginning_.bristles);
  base::take_bytes(bytes, beginning_.rates);
  resumed_ = true;
}

}  // namespace carom::methods
