#include "carom/methods/elastic/cluster.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

constexpr double kFirstPart = 1e-3;     // of a contact, for the first step in it
constexpr double kLongestFirst = 1e-4;  // s
constexpr double kReachFactor = 2;      // times as far as bodies would get unpushed
constexpr double kLeastStep = 1e-14;    // of the time simulated
constexpr double kLongestStep = 1;      // s
constexpr double kShrink = 16;          // of flights, before the solver takes over

}  // namespace

Cluster::Cluster(const Scene& scene, NearPairs& near, BodyTracks& bodies, ClusterScratch& scratch,
                 ImplicitImpulses& impulses)
    : scene_(scene),
      tracks_(bodies),
      scratch_(scratch),
      dictionary_(near, bodies, scratch.now),
      system_(scene, dictionary_.touches(), bodies, scratch),
      solver_({.residual = [this](double t, const auto& y, const auto& rate,
                                  auto& out) { return system_.residual(t, y, rate, out); },
               .jacobian = [this](double t, double c, const auto& y, const auto& rate,
                                  auto& values) { system_.jacobian(t, c, y, rate, values); },
               .roots =
                   [this](double t, const auto& y, auto& out) {
                     system_.unpack(t, y);
                     const auto z = dictionary_.zero_crossings();
                     out[0] = z.contact;
                     out[1] = z.apart;
                   },
               .weights = [this](const auto& y,
                                 auto& out) { system_.weights(y, options_.tolerance, out); },
               .quadrature = [this](double t, const auto& y, const auto& rate,
                                    auto& out) { system_.quadrature(t, y, rate, out); },
               .root_count = 2}),
      impulses_(impulses) {}

void Cluster::begin(const Elastic& options, double hysteresis, Seed from) {
  options_ = options;
  dictionary_.set_hysteresis(hysteresis);
  dictionary_.begin(from.bodies, std::move(from.touches));
  system_.loads().prepare(options);  // to know how long contacts last
  double first_step = from.first_step.value_or(kFirstPart * system_.loads().shortest());
  if (!std::isfinite(first_step)) first_step = kLongestFirst;
  system_.begin(from.bodies, from.with_joints, options, first_step);
  if (from.implicit_step > 0)
    start_implicitly(from.implicit_step);
  else
    start_solver(first_step);
}

// At the scratch's state.
void Cluster::start_solver(double first_step) {
  first_step_ = first_step;
  steps_ = 0;
  rooted_ = implicit_ = false;
  system_.lay_out();
  to_.y.resize(system_.size());
  to_.rate.resize(system_.size());
  system_.pack({to_.y.data(), to_.y.size()});
  system_.find_rates(scratch_.now.t, to_.y, {to_.rate.data(), to_.rate.size()});
  solver_.set_pattern(system_.pattern());
  const VecX errors = system_.quadrature_errors(options_.tolerance);
  solver_.restart(scratch_.now.t, to_.y, to_.rate, first_step, errors);
  to_.sums.setZero(errors.size());
  read(scratch_.now.t, to_);
  from_ = to_;
  hold_bodies();
}

void Cluster::hold_bodies() {
  for (std::size_t i = 0; i < to_.bodies.size(); ++i)
    tracks_.hold(system_.bodies()[i], to_.bodies[i], to_.t, to_.look.accelerations[i]);
}

// What follows from y, y' and t.
void Cluster::read(double t, Instant& out) {
  out.t = t;
  system_.unpack(t, out.y);
  out.bodies.clear();
  for (const BodyId id : system_.bodies()) out.bodies.push_back(scratch_.now[id]);
  look(out);
}

void Cluster::look(Instant& at) {
  system_.load(system_.bristles(at.y), system_.multipliers(at.rate));
  at.look.forces.clear();
  system_.append_forces(at.look.forces);
  system_.read_program(at.look.program);
  system_.read_accelerations(at.rate, at.look.accelerations);
  system_.loads().read_approach(at.approach);
  at.deepest = system_.loads().deepest();
  at.bent = system_.loads().bent();
}

void Cluster::interpolate(double t, Instant& out) {
  out.t = t;
  out.y.resize(to_.y.size());
  out.rate.resize(to_.y.size());
  solver_.interpolate(t, 0, {out.y.data(), out.y.size()});
  solver_.interpolate(t, 1, {out.rate.data(), out.rate.size()});
}

void Cluster::place(const Instant& at) {
  scratch_.now.t = at.t;
  for (std::size_t i = 0; i < at.bodies.size(); ++i)
    scratch_.now[system_.bodies()[i]] = at.bodies[i];
  system_.drive(at.t);
}

