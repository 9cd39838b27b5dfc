#include "carom/methods/analytic/force_integrator.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"
#include "carom/dynamics/equations_of_motion.h"

namespace carom::methods {

namespace {

using dynamics::BodyState;
using math::Index;

constexpr Index kPerBody = 13;  // x, v, q, angular momentum
constexpr int kMaxAttempts = 60;
constexpr double kMostTurn = 0.5;    // rad in a step
constexpr double kLongest = 1;       // step, in the time it takes to fall through a body's size
constexpr double kFirst = 1e-3;      // step, in the time it takes to cross a body's size
constexpr double kShortest = 1e-14;  // the same
constexpr double kUsable = 1e-8;     // residual of forces, beside the accelerations at hand
constexpr double kDeviation = 0.3;   // of the touching distance, between the ends of a step
constexpr double kJointDeviation = 1e-10;  // of a body's size
constexpr double kStarted = 1e-4;          // of the speed at hand: slip that has started
constexpr double kEnding = 1e-6;           // the same: slip that is not worth steps of its own
constexpr double kSameWay = 0.99;          // cosine
constexpr int kGrips = 4;
constexpr double kSlow = 10;  // slip that is none, in velocity tolerances

double timescale(const Scene& scene) { return scene.tolerances.length / scene.tolerances.speed; }

// The deviation of a polynomial of degree five.
double shrink(double deviation) {
  return std::isfinite(deviation) ? std::clamp(0.9 * std::pow(deviation, -1.0 / 6), 0.2, 0.9) : 0.2;
}

}  // namespace

IntegratorStatus ForceIntegrator::attempt(const IntegratorOptions& options, const State& state,
                                          const FeatureContacts& contacts, double longest,
                                          Flight& flight) {
  options_ = options;
  accelerations_.options = options.forces;
  longest = limit_step(longest, state);
  dynamics::fly(scene_, state, {}, longest, flight);
  set_contacts(contacts, state);
  accelerations_.list_applied();
  if (const IntegratorStatus status = begin(state); status != IntegratorStatus::Stepped)
    return status;
  if (accelerations_.blocks().empty()) return IntegratorStatus::Stepped;
  pack(state);
  pack_rates(state, start_, rates_.resize(y_.view().size()));
  longest = std::min(longest, longest_start());
  changes_ = 0;
  double h = std::min(longest, step_ > 0 ? step_ : first_step());
  for (int i = 0; i < kMaxAttempts && h > kShortest * timescale(scene_); ++i) {
    const double good = try_step(state, h, flight);
    if (good == h) return IntegratorStatus::Stepped;
    h = good;
  }
  return IntegratorStatus::NoStep;
}

double ForceIntegrator::first_step() const { return kFirst * timescale(scene_); }

double ForceIntegrator::limit_step(double longest, const State& state) const {
  double spin = 0;
  for (const BodyState& body : state.bodies) spin = std::max(spin, body.w.norm());
  if (spin > 0) longest = std::min(longest, kMostTurn / spin);
  const double fall = std::sqrt(scene_.tolerances.length / std::max(scene_.gravity.norm(), 1e-300));
  return std::min(longest, kLongest * fall);
}

// What slips no faster than what has just started is held to stick at first:
// update_friction_modes() knows better once there are forces.
void ForceIntegrator::set_contacts(const FeatureContacts& contacts, const State& state) {
  accelerations_.contacts.clear();
  for (std::size_t i = 0; i < contacts.set.size(); ++i) {
    Followed& each = accelerations_.contacts.emplace_back(contacts.set[i], contacts.features[i]);
    for (const Resisted what : kResisted) {
      if (coefficient_of(contacts.set[i], what) <= 0) continue;
      const Vec3 rate = rate_of(scene_, contacts.set[i], what, state);
      const bool slides = rate.norm() > kStarted * scene_.tolerances.speed;
      each[what] = {slides ? Grip::Slides : Grip::Sticks, rate};
    }
  }
}

// Friction against a slip that is slow is stiff: its direction turns the faster the slower it is. A
// slow contact that speeds up where it goes has its friction against its acceleration instead,
// which is the same direction and not stiff. True if a contact is to be treated otherwise than it
// was.
bool ForceIntegrator::update_friction_modes() {
  bool changed = false;
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    for (const Resisted what : kResisted) {
      Gripped& each = accelerations_.contacts[i][what];
      if (each.grip != Grip::Sticks) continue;
      const bool slow = each.rate.norm() <= slow_slip();
      if (start_.slips(i, what) && (slow || speeds_up(i, what))) {
        each.grip = Grip::Starts;
      } else if (!slow) {
        each.grip = Grip::Slides;
        changed = true;
      }
    }
  }
  return changed;
}

