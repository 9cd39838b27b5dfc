#include "carom/methods/shared/resting_forces.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"
#include "carom/dynamics/equations_of_motion.h"
#include "carom/dynamics/joint_rows.h"

namespace carom::methods {

namespace {

// A residual above the rest speed lets something sink, which is then an impact; one above this many
// rest speeds is a failure. The summary tells what was left.
constexpr double kUseless = 1e3;

constexpr double kStill = 0.1;     // of the touching distance: gaps that are left as they are
constexpr double kClosing = 1e-3;  // of the time in which a body crosses its own size
constexpr int kMaxCuts = 4;        // flights planned again because an impact ends them early
constexpr int kMaxAgreements = 8;  // of forces that depend on velocities with those of contacts
constexpr double kAgreed = 1e-13;  // of the greatest: a change that is none
constexpr double kRevise = 0.1;    // of what counts as slow: rates that a flight may leave

}  // namespace

RestingForces::RestingForces(StepContext& context)
    : context_(context),
      mid_step_(context.scene),
      step_rates_(context.scene),
      drives_(context.scene),
      applied_(context.applied, context.scene),
      wrenches_(context.scene.bodies.size()) {}

void RestingForces::release(const State& state, double duration) {
  applied_.hold(state, duration);
  begin(state, duration);
}

// What is applied acts, and nothing else yet.
void RestingForces::begin(const State& state, double duration) {
  forces_.clear();
  if (applied_.empty())
    wrenches_.assign(state.bodies.size(), Wrench{});
  else
    wrenches_.assign(applied_.wrenches().begin(), applied_.wrenches().end());
  if (!applied_.empty() && !applied_.converged())
    context_.recorder.fallback(record::Rung::StiffDampers, duration);
}

// What contacts and joints do, of all that acts.
std::span<const Wrench> RestingForces::carried() {
  carried_ = wrenches_;
  for (std::size_t i = 0; i < carried_.size(); ++i) {
    carried_[i].force -= applied_.wrenches()[i].force;
    carried_[i].torque -= applied_.wrenches()[i].torque;
  }
  return carried_;
}

// Forces that depend on velocities, now that it is known what contacts do to these: whether they
// are others than before, and contacts' forces to be found again. An error shrinks by c h/2m, or
// less, each time.
bool RestingForces::apply_again(const State& state, double duration) {
  if (!applied_.depend_on_velocity()) return false;
  before_.assign(applied_.wrenches().begin(), applied_.wrenches().end());
  applied_.hold(state, duration, carried());
  double force = 0, torque = 0, changed_force = 0, changed_torque = 0;
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const Wrench& now = applied_.wrenches()[i];
    force = std::max({force, now.force.norm(), carried_[i].force.norm()});
    torque = std::max({torque, now.torque.norm(), carried_[i].leverage});
    changed_force = std::max(changed_force, (now.force - before_[i].force).norm());
    changed_torque = std::max(changed_torque, (now.torque - before_[i].torque).norm());
  }
  if (!(changed_force > kAgreed * force) && !(changed_torque > kAgreed * torque)) return false;
  begin(state, duration);
  return true;
}

HeldStep RestingForces::solve(const State& state, const FeatureContacts& contacts, double duration,
                              std::span<const record::CarriedForce> others) {
  release(state, duration);
  if (off_.size() != contacts.set.size()) off_.assign(contacts.set.size(), 0);
  duration_ = duration;
  levers_at_ = 0.5 * duration;
  mid_step_.place(state, contacts.set, contacts.features, duration);
  place_joints(true);
  problem_.contacts.clear();
  forces_.assign(others.begin(), others.end());
  if (contacts.set.empty() && joint_rows_.empty()) return {};
  resting::CarryResult found = carry(contacts, state, duration);
  for (int i = 0; i < kMaxAgreements && !found.jams && apply_again(state, duration); ++i)
    found = carry(contacts, state, duration);
  forces_.insert(forces_.begin(), others.begin(), others.end());
  HeldStep held{.result = {},
                .sliding_ends_at = found.stop_after,
                .fastest_late = found.fastest_late,
                .jams = found.jams};
  if (found.jams) return held;
  if (!drives_.empty()) held.sliding_ends_at = std::min(found.stop_after, drives_.reach(end_));
  note_residual(found.residual);
  const double rest_speed = context_.scene.tolerances.rest_speed;
  if (found.residual <= kUseless * rest_speed) return held;
  held.result.status = AdvanceStatus::CarryDidNotConverge;
  if (contacts.set.empty()) return held;
  held.result.a = contacts.set.front().a;
  held.result.b = contacts.set.front().b;
  return held;
}