double Cluster::choose_stop() {
  const double next = steps_ == 0 ? first_step_ : solver_.next_step();
  place(to_);
  const double soon = dictionary_.time_to_begin(kReachFactor * next);
  const double least = kLeastStep * std::max(std::abs(to_.t), scene_.duration);
  return to_.t + std::clamp(soon, least, kLongestStep);
}

bool Cluster::step() {
  if (implicit_) {
    if (flight_ > shortest_) {
      take_implicit_step(flight_ / kShrink);
      return true;
    }
    place(to_);
    suspend();
    start_solver(kFirstPart * std::min(system_.loads().shortest(), kLongestFirst));
  }
  solvers::DaeStatus status = solver_.step(choose_stop());
  if (status == solvers::DaeStatus::Failed) {
    place(to_);
    suspend();
    start_solver(kFirstPart * std::min(system_.loads().shortest(), kLongestFirst));
    status = solver_.step(choose_stop());
    if (status == solvers::DaeStatus::Failed) return false;
  }
  ++steps_;
  rooted_ = status == solvers::DaeStatus::Rooted;
  to_.y = solver_.y();
  to_.rate = solver_.rate();
  to_.sums = solver_.quadratures(solver_.time());
  read(solver_.time(), to_);
  if (!(to_.t > from_.t)) return true;
  join(from_, to_, motions_);
  for (std::size_t i = 0; i < motions_.size(); ++i)
    tracks_.step(system_.bodies()[i], {from_.t, to_.t}, motions_[i], to_.look.accelerations[i]);
  return true;
}

void Cluster::record(double t, ClusterSteps& segments, record::ElasticCounts& counts) {
  const double h = t - from_.t;
  if (!(h > 0)) return place(from_);
  if (implicit_) return record_flight(t, segments, counts);
  Instant& end = t < to_.t ? between_ : to_;
  if (t < to_.t) {
    interpolate(t, between_);
    between_.sums = solver_.quadratures(t);
    read(t, between_);
  }
  join(from_, end, motions_);
  look_between(h);
  sums_ = end.sums - from_.sums;
  system_.read_effects(sums_, {from_.t, from_.bodies, from_.look.forces},
                       {t, end.bodies, end.look.forces}, effects_);
  const double stored = system_.stored();
  segments.add({from_.t, t}, system_.bodies(), motions_, end.bodies,
               {.start = from_.look.forces,
                .middle = middle_.look.forces,
                .end = end.look.forces,
                .effects = effects_,
                .stored_start = stored,
                .stored_end = system_.store(sums_),
                .program = {from_.look.program, middle_.look.program, end.look.program}});
  for (const Instant* at : {&middle_, &end}) {
    counts.deepest = std::max(counts.deepest, at->deepest);
    counts.bent = std::max(counts.bent, at->bent);
  }
  from_ = end;
  place(from_);
}

// In the middle of what is recorded next, on the motions that join its ends.
void Cluster::look_between(double duration) {
  interpolate(from_.t + duration / 2, middle_);
  system_.unpack(middle_.t, middle_.y);
  for (std::size_t i = 0; i < motions_.size(); ++i)
    scratch_.now[system_.bodies()[i]] = dynamics::state_on(motions_[i], duration / 2);
  look(middle_);
}

void Cluster::join(const Instant& from, const Instant& to, std::vector<RigidMotion>& out) {
  out.clear();
  for (std::size_t i = 0; i < from.bodies.size(); ++i) {
    const BodyState &a = from.bodies[i], &b = to.bodies[i];
    out.push_back(math::make_hermite_motion({a.pose(), a.twist(), from.look.accelerations[i]},
                                            {b.pose(), b.twist(), to.look.accelerations[i]},
                                            to.t - from.t));
  }
}

bool Cluster::is_at_event() {
  if (rooted_) return true;
  const ContactDictionary::Crossings z = dictionary_.zero_crossings();
  return z.contact >= 0 || z.apart < dictionary_.hysteresis();
}

void Cluster::select(std::vector<Change>& changes, ClusterSteps& segments) {
  const double stored = system_.stored();
  dictionary_.select(changes);
  segments.take_off(stored - system_.stored());
}

void Cluster::proceed_unchanged() {
  system_.loads().prepare(options_);
  if (implicit_) {
    from_.approach.assign(dictionary_.touches().all.size(), 0);
    return;
  }
  system_.lay_out();
  solver_.set_pattern(system_.pattern());
  read(to_.t, to_);
  from_ = to_;
}

}  // namespace carom::methods
