#include "carom/methods/workbench.h"

#include <algorithm>

#include "carom/base/bytes.h"
#include "carom/dynamics/equations_of_motion.h"

namespace carom::methods {

namespace {

using contact::Contact;
using contact::ContactRow;
using record::ContactEvent;
using record::EventKind;

// Forces that leave more than the rest speed let something sink, which is then an impact; those
// that leave this many times as much are none. The summary tells what was left.
constexpr double kUseless = 1e3;

}  // namespace

Workbench::Workbench(const Scene& scene, base::Workers& workers, record::Recorder& recorder)
    : scene_(scene),
      workers_(workers),
      recorder_(recorder),
      pairs_(scene, workers),
      sleepers_(scene),
      assembler_(scene),
      mid_step_(scene),
      step_rates_(scene),
      carrier_(workers),
      joint_fit_(scene, workers),
      smooth_(scene, workers, pairs_) {
  pairs_.skip_still(sleepers_.still());
  impact_work_.watch(workers.watched());
}

void Workbench::find_contacts(const State& state) {
  workers_.watched().poll(state.t);
  pairs_.find_contacts(state, contacts_, &features_);
  while (const Contact* by = sleepers_.wake_one(contacts_)) {
    recorder_.event({state.t, EventKind::Wake, by->a, by->b, by->at.point, by->at.normal,
                     -by->approach_rate, by->approach_rate, Vec3::Zero()});
    pairs_.find_contacts(state, contacts_, &features_);
  }
}

const Contact* Workbench::find_impacting() const {
  const auto found = std::find_if(contacts_.begin(), contacts_.end(), [&](const Contact& contact) {
    return contact.approach_rate < -scene_.tolerances.velocity;
  });
  return found == contacts_.end() ? nullptr : &*found;
}

const Contact* Workbench::find_active() const {
  const auto found = std::find_if(contacts_.begin(), contacts_.end(), [&](const Contact& contact) {
    return contact.approach_rate <= scene_.tolerances.velocity;
  });
  return found == contacts_.end() ? nullptr : &*found;
}

AdvanceResult Workbench::resolve_impact(const Law& law, State& state) {
  dynamics::compute_joint_rows(scene_, state, joint_rows_);
  assembler_.assemble(contacts_, joint_rows_, state, problem_);
  settle_slow_islands();
  const impact::ImpactResult result =
      bring_to_rest() ? impact::ImpactResult{.iterations = 1}
                      : methods::resolve(law, problem_, impact_work_, impulses_);
  before_ = state;
  contact::apply_impulses(problem_, impulses_, state);
  record_impact(before_, state, result);
  smooth_.restart();
  if (AdvanceResult squeezed = check_squeezed(state); !squeezed.ok()) return squeezed;
  if (result.status == impact::ImpactStatus::Resolved) return {};
  const Contact& contact = contacts_.front();
  return {AdvanceStatus::ImpactDidNotEnd, contact.a, contact.b};
}

AdvanceResult Workbench::resolve_jam(State& state) {
  dynamics::compute_joint_rows(scene_, state, joint_rows_);
  contacts_ = resting_contacts_;
  assembler_.assemble(contacts_, joint_rows_, state, problem_);
  for (ContactRow& row : problem_.contacts) {  // what weight is about to do
    row.rate.x() = std::min(row.rate.x(), -2 * scene_.tolerances.velocity);
    row.restitution = 0;
  }
  settled_.assign(problem_.islands.size(), false);
  const impact::ImpactResult result =
      methods::resolve(impact::Frictional{}, problem_, impact_work_, impulses_);
  before_ = state;
  contact::apply_impulses(problem_, impulses_, state);
  record_impact(before_, state, result);
  if (result.status == impact::ImpactStatus::Resolved) return {};
  return {AdvanceStatus::ImpactDidNotEnd, contacts_.front().a, contacts_.front().b};
}

// A bouncing ball with 0 < e < 1 bounces infinitely often in finite time. Where nothing in an
// island approaches faster than the rest speed, restitution is taken as zero, which ends the
// sequence.
void Workbench::settle_slow_islands() {
  settled_.assign(problem_.islands.size(), false);
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    const contact::Island& island = problem_.islands[i];
    const auto rows = std::span(problem_.contacts)
                          .subspan(static_cast<std::size_t>(island.first_contact),
                                   static_cast<std::size_t>(island.contacts));
    settled_[i] = std::all_of(rows.begin(), rows.end(), [&](const ContactRow& row) {
      return row.rate.x() >= -scene_.tolerances.rest_speed;
    });
    if (!settled_[i]) continue;
    for (ContactRow& row : rows) row.restitution = 0;
  }
}