// Slip that friction can hold, and that it would stop within a moment.
bool ForceIntegrator::slip_ends() const {
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    for (const Resisted what : kResisted) {
      const Gripped& each = accelerations_.contacts[i][what];
      const double slip = each.rate.norm();
      const bool held = each.grip == Grip::Sticks && start_.pushes(i) && !start_.slips(i, what);
      if (held && slip > slow_slip() && slip <= kEnding * scene_.tolerances.speed) return true;
    }
  }
  return false;
}

bool ForceIntegrator::speeds_up(std::size_t contact, Resisted what) const {
  const Followed& of = accelerations_.contacts[contact];
  const Vec3& slip = of[what].rate;
  const auto [first, second] = math::make_tangents(of.contact.at.normal);
  const Vec3 a = start_.resisted(contact, what);
  const Vec3 along = a.x() * of.contact.at.normal + a.y() * first + a.z() * second;
  return along.dot(slip) > kSameWay * along.norm() * slip.norm();
}

double ForceIntegrator::slow_slip() const { return kSlow * scene_.tolerances.velocity; }

// What starts to slide goes where it accelerates to: not for long.
double ForceIntegrator::longest_start() const {
  double longest = HUGE_VAL;
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    for (const Resisted what : kResisted) {
      if (accelerations_.contacts[i][what].grip != Grip::Starts) continue;
      const double a = start_.resisted(i, what).norm();
      longest = std::min(longest, kStarted * scene_.tolerances.speed / a);
    }
  }
  return longest;
}

// A multistep formula's past is good for as long as the same contacts are gripped in the same way.
void ForceIntegrator::mark_contacts() {
  last_marks_.swap(marks_);
  marks_.clear();
  for (const Followed& each : accelerations_.contacts) {
    const contact::Contact& contact = each.contact;
    std::int64_t grips = 0;
    for (const Gripped& grip : each.grips) grips = kGrips * grips + static_cast<int>(grip.grip);
    marks_.push_back({static_cast<std::int64_t>(contact.a), static_cast<std::int64_t>(contact.b),
                      contact.feature, grips});
  }
  for (std::size_t i = 0; i < accelerations_.drives.count(); ++i)
    marks_.push_back({-1, -1, static_cast<std::int64_t>(i), accelerations_.drives.pull(i)});
  if (marks_ != last_marks_) stepper_.restart();
}

IntegratorStatus ForceIntegrator::begin(const State& state) {
  resting::ContactForceResult result = accelerations_.settle_drives(state, start_);
  if (is_usable(result, start_) && slip_ends()) return IntegratorStatus::Opens;
  if (update_friction_modes()) result = accelerations_.settle_drives(state, start_);
  if (result.jams) return IntegratorStatus::Jams;
  if (!is_usable(result, start_)) return IntegratorStatus::NoForces;
  count(result);
  for (std::size_t i = 0; i < accelerations_.contacts.size(); ++i) {
    const Followed& each = accelerations_.contacts[i];
    if (start_.pushes(i) && each.contact.approach_rate > scene_.tolerances.velocity) {
      return IntegratorStatus::Opens;
    }
  }
  mark_contacts();
  return IntegratorStatus::Stepped;
}

// What linear programs find is taken as it is, forces of least sum that do not fit included (§6.5).
bool ForceIntegrator::is_usable(const resting::ContactForceResult& result,
                                const Accelerations& at) const {
  if (options_.forces.solver == resting::ForceSolver::Heuristic) return !result.jams;
  const base::Tolerances& own = scene_.tolerances;
  const double turning = own.speed * own.speed / own.length;
  return !result.jams &&
         result.residual <= kUsable * std::max({at.scale, scene_.gravity.norm(), turning});
}