resting::CarryResult RestingForces::carry(const FeatureContacts& contacts, const State& state,
                                          double duration) {
  const double rest_speed = context_.scene.tolerances.rest_speed;
  resting::CarryResult found;
  do {
    assemble(state, contacts.set, duration);
    const auto rates =
        step_rates_.predict(problem_, state, duration, std::max(step_, duration), wrenches_);
    memory_.recall(contacts.set, problem_, duration, impulses_);
    found = context_.carrier.carry(problem_, rates, rest_speed, {.late = late_}, impulses_);
    memory_.remember(contacts.set, problem_, duration, impulses_);
    if (found.jams) return found;
    spread(mid_step_.contacts(), state, duration);
  } while (revise_drives(state, duration));
  return found;
}

void RestingForces::solve_gaps(const State& state, const contact::ContactSet& contacts,
                               double duration, const GapOptions& options) {
  levers_at_ = 0.5 * duration;
  mid_step_.place(state, contacts, context_.pairs, duration);
  place_joints(false);
  off_.clear();
  for (const contact::Contact& contact : contacts) off_.push_back(contact.at.gap);
  release(state, duration);
  for (int i = 0; i == 0 || (i <= kMaxAgreements && apply_again(state, duration)); ++i)
    note_residual(carry_gaps(state, contacts, duration, options));
  forces_.insert(forces_.begin(), options.others.begin(), options.others.end());
  if (options.remember || duration > 0.5 * options.pace.step)
    memory_.remember(contacts, problem_, duration, impulses_);
}

double RestingForces::carry_gaps(const State& state, const contact::ContactSet& contacts,
                                 double duration, const GapOptions& options) {
  double residual = 0;
  do {
    assemble(state, contacts, duration);
    const auto rates =
        step_rates_.predict_closing(problem_, state, duration, options.pace, wrenches_);
    memory_.recall(contacts, problem_, duration, impulses_);
    residual =
        context_.carrier.carry(problem_, rates, HUGE_VAL, options.forces, impulses_).residual;
    spread(mid_step_.contacts(), state, duration);
  } while (revise_drives(state, duration));
  return residual;
}

// Rows of joints, and drives, in the middle of the step.
void RestingForces::place_joints(bool located) {
  dynamics::compute_joint_rows(context_.scene, mid_step_.state(), joint_rows_);
  joints_ = joint_rows_.size();
  joins_moving_ = std::ranges::any_of(joint_rows_, [&](const dynamics::JointRow& row) {
    return context_.scene.body(row.a).is_dynamic() && context_.scene.body(row.b).is_dynamic();
  });
  drives_.begin(mid_step_.state(), located);
}

// The problem of the step with drives as they are, and all that is applied in it.
void RestingForces::assemble(const State& state, const contact::ContactSet& contacts,
                             double duration) {
  joint_rows_.resize(joints_);
  drives_.append_rows(joint_rows_);
  begin(state, duration);
  drives_.apply(wrenches_);
  context_.assembler.assemble(mid_step_.contacts(), joint_rows_, mid_step_.state(), problem_);
  mid_step_.refer_to_start(state, contacts, off_, problem_);
}

