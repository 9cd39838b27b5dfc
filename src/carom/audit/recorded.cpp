#include "carom/audit/recorded.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "carom/audit/elastic_energy.h"
#include "carom/audit/joint_error.h"
#include "carom/audit/limits.h"
#include "carom/dynamics/energy.h"

namespace carom::audit {

namespace {

using record::ContactEvent;
using record::EventKind;

// What a group of bodies has, and what came to it in an interval.
struct Group {
  bool is_held = false;  // to a body that does not give way, by more than impulses
  double mass = 0;       // kg
  Vec3 center = Vec3::Zero(), momentum = Vec3::Zero();  // m kg, N s; at the start
  Vec3 momentum_end = Vec3::Zero(), center_end = Vec3::Zero();
  Vec3 angular = Vec3::Zero(), angular_end = Vec3::Zero();  // N m s; about the world's origin
  std::vector<const ContactEvent*> impacts;                 // from outside
};

class Intervals {
 public:
  Intervals(const Scene& scene, const record::Trace& trace) : scene_(scene), trace_(trace) {}

  void judge(std::size_t k);  // from output k to the next
  double momentum_error = 0, angular_momentum_error = 0;

 private:
  bool is_dynamic(BodyId id) const { return scene_.body(id).is_dynamic(); }
  std::size_t root(std::size_t i);
  void connect(BodyId a, BodyId b, bool lasts);
  void connect_forces(double t);
  void connect_events(std::size_t k);
  void add_up(std::size_t k);
  void balance(const Group& group, double t0, double t1);