// Where every island is settled, the law that will carry it also brings it to rest: normal and
// friction impulses together. One that adds friction after the normal response lifts what it has
// just stopped, by a part of the speed, and the sequence would go on. Friction opposes the slip
// that is left at the end, whatever it was before: against the slip of the start it would go on
// pushing what it has reversed, and put energy in.
bool Workbench::bring_to_rest() {
  if (!std::all_of(settled_.begin(), settled_.end(), [](bool settled) { return settled; })) {
    return false;
  }
  impulses_.contacts.assign(problem_.contacts.size(), Vec3::Zero());
  const double slow = scene_.tolerances.velocity;
  return carrier_.carry(problem_, step_rates_.present(problem_), HUGE_VAL, {}, impulses_)
             .residual <= slow;
}

// Events are written for what a person would call an impact; the slow ones that only keep a resting
// contact at rest are told to the sinks (the audit must see every impulse), and are an event only
// when they end a bounce sequence.
void Workbench::record_impact(const State& before, const State& after,
                              const impact::ImpactResult& result, double micro_below) {
  events_.clear();
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    const contact::Island& island = problem_.islands[i];
    for (std::int32_t k = 0; k < island.contacts; ++k) {
      const auto row_index = island.contact(k);
      const ContactRow& row = problem_.contacts[row_index];
      const Contact& contact = contacts_[static_cast<std::size_t>(row.source)];
      const Vec3 impulse = contact::world_impulse(row, impulses_.contacts[row_index]);
      if (impulse.isZero(0)) continue;
      const Vec3 relative =
          after[contact.a].twist().at(row.a.lever) - after[contact.b].twist().at(row.b.lever);
      const bool micro = -row.rate.x() < micro_below;
      events_.push_back({before.t, micro ? EventKind::Microcollision : EventKind::Impact, contact.a,
                         contact.b, contact.at.point, row.normal, -row.rate.x(),
                         row.normal.dot(relative), impulse, result.iterations, result.lineality});
      if (!settled_[i]) {
        recorder_.event(events_.back());
      } else if (contact.restitution > 0 && -row.rate.x() > scene_.tolerances.velocity &&
                 !std::binary_search(resting_.begin(), resting_.end(),
                                     BodyPair{contact.a, contact.b})) {
        ContactEvent rest = events_.back();
        rest.kind = EventKind::Rest;
        recorder_.event(rest);
      }
    }
  }
  joint_impulses_.clear();
  append_joint_forces(before, 1, joint_impulses_);
  recorder_.impact({events_, joint_impulses_, before, after, result.iterations, result.lineality});
}

// What the joints did to a body that moves, row by row: impulses, or forces when `per` is the time
// they acted over.
void Workbench::append_joint_forces(const State& state, double per,
                                    std::vector<record::CarriedForce>& out) {
  for (std::size_t i = 0; i < problem_.equalities.size(); ++i) {
    const dynamics::JointRow& row =
        joint_rows_[static_cast<std::size_t>(problem_.equalities[i].source)];
    out.push_back(make_joint_force(scene_, row, impulses_.equalities[i] / per, state));
  }
}

void Workbench::select_resting(const State& state) {
  select_followed(state);
  wrenches_.assign(scene_.bodies.size(), Wrench{});
  forces_.clear();
}

double Workbench::time_to_fall_back(double duration) const {
  double fastest = 0;
  for (const Contact& contact : contacts_) {
    const bool lingers = contact.approach_rate > scene_.tolerances.velocity &&
                         contact.approach_rate <= scene_.tolerances.leaving;
    if (lingers) fastest = std::max(fastest, contact.approach_rate);
  }
  const bool rises = 0.5 * fastest * duration > scene_.tolerances.gap;
  return rises ? fastest / scene_.gravity.norm() : HUGE_VAL;
}