// Whether drives were not as they have to be, under the forces just found.
bool RestingForces::revise_drives(const State& state, double duration) {
  if (drives_.empty()) return false;
  end_ = mid_step_.state();
  for (std::size_t i = 0; i < end_.bodies.size(); ++i) {
    const dynamics::Acceleration a = dynamics::compute_acceleration(
        context_.scene.bodies[i], state.bodies[i], wrenches_[i], context_.scene.gravity);
    end_.bodies[i].v += duration * a.linear;
    end_.bodies[i].w += duration * a.angular;
  }
  if (drives_.revise({{joint_rows_, problem_, impulses_}, duration, end_})) return true;
  note_residual(drives_.missed(end_));
  return false;
}

void RestingForces::select_pushing(const contact::ContactSet& contacts,
                                   contact::ContactSet& out) const {
  out.clear();
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    if (impulses_.contacts[i].x() > 0)
      out.push_back(contacts[static_cast<std::size_t>(problem_.contacts[i].source)]);
  }
}

// Of a body under the forces just found, m/s².
Vec3 RestingForces::acceleration_of(BodyId id) const {
  const Body& body = context_.scene.body(id);
  return context_.scene.gravity + wrenches_[index(id)].force / body.mass;
}

// Rows are placed by velocities alone, while the mean of a path over a flight h is h² a/6 from
// there. The point of a contact goes with its bodies, half with each of two that move; then the
// moments of its two forces cancel to round-off. Returns by how much the point moves.
Vec3 RestingForces::meet_paths(const contact::Contact& contact, const Vec3& force) {
  const double mean = 2.0 / 3 * levers_at_ * levers_at_;
  const auto moves = [&](BodyId id) { return context_.scene.body(id).is_dynamic(); };
  if (!moves(contact.a)) return mean * acceleration_of(contact.b);
  if (!moves(contact.b)) return mean * acceleration_of(contact.a);
  const Vec3 a = mean * acceleration_of(contact.a), b = mean * acceleration_of(contact.b);
  const Vec3 couple = 0.5 * (b - a).cross(force);
  wrenches_[index(contact.a)].torque += couple;
  wrenches_[index(contact.b)].torque += couple;
  return 0.5 * (a + b);
}

// Lets the impulses just found act as constant forces in the next flight.
void RestingForces::spread(const contact::ContactSet& contacts, const State& state,
                           double duration) {
  contact::apply_as_forces(problem_, impulses_, duration, wrenches_);
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    if (impulses_.contacts[i].isZero(0)) continue;
    const contact::Contact& contact =
        contacts[static_cast<std::size_t>(problem_.contacts[i].source)];
    const Vec3 force =
        contact::world_impulse(problem_.contacts[i], impulses_.contacts[i]) / duration;
    const Vec3 point = contact.at.point + meet_paths(contact, force);
    const Vec3 couple = contact::world_couple(problem_, impulses_, i) / duration;
    forces_.push_back({contact.a, contact.b, point, force, couple});
  }
  for (std::size_t i = 0; i < problem_.equalities.size(); ++i) {
    const auto source = static_cast<std::size_t>(problem_.equalities[i].source);
    push_along(joint_rows_[source], impulses_.equalities[i] / duration, state);
  }
  for (const JointDrives::Pull& pull : drives_.pulls()) push_along(pull.row, pull.force, state);
}

// Where a body is on the mean of its path.
Vec3 RestingForces::mean_place(BodyId id, const State& state) const {
  const BodyState& body = state[id];
  Vec3 place = body.x + levers_at_ * body.v;
  if (context_.scene.body(id).is_dynamic())
    place += 2.0 / 3 * levers_at_ * levers_at_ * acceleration_of(id);
  return place;
}

