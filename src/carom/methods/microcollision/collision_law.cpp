#include "carom/methods/microcollision/collision_law.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/state_bytes.h"

namespace carom::methods {

namespace {

constexpr double kTooSoon = 0.125;  // of a hop: collisions on average as frequent as this
constexpr double kRecent = 0.125;   // weight of the last interval in that average
constexpr double kReturn = 2;       // hops in which drift is made good
constexpr double kLetGo = 20;       // hops without a collision that end a grip
constexpr double kFarthest = 10;    // hop heights that a grip stretches

// Equation (5): what an impulse at `lever` does to the velocity there.
Mat3 collision_matrix(const Body& body, const Quat& q, const Vec3& lever) {
  if (!body.is_dynamic()) return Mat3::Zero();
  const Mat3 r = math::skew(lever);
  return body.inverse_mass * Mat3::Identity() - r * dynamics::world_inverse_inertia(body, q) * r;
}

void push(const Body& body, const Vec3& lever, const Vec3& impulse, const Vec3& couple,
          BodyState& state) {
  if (!body.is_dynamic()) return;
  state.v += body.inverse_mass * impulse;
  state.w += dynamics::world_inverse_inertia(body, state.q) * (lever.cross(impulse) + couple);
}

// How the slip of a contact that goes with `on` changes in flight: gravity, and the ground turning
// away under it.
Vec3 free_acceleration(const Scene& scene, const BodyState& on, const BodyState& ground) {
  return scene.gravity - ground.w.cross(on.v - ground.v);
}

record::Vibration vibration_of(double energy, bool lifted) {
  const double gained = std::max(0.0, energy);
  return {.lifts = lifted ? 1 : 0, .energy_in = gained, .greatest_lift = gained};
}

// A couple against `spin`, N m s, no greater than `most` and than what ends it.
Vec3 couple_against(const Vec3& spin, const Mat3& gives, double most) {
  const double speed = spin.norm();
  if (speed == 0) return Vec3::Zero();
  const Vec3 along = spin / speed;
  return -std::min(most, speed / along.dot(gives * along)) * along;
}

// The angle by which `to` is turned about n against `from`; small.
double turned(const BodyState& from, const BodyState& to, const Vec3& n) {
  return n.dot(math::quat_log(to.q * from.q.conjugate()));
}

}  // namespace

CollisionLaw::CollisionLaw(const Scene& scene, const ClockOptions& options, const impact::Law& law,
                           StickRecords& sticks)
    : scene_(scene), rule_(make_hop_rule(scene, options)), law_(law), sticks_(sticks) {}

double CollisionLaw::hop_speed(BodyId a, BodyId b, const Vec3& normal) const {
  return rule_.speed(std::min(scene_.body(a).radius, scene_.body(b).radius), normal);
}

Bounce CollisionLaw::collide(double t, const Encounter& meeting) {
  const Body &body_a = scene_.body(meeting.id_a), &body_b = scene_.body(meeting.id_b);
  const Vec3 lever_a = meeting.at.point - meeting.a.x, lever_b = meeting.at.point - meeting.b.x;
  const Mat3 axes = math::contact_axes(meeting.at.normal);
  const Mat3 K = collision_matrix(body_a, meeting.a.q, lever_a) +
                 collision_matrix(body_b, meeting.b.q, lever_b);
  const Vec3 u = meeting.a.twist().at(lever_a) - meeting.b.twist().at(lever_b);
  const impact::Collision collision{axes * K * axes.transpose(), axes * u, meeting.between.friction,
                                    meeting.between.restitution};
  const Vec3 fall = body_a.is_dynamic() ? free_acceleration(scene_, meeting.a, meeting.b)
                                        : -free_acceleration(scene_, meeting.b, meeting.a);
  impact::MicrocollisionRule rule{hop_speed(meeting.id_a, meeting.id_b, meeting.at.normal),
                                  axes * fall, rule_.static_friction,
                                  (body_a.inverse_mass + body_b.inverse_mass) / collision.K(0, 0)};
  const double hop_time = 2 * rule.speed / rule_.pressing(meeting.at.normal);
  const bool grips = std::isfinite(hop_time);
  StickRecord* stick = grips ? &find_stick_record(meeting) : nullptr;
  if (stick) {
    follow(*stick, t, meeting, hop_time);
    const Vec3 lever = meeting.at.point - stick->foot;
    const Vec3 off = stick->drift + stick->turn * meeting.at.normal.cross(lever);
    rule.back = axes * (-1 / (kReturn * hop_time) * off);
    rule.may_lift = stick->interval < kTooSoon * hop_time;
  }
  const impact::MicrocollisionResult result = find_impulse(collision, rule, meeting);
  const Vec3& impulse = result.impulse;
  Bounce bounce{{}, vibration_of(impact::energy_of(collision, impulse), result.lifted)};
  record::Collision& done = bounce.collision;
  done.a = meeting.a;
  done.b = meeting.b;
  const Vec3 world = axes.transpose() * impulse;
  push(body_a, lever_a, world, Vec3::Zero(), done.a);
  push(body_b, lever_b, -world, Vec3::Zero(), done.b);
  done.couple = find_couple(meeting, done.a, done.b, impulse.x());
  push(body_a, lever_a, Vec3::Zero(), done.couple, done.a);
  push(body_b, lever_b, Vec3::Zero(), -done.couple, done.b);
  const Vec3 after = done.a.twist().at(lever_a) - done.b.twist().at(lever_b);
  if (stick) {
    stick->a = done.a;
    stick->b = done.b;
  }
  const bool micro = -collision.u.x() < rule.speed;
  done.event = {.t = t,
                .kind = micro ? record::EventKind::Microcollision : record::EventKind::Impact,
                .a = meeting.id_a,
                .b = meeting.id_b,
                .point = meeting.at.point,
                .normal = meeting.at.normal,
                .approach_speed = -collision.u.x(),
                .separation_speed = meeting.at.normal.dot(after),
                .impulse = world,
                .iterations = 1};
  return bounce;
}

impact::MicrocollisionResult CollisionLaw::find_impulse(const impact::Collision& collision,
                                                        const impact::MicrocollisionRule& rule,
                                                        const Encounter& meeting) {
  impact::MicrocollisionResult result;
  if (const auto* frictional = std::get_if<impact::Frictional>(&law_)) {
    impact::Collision ruled = collision;
    ruled.rule = frictional->restitution;
    impact::Fallbacks fallbacks;
    result = impact::resolve_microcollision(ruled, rule, fallbacks);
  } else {
    const double approach = -collision.u.x();
    result = {resolve_by_law(collision, meeting,
                             impact::hop_restitution(approach, collision.restitution, rule.speed)),
              approach < impact::kLiftedBelow * rule.speed};
    if (result.lifted) result.impulse.x() += rule.speed / collision.K(0, 0);
  }
  return result;
}

// One contact of two bodies as a problem of its own.
Vec3 CollisionLaw::resolve_by_law(const impact::Collision& collision, const Encounter& meeting,
                                  double restitution) {
  const Mat3 axes = math::contact_axes(meeting.at.normal);
  problem_.blocks.clear();
  const auto side = [&](BodyId id, const BodyState& state) -> contact::Side {
    const Body& body = scene_.body(id);
    if (!body.is_dynamic()) return {-1, meeting.at.point - state.x};
    problem_.blocks.push_back(
        {id, body.inverse_mass, dynamics::world_inverse_inertia(body, state.q), state.v, state.w});
    return {static_cast<std::int32_t>(problem_.blocks.size()) - 1, meeting.at.point - state.x};
  };
  contact::ContactRow row;
  row.a = side(meeting.id_a, meeting.a);
  row.b = side(meeting.id_b, meeting.b);
  row.normal = axes.row(0);
  row.tangent1 = axes.row(1);
  row.tangent2 = axes.row(2);
  row.restitution = restitution;
  row.friction = collision.friction;
  row.rate = collision.u;
  problem_.contacts.assign(1, row);
  problem_.islands.assign(1, {0, 1, 0, 0});
  impulses_.contacts.assign(1, Vec3::Zero());
  impact::resolve(law_, problem_, work_, impulses_);
  return impulses_.contacts[0];
}

// Against the relative rotation, at most μ_r R p_n, and against what is left of it about the
// normal, at most μ_s R p_n; never more than stops it. 1/R is the sum of what the distances from
// the contact to the centres of bodies that move freely are one over.
Vec3 CollisionLaw::find_couple(const Encounter& meeting, const BodyState& a, const BodyState& b,
                               double normal_impulse) const {
  const auto& [restitution, friction, rolling, spinning] = meeting.between;
  if (rolling == 0 && spinning == 0) return Vec3::Zero();
  const Body &body_a = scene_.body(meeting.id_a), &body_b = scene_.body(meeting.id_b);
  const double bends = (body_a.is_dynamic() ? 1 / (meeting.at.point - a.x).norm() : 0) +
                       (body_b.is_dynamic() ? 1 / (meeting.at.point - b.x).norm() : 0);
  const Mat3 gives =
      dynamics::world_inverse_inertia(body_a, a.q) + dynamics::world_inverse_inertia(body_b, b.q);
  const Vec3 spin = a.w - b.w;
  const Vec3 all = couple_against(spin, gives, rolling / bends * normal_impulse);
  const Vec3& n = meeting.at.normal;
  const Vec3 left = n.dot(spin + gives * all) * n;
  return all + couple_against(left, gives, spinning / bends * normal_impulse);
}

StickRecord& CollisionLaw::find_stick_record(const Encounter& meeting) {
  const std::pair key(meeting.id_a, meeting.id_b);
  auto at = std::lower_bound(sticks_.begin(), sticks_.end(), key,
                             [](const StickRecord& each, const auto& k) { return each.key() < k; });
  if (at == sticks_.end() || at->key() != key) {
    at = sticks_.insert(at, StickRecord{});
    at->id_a = meeting.id_a;
    at->id_b = meeting.id_b;
    at->t = -HUGE_VAL;
  }
  return *at;
}

// Right under the centre of the smaller body that moves freely: there a body that walks from corner
// to corner slips, though its corners do not.
Vec3 CollisionLaw::find_foot(const Encounter& meeting) const {
  const Body &a = scene_.body(meeting.id_a), &b = scene_.body(meeting.id_b);
  const bool on_a = a.is_dynamic() && (!b.is_dynamic() || a.radius <= b.radius);
  const Vec3& x = on_a ? meeting.a.x : meeting.b.x;
  const Vec3& n = meeting.at.normal;
  return x + n.dot(meeting.at.point - x) * n;
}

// How far a body has carried a point of its own that was under the foot. Others may have pushed it
// meanwhile, so where it is counts, not how fast it was; what is driven goes round in circles.
Vec3 CollisionLaw::moved(BodyId id, const BodyState& from, const BodyState& to,
                         const Vec3& foot_from, const Vec3& foot_to, double dt) const {
  const Vec3 lever_from = foot_from - from.x, lever_to = foot_to - to.x;
  if (!scene_.body(id).is_dynamic())
    return 0.5 * dt * (from.twist().at(lever_from) + to.twist().at(lever_to));
  const Vec3 turn = math::quat_log(to.q * from.q.conjugate());
  return to.x - from.x + turn.cross(0.5 * (lever_from + lever_to));
}

void CollisionLaw::follow(StickRecord& stick, double t, const Encounter& meeting,
                          double hop_time) const {
  const Vec3 foot = find_foot(meeting);
  const Vec3& n = meeting.at.normal;
  const double dt = t - stick.t;
  if (dt < kLetGo * hop_time) {
    const Vec3 slip = moved(meeting.id_a, stick.a, meeting.a, stick.foot, foot, dt) -
                      moved(meeting.id_b, stick.b, meeting.b, stick.foot, foot, dt);
    stick.drift += slip - n.dot(slip) * n;
    stick.turn += turned(stick.a, meeting.a, n) - turned(stick.b, meeting.b, n);
    stick.interval += kRecent * (std::min(dt, hop_time) - stick.interval);
  } else {
    stick.drift.setZero();
    stick.turn = stick.interval = 0;
  }
  const double radius =
      std::min(scene_.body(meeting.id_a).radius, scene_.body(meeting.id_b).radius);
  const double farthest = kFarthest * rule_.epsilon * 2 * radius;
  const double drift = stick.drift.norm();
  if (drift > farthest) stick.drift *= farthest / drift;
  stick.turn = std::clamp(stick.turn, -farthest / radius, farthest / radius);
  stick.foot = foot;
  stick.t = t;
}

namespace {

// The numbers of a record in a fixed order.
template <typename Each, typename Visit>
void visit_numbers(Each& stick, const Visit& visit) {
  const auto visit_all = [&](auto& vector) {
    for (auto& number : vector) visit(number);
  };
  visit(stick.t);
  dynamics::visit_numbers(stick.a, visit);
  dynamics::visit_numbers(stick.b, visit);
  visit_all(stick.foot);
  visit_all(stick.drift);
  visit(stick.turn);
  visit(stick.interval);
}

}  // namespace

void MicrocollisionMemory::save(std::string& bytes) const {
  base::append_bytes(bytes, vibration);
  base::append_bytes(bytes, undivided);
  base::append_bytes(bytes, sticks.size());
  for (const StickRecord& each : sticks) {
    base::append_bytes(bytes, each.id_a);
    base::append_bytes(bytes, each.id_b);
    visit_numbers(each, [&](const double& number) { base::append_bytes(bytes, number); });
  }
}

void MicrocollisionMemory::restore(std::string_view& bytes) {
  base::take_bytes(bytes, vibration);
  base::take_bytes(bytes, undivided);
  std::size_t count = 0;
  base::take_bytes(bytes, count);
  sticks.assign(count, {});
  for (StickRecord& each : sticks) {
    base::take_bytes(bytes, each.id_a);
    base::take_bytes(bytes, each.id_b);
    visit_numbers(each, [&](double& number) { base::take_bytes(bytes, number); });
  }
}

}  // namespace carom::methods