AdvanceResult Workbench::carry(const State& state, double duration) {
  select_resting(state);
  return carry_selected(state, duration);
}

AdvanceResult Workbench::carry_selected(const State& state, double duration) {
  forces_.assign(sleepers_.forces().begin(), sleepers_.forces().end());
  stop_after_ = 1;
  jams_ = false;
  levers_at_ = 0.5 * duration;
  mid_step_.place(state, resting_contacts_, resting_features_, duration);
  dynamics::compute_joint_rows(scene_, mid_step_.state(), joint_rows_);
  problem_.contacts.clear();
  if (resting_contacts_.empty() && joint_rows_.empty()) return {};
  assembler_.assemble(mid_step_.contacts(), joint_rows_, mid_step_.state(), problem_);
  mid_step_.refer_to_start(state, resting_contacts_, problem_);
  const auto rates = step_rates_.predict(problem_, state, duration);
  memory_.recall(resting_contacts_, problem_, duration, impulses_);
  const resting::CarryResult result =
      carrier_.carry(problem_, rates, scene_.tolerances.rest_speed, {}, impulses_);
  memory_.remember(resting_contacts_, problem_, duration, impulses_);
  stop_after_ = result.stop_after;
  jams_ = result.jams;
  if (jams_) return {};
  force_residual_ = std::max(force_residual_, result.residual);
  spread_forces(mid_step_.contacts(), state, duration);
  if (result.residual <= kUseless * scene_.tolerances.rest_speed) return {};
  if (resting_contacts_.empty()) return {AdvanceStatus::CarryDidNotConverge};
  return {AdvanceStatus::CarryDidNotConverge, resting_contacts_.front().a,
          resting_contacts_.front().b};
}

double Workbench::rise_of_carried() const {
  double highest = 0;
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    if (!(impulses_.contacts[i].x() > 0)) continue;
    const auto source = static_cast<std::size_t>(problem_.contacts[i].source);
    const contact::Feature& feature = resting_features_[source];
    const Contact& contact = resting_contacts_[source];
    const auto at = geometry::kinematics_at(
        feature.pair, flight_.motions[index(feature.swapped ? contact.b : contact.a)],
        flight_.motions[index(feature.swapped ? contact.a : contact.b)], flight_.duration);
    highest = std::max(highest, geometry::compute_gap(feature.pair, at).value);
  }
  return highest / scene_.tolerances.gap;
}

// Joint rows are those of the middle of the step (contact/step_rates.h).
void Workbench::place_joints_halfway(const State& state, double duration) {
  if (scene_.joints.empty()) return;
  halfway_ = state;
  dynamics::drift(0.5 * duration, halfway_);
  dynamics::compute_joint_rows(scene_, halfway_, joint_rows_);
}

// Lets the impulses just found act as constant forces in the next flight.
void Workbench::spread_forces(const contact::ContactSet& contacts, const State& state,
                              double duration) {
  wrenches_.assign(scene_.bodies.size(), Wrench{});
  forces_.assign(sleepers_.forces().begin(), sleepers_.forces().end());
  contact::apply_as_forces(problem_, impulses_, duration, wrenches_);
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    if (impulses_.contacts[i].isZero(0)) continue;
    const Contact& contact = contacts[static_cast<std::size_t>(problem_.contacts[i].source)];
    const Vec3 impulse = contact::world_impulse(problem_.contacts[i], impulses_.contacts[i]);
    forces_.push_back({contact.a, contact.b, contact.at.point, impulse / duration, Vec3::Zero()});
  }
  append_joint_forces(state, duration, forces_);
}