  const Scene& scene_;
  const record::Trace& trace_;
  std::vector<std::size_t> parent_;
  std::vector<std::size_t> held_;  // bodies
  std::vector<Group> groups_;      // by the root's number
};

std::size_t Intervals::root(std::size_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

void Intervals::connect(BodyId a, BodyId b, bool lasts) {
  if (is_dynamic(a) && is_dynamic(b))
    parent_[root(index(a))] = root(index(b));
  else if (lasts)
    held_.push_back(index(is_dynamic(a) ? a : b));
}

void Intervals::connect_forces(double t) {
  const auto first = std::ranges::lower_bound(trace_.forces, t, {}, &record::ForceAt::t);
  for (auto at = first; at != trace_.forces.end() && at->t == t; ++at)
    connect(at->force.a, at->force.b, true);
}

// Its couples are not part of events.
bool resists_turning(const Scene& scene) {
  for (std::size_t a = 0; a < scene.materials.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const auto& pair = scene.pairs(id_of<MaterialId>(a), id_of<MaterialId>(b));
      if (pair.rolling_friction > 0 || pair.spinning_friction > 0) return true;
    }
  return false;
}

// What hardly separates may go on to rest.
bool may_last(const ContactEvent& event) {
  constexpr double kHardly = 1e-3;
  if (event.kind != EventKind::Impact && event.kind != EventKind::Microcollision) return true;
  return event.separation_speed <= kHardly * std::abs(event.approach_speed);
}

void Intervals::connect_events(std::size_t k) {
  for (std::size_t i = trace_.events_before[k]; i < trace_.events_before[k + 1]; ++i)
    connect(trace_.events[i].a, trace_.events[i].b, may_last(trace_.events[i]));
}

void Intervals::add_up(std::size_t k) {
  const auto angular = [&](const Body& body, const BodyState& s) -> Vec3 {
    return body.mass * s.x.cross(s.v) + s.q * (body.inertia * (s.q.conjugate() * s.w));
  };
  groups_.assign(parent_.size(), {});
  for (std::size_t i = 0; i < parent_.size(); ++i) {
    const Body& body = scene_.bodies[i];
    if (!body.is_dynamic()) continue;
    const BodyState &s0 = trace_.outputs[k].bodies[i], &s1 = trace_.outputs[k + 1].bodies[i];
    Group& group = groups_[root(i)];
    group.mass += body.mass;
    group.center += body.mass * s0.x;
    group.center_end += body.mass * s1.x;
    group.momentum += body.mass * s0.v;
    group.momentum_end += body.mass * s1.v;
    group.angular += angular(body, s0);
    group.angular_end += angular(body, s1);
  }
  for (const std::size_t i : held_) groups_[root(i)].is_held = true;
  for (std::size_t i = trace_.events_before[k]; i < trace_.events_before[k + 1]; ++i) {
    const ContactEvent& event = trace_.events[i];
    if (is_dynamic(event.a) == is_dynamic(event.b)) continue;
    groups_[root(index(is_dynamic(event.a) ? event.a : event.b))].impacts.push_back(&event);
  }
}

// Gravity turns nothing about a group's own centre.
void Intervals::balance(const Group& group, double t0, double t1) {
  const Vec3 x0 = group.center / group.mass, x1 = group.center_end / group.mass;
  Vec3 momentum = group.momentum + group.mass * (t1 - t0) * scene_.gravity;
  Vec3 angular = group.angular - x0.cross(group.momentum);
  for (const ContactEvent* event : group.impacts) {
    const Vec3 impulse = is_dynamic(event->a) ? event->impulse : Vec3(-event->impulse);
    const double s = event->t - t0;
    Vec3 center = x0 + s * (group.momentum / group.mass + s / 2 * scene_.gravity);
    for (const ContactEvent* before : group.impacts) {
      if (before == event) break;
      const Vec3 push = is_dynamic(before->a) ? before->impulse : Vec3(-before->impulse);
      center += (event->t - before->t) / group.mass * push;
    }
    momentum += impulse;
    angular += (event->point - center).cross(impulse);
  }
  momentum_error = std::max(momentum_error, (group.momentum_end - momentum).norm());
  const Vec3 own = group.angular_end - x1.cross(group.momentum_end);
  if (group.impacts.empty() || !resists_turning(scene_))
    angular_momentum_error = std::max(angular_momentum_error, (own - angular).norm());
}

void Intervals::judge(std::size_t k) {
  constexpr double kShorter = 1 - 1e-6;
  const double t0 = trace_.outputs[k].t, t1 = trace_.outputs[k + 1].t;
  if (t1 - t0 < kShorter * scene_.output_every) return;
  parent_.resize(scene_.bodies.size());
  std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  held_.clear();
  for (const model::Joint& joint : scene_.joints) connect(joint.a, joint.b, true);
  connect_forces(t0);
  connect_forces(t1);
  connect_events(k);
  add_up(k);
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (parent_[i] == i && groups_[i].mass > 0 && !groups_[i].is_held) balance(groups_[i], t0, t1);
}

// What states show by themselves.
struct Instants {
  explicit Instants(const Scene& scene_in) : scene(scene_in) {
    penetration.begin(scene);
    scale_watch.begin(scene, penetration.radii());
    if (deforms(scene)) springs.emplace().begin(scene, penetration);
  }

  void see(const State& state) {
    penetration.check(state);
    scale_watch.see(state);
    for (const model::Joint& joint : scene.joints) {
      const JointError error = compute_joint_error(joint, state[joint.a], state[joint.b]);
      joints = {std::max(joints.gap, error.gap), std::max(joints.turn, error.turn)};
    }
    const EnergyRange stored = springs ? springs->find(state, penetration) : EnergyRange{};
    energy = dynamics::compute_energy(scene, state).total();
    least_energy = std::min(least_energy, energy + stored.most);
    max_gain = std::max(max_gain, energy + stored.least - least_energy);
  }

  const Scene& scene;
  PenetrationWatch penetration;
  ScaleWatch scale_watch;
  std::optional<ElasticEnergy> springs;
  JointError joints;
  double energy = 0, least_energy = std::numeric_limits<double>::infinity(), max_gain = 0;  // J
};

// Driven bodies and motors, whose work is not recorded.
bool has_work_from_outside(const Scene& scene) {
  return std::ranges::any_of(
             scene.bodies, [](const Body& body) { return body.motion == model::Motion::Driven; }) ||
         std::ranges::any_of(scene.joints,
                             [](const model::Joint& joint) { return joint.motor.has_value(); });
}

void lift_limits(const Scene& scene, record::JudgedNumbers& limits) {
  using enum record::Judged;
  limits[EnergyLedger] = record::kNoLimit;
  const bool pushed = !scene.forces.empty();
  if (has_work_from_outside(scene) || pushed) limits[EnergyGain] = record::kNoLimit;
  const bool midstep = promise_of(scene.method).peculiarity == Peculiarity::HoldsMidstep;
  if (midstep || pushed) limits[Momentum] = limits[AngularMomentum] = record::kNoLimit;
}

}  // namespace

record::AuditResult audit_recording(const Scene& scene, const record::Trace& trace,
                                    const record::JudgedNumbers& tolerated) {
  Instants instants(scene);
  Intervals intervals(scene, trace);
  record::AuditResult result;
  for (std::size_t k = 0; k < trace.outputs.size(); ++k) {
    instants.see(trace.outputs[k]);
    if (k == 0) result.energy_initial = instants.energy;
    if (k + 1 < trace.outputs.size()) intervals.judge(k);
  }
  result.max_penetration = instants.penetration.max_depth;
  result.max_joint_gap = instants.joints.gap;
  result.max_joint_turn = instants.joints.turn;
  result.max_joint_error = std::max(instants.joints.gap, instants.joints.turn);
  result.energy_final = instants.energy;
  result.energy_max_gain = instants.max_gain;
  result.energy_dissipated = result.energy_ledger_error = std::numeric_limits<double>::quiet_NaN();
  result.momentum_error = intervals.momentum_error;
  result.angular_momentum_error = intervals.angular_momentum_error;
  const Scales& scales = instants.scale_watch.scales;
  result.limits = compute_limits(scene, scales,
                                 instants.springs ? instants.springs->deepest(scales.energy) : 0);
  lift_limits(scene, result.limits);
  tolerate(tolerated, result.limits);
  return result;
}

}  // namespace carom::audit