void ForceIntegrator::count(const resting::ContactForceResult& result) {
  const resting::ForceRungs& rungs = result.rungs;
  counts_.computed += rungs.computed;
  counts_.with_friction += rungs.with_friction;
  counts_.nothing_vanishes += rungs.nothing_vanishes;
  counts_.predicted += rungs.predicted;
  counts_.least_sum += rungs.least_sum;
  counts_.failed += rungs.failed;
  counts_.complementarity = std::max(counts_.complementarity, result.complementarity);
}

bool ForceIntegrator::find_forces(const State& state, Accelerations& out) {
  const resting::ContactForceResult result = accelerations_.find(state, out);
  if (!is_usable(result, out)) return false;
  count(result);
  return true;
}

void ForceIntegrator::pack(const State& state) {
  const auto blocks = accelerations_.blocks();
  auto y = y_.resize(kPerBody * static_cast<Index>(blocks.size()));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BodyState& body = state[blocks[i].id];
    auto at = y.segment<kPerBody>(kPerBody * static_cast<Index>(i));
    at.segment<3>(0) = body.x;
    at.segment<3>(3) = body.v;
    at.segment<4>(6) = body.q.coeffs();
    at.segment<3>(10) = dynamics::world_inertia(scene_.body(blocks[i].id), body.q) * body.w;
  }
}

// L' is the torque: I α + ω × I ω.
void ForceIntegrator::pack_rates(const State& state, const Accelerations& found,
                                 math::VecView rates) const {
  const auto blocks = accelerations_.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BodyState& body = state[blocks[i].id];
    const Mat3 inertia = dynamics::world_inertia(scene_.body(blocks[i].id), body.q);
    auto at = rates.segment<kPerBody>(kPerBody * static_cast<Index>(i));
    at.segment<3>(0) = body.v;
    at.segment<3>(3) = found.bodies[i].v;
    at.segment<4>(6) = dynamics::attitude_rate(body.q, body.w).coeffs();
    at.segment<3>(10) = inertia * found.bodies[i].w + body.w.cross(inertia * body.w);
  }
}

void ForceIntegrator::place(double s, math::ConstVecView y, const Flight& driven,
                            State& out) const {
  out.t = driven.t0 + s;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    if (scene_.bodies[i].motion == model::Motion::Driven) {
      out.bodies[i] = driven.body_at(id_of<BodyId>(i), s);
    }
  }
  const auto blocks = accelerations_.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    BodyState& body = out[blocks[i].id];
    const auto at = y.segment<kPerBody>(kPerBody * static_cast<Index>(i));
    body.x = at.segment<3>(0);
    body.v = at.segment<3>(3);
    body.q.coeffs() = at.segment<4>(6).normalized();
    body.w = dynamics::world_inverse_inertia(scene_.body(blocks[i].id), body.q) * at.segment<3>(10);
  }
}

// The greatest error of a variable, in tolerances. Sizes and speeds of the scene stand for those of
// variables that happen to be small.
double ForceIntegrator::error_of_step() const {
  const auto blocks = accelerations_.blocks();
  const double length = scene_.tolerances.length, speed = scene_.tolerances.speed;
  double greatest = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto e = stepper_.error().segment<kPerBody>(kPerBody * static_cast<Index>(i));
    const BodyState& body = end_state_[blocks[i].id];
    const double inertia = scene_.body(blocks[i].id).principal.moments.maxCoeff();
    const double errors[] = {
        e.segment<3>(0).norm() / length, e.segment<3>(3).norm() / (speed + body.v.norm()),
        e.segment<4>(6).norm(),
        e.segment<3>(10).norm() / (inertia * (speed / length + body.w.norm()))};
    for (const double error : errors) {
      if (!std::isfinite(error)) return HUGE_VAL;
      greatest = std::max(greatest, error);
    }
  }
  return greatest / options_.tolerance;
}

