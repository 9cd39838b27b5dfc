#include "carom/methods/time_stepping/time_stepping.h"

#include <algorithm>
#include <cmath>

#include "carom/model/method_check.h"

namespace carom::methods {

namespace {

using contact::Contact;
using contact::ContactRow;
using model::SettingKind;

constexpr std::int32_t kContactsOfABody = 4;  // about, in a pile
constexpr int kMostFactored = 40;             // bodies of an island
constexpr int kMaxRounds = 20;                // of impulses at the start of a step
constexpr double kSides = 16, kSweeps = 30;

}  // namespace

MethodTraits describe_time_stepping() {
  return {
      .description =
          {"time-stepping",
           "one complementarity problem a step, with friction (Anitescu & Potra)",
           {step_setting(),
            {.key = "sides",
             .kind = SettingKind::Number,
             .fallback = kSides,
             .above = model::kFromZero,
             .at_most = 64,
             .help = "corners of the friction polygon of small islands (Lemke); below 3: the cone"},
            {.key = "sweeps",
             .kind = SettingKind::Number,
             .fallback = kSweeps,
             .at_most = 1e6,
             .help = "over an island too large to be factored, at most"},
            {.key = "impact_speed",
             .kind = SettingKind::Number,
             .fallback = 0.0,
             .above = model::kFromZero,
             .help = "m/s; slower contacts do not bounce. 0: twice what gravity gives in a step"},
            {.key = "impact",
             .kind = SettingKind::Choice,
             .fallback = "poisson",
             .choices = {"poisson"},
             .help = "its own law: compression and decompression"}}},
      .steps = StepKind::Fixed,
      .usual_step = kUsualStep,
      .has = [](const model::MethodSettings&, Ability ability) {
        return ability == Ability::Joints || ability == Ability::JointLimits ||
               ability == Ability::JointDrives;
      }};
}

TimeStepping make_time_stepping(const Scene& scene, double step) {
  const model::MethodSettings& settings = scene.method;
  const auto sides = static_cast<int>(settings.number("sides", kSides));
  const double weight = scene.gravity.norm() * step;  // what it gives in a step, m/s
  const double impact_speed = settings.number("impact_speed", 0);
  return {{.sides = sides < 3 ? 0 : sides,
           .most_bodies = kMostFactored,
           .sweeps = static_cast<int>(settings.number("sweeps", kSweeps))},
          step,
          impact_speed > 0 ? impact_speed : 2 * weight};
}

TimeSteppingStepper::TimeSteppingStepper(StepContext& context, const TimeStepping& options)
    : context_(context),
      options_(options),
      log_(context.scene, context.recorder),
      forces_(context),
      step_rates_(context.scene) {}

AdvanceResult TimeSteppingStepper::advance(State& state, double t_end) {
  const double h = t_end - state.t;
  context_.workers.watched().poll(state.t);
  double faster = HUGE_VAL;
  for (int round = 0; faster > 0 && round < kMaxRounds; ++round) {
    forces_.release(state, h);
    context_.pairs.find_near_contacts(state, h, contacts_, forces_.applied());
    before_ = state;
    AdvanceResult stopped = stop_closing(h, state);
    if (!stopped.ok()) return stopped;
    faster = made_faster(h, state);
  }
  if (faster > 0) context_.recorder.fallback(record::Rung::UnseenContacts, faster);
  forces_.solve_gaps(state, contacts_, h, {options_.forces, options_.step});
  if (h > 0.5 * options_.step) {  // a step cut short sees few of the contacts that carry
    forces_.select_pushing(contacts_, pushing_);
    log_.update_resting(pushing_, state);
  }
  forces_.fly(state, h, flight_);
  forces_.follow(h, flight_, state);
  state.t = t_end;
  return {};
}

// What impulses have made faster may meet what was too far to be looked at. By how much, m/s,
// beyond what gravity's part of a margin (contact/travel.h) leaves free.
double TimeSteppingStepper::made_faster(double duration, const State& state) const {
  const base::Tolerances& scale = context_.scene.tolerances;
  const double slack = 0.5 * context_.scene.gravity.norm() * duration + scale.velocity;
  double most = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState &was = before_.bodies[i], &is = state.bodies[i];
    const double turns = context_.scene.bodies[i].radius * (is.w.norm() - was.w.norm());
    const double gained = std::max(is.v.norm() - was.v.norm(), 0.0) + std::max(turns, 0.0);
    if (gained > slack) most = std::max(most, gained);
  }
  return most;
}

// Which islands have a contact that would close by more than its gap within the step; which
// contacts of these bounce; and which islands are so slow that nobody would call it an impact. A
// pile that creeps in by less than half of what its weight gives in a step is left to the forces of
// the step.
bool TimeSteppingStepper::select_closing(double duration) {
  const Scene& scene = context_.scene;
  const double creep = 0.5 * scene.gravity.norm() * options_.step;
  closing_.assign(problem_.islands.size(), 0);
  settled_.assign(problem_.islands.size(), 1);
  restitution_.assign(problem_.contacts.size(), 0);
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    const contact::Island& island = problem_.islands[i];
    const bool pile = island.contacts > kContactsOfABody * options_.forces.most_bodies;
    const double slack = pile ? creep : scene.tolerances.velocity;
    for (std::int32_t k = 0; k < island.contacts; ++k) {
      const ContactRow& row = problem_.contacts[island.contact(k)];
      if (!(row.rate.x() + std::max(row.gap, 0.0) / duration < -slack)) continue;
      closing_[i] = 1;
      if (row.rate.x() >= -options_.impact_speed) continue;
      settled_[i] = 0;
      restitution_[island.contact(k)] = row.restitution;
    }
  }
  return std::find(closing_.begin(), closing_.end(), 1) != closing_.end();
}

AdvanceResult TimeSteppingStepper::stop_closing(double duration, State& state) {
  dynamics::compute_joint_rows(context_.scene, state, joint_rows_);
  context_.assembler.assemble(contacts_, joint_rows_, state, problem_);
  if (!select_closing(duration)) return {};
  impulses_.contacts.assign(problem_.contacts.size(), Vec3::Zero());
  const auto rates = step_rates_.closing(problem_, restitution_, duration);
  const resting::CarryResult result =
      context_.carrier.collide(problem_, rates, closing_, restitution_, options_.forces, impulses_);
  forces_.note_residual(result.residual);
  contact::apply_impulses(problem_, impulses_, state);
  log_.record_impact({contacts_,
                      {joint_rows_, problem_, impulses_},
                      before_,
                      state,
                      {.iterations = result.iterations},
                      settled_});
  for (Contact& contact : contacts_) {  // velocities have changed, gaps have not
    const Vec3& point = contact.at.point;
    const Vec3 relative = state[contact.a].twist().at(point - state[contact.a].x) -
                          state[contact.b].twist().at(point - state[contact.b].x);
    contact.approach_rate = contact.at.normal.dot(relative);
  }
  return squeeze_.check(context_.scene, contacts_, problem_, state, duration);
}

void TimeSteppingStepper::save(std::string& bytes) const {
  log_.save(bytes);
  forces_.save(bytes);
}

void TimeSteppingStepper::restore(std::string_view& bytes) {
  log_.restore(bytes);
  forces_.restore(bytes);
}

}  // namespace carom::methods