// A joint's row, of which the wrenches know. Anchors are together in the middle as velocities
// predict it, not on the mean of their paths: what the moments of its two forces leave is taken
// from both bodies, half from each.
void RestingForces::push_along(const dynamics::JointRow& row, double force, const State& state) {
  record::CarriedForce carried = make_joint_force(context_.scene, row, force, state);
  carried.point = mean_place(carried.a, state);
  if (context_.scene.body(carried.b).is_dynamic()) {
    const Vec3 apart = carried.point - mean_place(carried.b, state);
    const Vec3 moment = apart.cross(carried.force) + carried.torque + force * row.angular_b;
    for (const BodyId id : {carried.a, carried.b}) wrenches_[index(id)].torque -= 0.5 * moment;
    carried.torque -= 0.5 * moment;
  }
  forces_.push_back(carried);
}

void RestingForces::fly(const State& state, double duration, std::optional<dynamics::Scheme> scheme,
                        Flight& flight) const {
  if (scheme)
    dynamics::fly_by(*scheme, context_.scene, state, wrenches_, duration, flight);
  else
    dynamics::fly(context_.scene, state, wrenches_, duration, flight);
}

TimeOfContact RestingForces::fly_to_contact(const State& state, double duration, Flight& flight) {
  for (int cuts = 0;; ++cuts) {
    release(state, duration);
    fly(state, duration, flight);
    const TimeOfContact toc = find_toc(context_, flight);
    if (!are_applied() || !toc.result.ok() || !is_cut_short(toc.s, duration) || cuts == kMaxCuts)
      return toc;
    duration = toc.s;
  }
}

void RestingForces::aim_anew() { off_.clear(); }

// Under the same accelerations.
void RestingForces::shorten_aim(double part) {
  for (double& off : off_) off *= part * part;
}

double RestingForces::drift(const FeatureContacts& contacts, const Flight& flight) const {
  double farthest = 0;
  visit_held(contacts, [&](std::size_t row, std::size_t source) {
    const double start = std::abs(contacts.set[source].at.gap);
    const bool pushes = impulses_.contacts[row].x() > 0;
    for (const double s : {0.5 * flight.duration, flight.duration}) {
      const double gap = gap_at(contacts, source, flight, s);
      farthest = std::max(farthest, (pushes ? std::abs(gap) : -gap) - start);
    }
  });
  return farthest / context_.scene.tolerances.gap;
}

// One step of Newton's method towards gaps that are closed at the end of the flight (SHAKE).
bool RestingForces::correct_aim(const FeatureContacts& contacts, const Flight& flight) {
  const double still = kStill * context_.scene.tolerances.gap;
  const double left = part_left_open(flight.duration);
  bool any = false;
  visit_held(contacts, [&](std::size_t row, std::size_t source) {
    const double end = gap_at(contacts, source, flight, flight.duration);
    const double goal = left * contacts.set[source].at.gap;
    const bool pushes = impulses_.contacts[row].x() > 0;
    const double error = end - (pushes ? goal : std::min(goal, 0.0));
    if (!(error < -still) && !(pushes && error > still)) return;
    off_[source] += error;
    any = true;
  });
  return any;
}

// Of the gaps at the start. A flight that an event made short closes less, so that its impulses
// change velocities by less than the rest speed.
double RestingForces::part_left_open(double duration) const {
  const base::Tolerances& scale = context_.scene.tolerances;
  const double part = duration / (kClosing * scale.length / scale.speed);
  return part < 1 ? 1 - part : 0;
}

template <typename Visit>
void RestingForces::visit_held(const FeatureContacts& contacts, const Visit& visit) const {
  if (contacts.set.empty()) return;
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i)
    visit(i, static_cast<std::size_t>(problem_.contacts[i].source));
}

double RestingForces::gap_at(const FeatureContacts& contacts, std::size_t source,
                             const Flight& flight, double s) const {
  const contact::ContactFeatures& feature = contacts.features[source];
  const contact::Contact& contact = contacts.set[source];
  const auto& a = flight.motions[index(feature.swapped ? contact.b : contact.a)];
  const auto& b = flight.motions[index(feature.swapped ? contact.a : contact.b)];
  return geometry::compute_gap(feature.pair, geometry::kinematics_at(feature.pair, a, b, s)).value;
}