// h, if the step is good; a shorter one to try, if not.
double ForceIntegrator::try_step(const State& state, double h, Flight& flight) {
  stage_ = state;
  const dynamics::RightSide f = [&](double s, math::ConstVecView y, math::VecView rates) {
    place(s, y, flight, stage_);
    if (!find_forces(stage_, between_)) return false;
    pack_rates(stage_, between_, rates);
    return true;
  };
  if (!stepper_.attempt(options_.formula, f, std::as_const(y_).view(), std::as_const(rates_).view(),
                        h)) {
    return 0.25 * h;
  }
  end_state_ = state;
  place(h, stepper_.end(), flight, end_state_);
  const double error = error_of_step();
  if (!(error <= 1) && !is_short(h, error)) return h * stepper_.suggest(error);
  if (!find_forces(end_state_, end_)) return 0.25 * h;
  join_ends(state, h, flight);
  if (const double change = find_change(flight, h); change < h) return change;
  accelerations_.close_gaps(end_, end_state_);
  accelerations_.stop_opening(end_, end_state_);
  join_ends(state, h, flight);
  const double off = deviation(flight, h);
  if (!(off <= 1) && !is_short(h, off)) return h * shrink(off);
  if (const double parted = find_parting(flight, h); parted < h) return parted;
  const double room = 0.9 * std::pow(std::max(off, 1e-12), -1.0 / 6);
  step_ = h * std::max(0.9, std::min(stepper_.suggest(error), room));
  short_steps_ = h <= 10 * least_step() ? short_steps_ + 1 : 0;
  return h;
}

// Across a jump of the forces no step is short enough for its error to be estimated: one that is
// very short does for it.
bool ForceIntegrator::is_short(double h, double error) const {
  return h <= least_step() && std::isfinite(error);
}

void ForceIntegrator::join_ends(const State& state, double h, Flight& flight) const {
  flight.duration = h;
  const auto blocks = accelerations_.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BodyState& from = state[blocks[i].id];
    const BodyState& to = end_state_[blocks[i].id];
    flight.motions[index(blocks[i].id)] = math::make_hermite_motion(
        {from.pose(), from.twist(), start_.bodies[i]}, {to.pose(), to.twist(), end_.bodies[i]}, h);
  }
}

// How far contacts that push, and joints, are from where they should be between the ends of the
// step, in what is allowed.
double ForceIntegrator::deviation(const Flight& flight, double h) {
  double greatest = 0;
  for (const double part : {0.25, 0.5, 0.75}) {
    flight.state_at(part * h, stage_);
    accelerations_.look(stage_);
    for (const contact::ContactRow& row : accelerations_.problem().contacts) {
      const auto source = static_cast<std::size_t>(row.source);
      if (!start_.pushes(source) || !end_.pushes(source)) continue;
      const double gap = row.gap - (1 - part) * accelerations_.contacts[source].contact.at.gap;
      greatest = std::max(greatest, std::abs(gap) / (kDeviation * scene_.tolerances.gap));
    }
    for (const contact::EqualityRow& row : accelerations_.problem().equalities) {
      greatest =
          std::max(greatest, std::abs(row.error) / (kJointDeviation * scene_.tolerances.length));
    }
  }
  return greatest;
}

void ForceIntegrator::finish(const Flight& flight, double s, State& state) {
  flight.state_at(s, state);
  if (accelerations_.blocks().empty()) return;
  const bool whole = s == flight.duration;
  flight.state_at(s / 2, stage_);
  accelerations_.find(stage_, middle_);
  accelerations_.find(state, end_);
  if (!whole) return restart();
  pack(state);
  pack_rates(state, end_, end_rates_.resize(y_.view().size()));
  stepper_.accept(std::as_const(y_).view(), std::as_const(end_rates_).view());
}

record::Forces ForceIntegrator::forces() const {
  if (accelerations_.blocks().empty()) return {};
  return {.start = start_.carried,
          .middle = middle_.carried,
          .end = end_.carried,
          .program = {start_.program, middle_.program, end_.program}};
}

void ForceIntegrator::save(std::string& bytes) const {
  stepper_.save(bytes);
  base::append_bytes(bytes, step_);
  base::append_bytes(bytes, short_steps_);
  base::append_bytes(bytes, marks_);
  base::append_bytes(bytes, accelerations_.memory.forces());
  base::append_bytes(bytes, counts_);
}

void ForceIntegrator::restore(std::string_view& bytes) {
  stepper_.restore(bytes);
  base::take_bytes(bytes, step_);
  base::take_bytes(bytes, short_steps_);
  base::take_bytes(bytes, marks_);
  base::take_bytes(bytes, accelerations_.memory.forces());
  base::take_bytes(bytes, counts_);
}

}  // namespace carom::methods