// Tells the recorder which pairs of bodies have come to rest on each other or have let go.
void Workbench::note_resting(const State& state) {
  now_resting_.clear();
  const auto tell = [&](EventKind kind, const Contact& contact) {
    recorder_.event({state.t, kind, contact.a, contact.b, contact.at.point, contact.at.normal,
                     -contact.approach_rate, contact.approach_rate, Vec3::Zero()});
  };
  for (const BodyPair& key : resting_) {
    if (sleepers_.stand_still(key.a, key.b)) now_resting_.push_back(key);
  }
  for (const Contact& contact : resting_contacts_) now_resting_.push_back({contact.a, contact.b});
  std::sort(now_resting_.begin(), now_resting_.end());
  now_resting_.erase(std::unique(now_resting_.begin(), now_resting_.end()), now_resting_.end());
  told_.assign(now_resting_.size(), false);
  for (const Contact& contact : resting_contacts_) {
    const BodyPair key{contact.a, contact.b};
    const auto at = std::lower_bound(now_resting_.begin(), now_resting_.end(), key);
    const auto place = static_cast<std::size_t>(at - now_resting_.begin());
    if (told_[place]) continue;
    told_[place] = true;
    if (!std::binary_search(resting_.begin(), resting_.end(), key))
      tell(EventKind::ContactBegin, contact);
  }
  for (const BodyPair& key : resting_) {
    if (std::binary_search(now_resting_.begin(), now_resting_.end(), key)) continue;
    recorder_.event({.t = state.t, .kind = EventKind::ContactEnd, .a = key.a, .b = key.b});
  }
  resting_.swap(now_resting_);
}

void Workbench::fly(const State& state, double duration) {
  dynamics::fly(scene_, state, wrenches_, duration, flight_);
  sleepers_.hold_in_place(state, flight_);
}

void Workbench::ignore_resting(const State& state) { select_resting(state); }

void Workbench::fly_straight(const State& state, double duration) {
  flight_.t0 = state.t;
  flight_.duration = duration;
  flight_.motions.clear();
  for (const BodyState& body : state.bodies) {
    flight_.motions.push_back({body.x, body.v, Vec3::Zero(), math::SteadySpin{body.q, body.w}});
  }
}

void Workbench::kick(double duration, State& state) const {
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    BodyState& at = state.bodies[i];
    const dynamics::Acceleration free =
        dynamics::compute_acceleration(scene_.bodies[i], at, {}, scene_.gravity);
    at.v += duration * free.linear;
    at.w += duration * free.angular;
  }
}

Workbench::Search Workbench::find_first_impact() {
  const contact::SearchResult search = pairs_.times_of_contact(flight_, times_);
  if (search.status != contact::SearchStatus::Complete) {
    return {{AdvanceStatus::SearchDidNotEnd, search.pair.a, search.pair.b}, 0, false};
  }
  for (const contact::ContactTime& time : times_) {
    if (time.rate == -HUGE_VAL) {
      return {{AdvanceStatus::SearchDidNotEnd, time.a, time.b}, time.s, true};
    }
    if (time.rate < -scene_.tolerances.velocity) return {{}, time.s, true};
  }
  return {{}, flight_.duration, false};
}

// Joints are told as acting on the middle of the way, where their anchors are together. A state
// that is not finite is not recorded, and ends the run.
void Workbench::follow(double s, State& state) {
  flight_.state_at(s, state);
  for (record::CarriedForce& force : forces_) {
    if (force.joint >= 0) force.point = math::position_at(flight_.motions[index(force.a)], 0.5 * s);
  }
  if (dynamics::is_finite(state))
    recorder_.flown(flight_, s, {.start = forces_, .levers_at = levers_at_});
}

void Workbench::save(std::string& bytes) const {
  base::append_bytes(bytes, resting_);
  base::append_bytes(bytes, memory_.forces());
  base::append_bytes(bytes, force_residual_);
  hop_memory_.save(bytes);
  sleepers_.save(bytes);
  smooth_.save(bytes);
  base::append_bytes(bytes, elastic_ != nullptr);
  if (elastic_) elastic_->save(bytes);
}

void Workbench::restore(std::string_view& bytes) {
  base::take_bytes(bytes, resting_);
  base::take_bytes(bytes, memory_.forces());
  base::take_bytes(bytes, force_residual_);
  hop_memory_.restore(bytes);
  sleepers_.restore(bytes);
  smooth_.restore(bytes);
  bool deforms = false;
  base::take_bytes(bytes, deforms);
  if (!deforms) return;
  elastic_ = std::make_unique<ElasticMotion>(scene_, pairs_, workers_.watched());
  elastic_->restore(bytes);
}

void Workbench::let_sleep(double at_least, State& state) {
  sleepers_.watch(state);
  if (flight_.duration < at_least) return;
  sleepers_.fall_asleep({contacts_, wrenches_, forces_, flight_.duration}, state);
}

}  // namespace carom::methods