// Brings the contacts to the end of the flight, with what they pushed in it; whether any of those
// that pushed sinks or rises.
bool RestingForces::bring_to_end(const FeatureContacts& contacts, double s, const State& state) {
  const double slow = kRevise * base::slow_approach(context_.scene.tolerances, s);
  revised_.contacts.assign(contacts.set.begin(), contacts.set.end());
  pushed_.assign(contacts.set.size(), {});
  bool moves = false;
  visit_held(contacts, [&](std::size_t row, std::size_t source) {
    contact::Contact& contact = revised_.contacts[source];
    contact::follow_features(contacts.features[source], state, contact);
    if (!(impulses_.contacts[row].x() > 0)) return;
    const Vec3 p = contact::world_impulse(problem_.contacts[row], impulses_.contacts[row]);
    pushed_[source] = {(s / duration_) * p,
                       (s / duration_) * contact::world_couple(problem_, impulses_, row)};
    moves |= std::abs(contact.approach_rate) > slow;
  });
  return moves;
}

// In the rows of the end.
void RestingForces::take_back() {
  auto& [at, joint_rows, problem, taken_back, impulses, before, without] = revised_;
  taken_back.contacts.clear();
  taken_back.couples.clear();
  taken_back.equalities.assign(problem.equalities.size(), 0);
  const bool turns = contact::resists_turning(problem);
  for (const contact::ContactRow& row : problem.contacts) {
    const auto& [p, couple] = pushed_[static_cast<std::size_t>(row.source)];
    const auto along = [&row = row](const Vec3& x) {
      return Vec3(row.normal.dot(x), row.tangent1.dot(x), row.tangent2.dot(x));
    };
    taken_back.contacts.push_back(-along(p));
    if (turns) taken_back.couples.push_back(row.arm > 0 ? Vec3(-along(couple) / row.arm) : couple);
  }
}

// Impulses p' that would have been right with the rows of the end: the flight's own are taken back
// in velocity and found again, so that p' obeys 0 <= p' ⟂ u >= 0 and Coulomb's law as a whole. The
// difference acts at once (the second half of RATTLE).
bool RestingForces::revise(const FeatureContacts& contacts, double s, State& state) {
  if (contacts.set.empty() || !mid_step_.moves()) return false;
  if (!bring_to_end(contacts, s, state)) return false;
  auto& [at, joint_rows, problem, taken_back, impulses, before, without] = revised_;
  dynamics::compute_joint_rows(context_.scene, state, joint_rows);
  context_.assembler.assemble(at, joint_rows, state, problem);
  take_back();
  before = without = state;
  contact::apply_impulses(problem, taken_back, without);
  context_.assembler.assemble(at, joint_rows, without, problem);
  impulses.contacts.clear();
  for (const Vec3& p : taken_back.contacts) impulses.contacts.push_back(-p);
  note_residual(
      context_.carrier.carry(problem, step_rates_.present(problem), HUGE_VAL, {}, impulses)
          .residual);
  for (std::size_t i = 0; i < impulses.contacts.size(); ++i)
    impulses.contacts[i] += taken_back.contacts[i];
  for (std::size_t i = 0; i < impulses.couples.size(); ++i)
    impulses.couples[i] += taken_back.couples[i];
  contact::apply_impulses(problem, impulses, state);
  return true;
}

// A state that is not finite is not recorded, and ends the run.
void RestingForces::follow(double s, Flight& flight, State& state) {
  flight.state_at(s, state);
  if (dynamics::is_finite(state))
    context_.recorder.flown(
        flight, s, {.start = forces_, .levers_at = levers_at_, .program = {applied_.program()}});
}

void RestingForces::save(std::string& bytes) const {
  base::append_bytes(bytes, memory_.forces());
  base::append_bytes(bytes, residual_);
}

void RestingForces::restore(std::string_view& bytes) {
  base::take_bytes(bytes, memory_.forces());
  base::take_bytes(bytes, residual_);
}

}  // namespace carom::methods
