#include "carom/methods/microcollision/collision_law.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

constexpr double kTooSoon = 0.125;  // of a hop: collisions on average as frequent as this
constexpr double kReturn = 2;       // hops in which drift is made good

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
    update_stick(*stick, t, meeting, hop_time);
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
// normal, at most μ_s R p_n; never more than stops it. 1/R = Σ 1/rᵢ over the bodies that move
// freely, rᵢ from the contact to the centre.
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

}  // namespace carom::methods
