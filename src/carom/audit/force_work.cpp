#include "carom/audit/force_work.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::audit {

namespace {

using model::Motion;

constexpr std::array<double, 5> kBoole = {7.0 / 90, 32.0 / 90, 12.0 / 90, 32.0 / 90, 7.0 / 90};
constexpr std::size_t kMiddle = 2;

bool holds(const model::Field& field, const Vec3& x) {
  for (int i = 0; i < 3; ++i)
    if (x[i] < field.low[i] || x[i] > field.high[i]) return false;
  return true;
}

}  // namespace

void ForceSum::add(double weight, const ForceSum& more) {
  impulse += weight * more.impulse;
  moment += weight * more.moment;
  work += weight * more.work;
  given += weight * more.given;
}

void ForceLaws::begin(const Scene& scene) {
  scene_ = &scene;
  parts_.clear();
  for (std::size_t i = 0; i < scene.forces.size(); ++i) list(i);
  std::ranges::stable_sort(parts_, {}, &Part::on);
  first_.assign(scene.bodies.size() + 1, 0);
  for (const Part& part : parts_) ++first_[index(part.on) + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

bool ForceLaws::is_dynamic(const model::Anchor& anchor) const {
  return anchor.body && scene_->body(*anchor.body).motion == Motion::Dynamic;
}

void ForceLaws::list(std::size_t force) {
  const auto on_each = [&](const auto& law) {
    for (const BodyId id : law.bodies) parts_.push_back({force, id, id});
  };
  const model::Force& law = scene_->forces[force];
  if (const auto* spring = std::get_if<model::Spring>(&law)) {
    const BodyId on = *(is_dynamic(spring->a) ? spring->a : spring->b).body;
    parts_.push_back({force, on, on});
  } else if (const auto* push = std::get_if<model::Push>(&law)) {
    parts_.push_back({force, push->body, push->body});
  } else if (const auto* drag = std::get_if<model::Drag>(&law)) {
    on_each(*drag);
  } else if (const auto* field = std::get_if<model::Field>(&law)) {
    on_each(*field);
  } else {
    const auto& bodies = std::get<model::Gravitation>(law).bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t k = i + 1; k < bodies.size(); ++k)
        parts_.push_back({force, bodies[i], bodies[k]});
  }
}

ForceLaws::Seen ForceLaws::see(const model::Anchor& anchor, const At& at) {
  if (!anchor.body) return {anchor.p, Vec3::Zero()};
  const BodyState body = at(*anchor.body);
  const Vec3 r = body.q * anchor.p;
  return {body.x + r, body.v + body.w.cross(r)};
}

// A force at a point of a body: what it does to one that is dynamic; what one that is driven spends
// against it comes from outside.
void ForceLaws::act(const model::Anchor& on, const Vec3& force, const At& at, ForceSum& to) const {
  if (!on.body) return;
  const Seen point = see(on, at);
  const double power = force.dot(point.v);
  if (is_dynamic(on))
    to.add(1, {force, point.x.cross(force), power, 0});
  else
    to.given -= power;
}

void ForceLaws::add_rate(const Part& part, const At& at, ForceSum& to) const {
  const model::Force& law = scene_->forces[part.force];
  const double mass = scene_->body(part.on).mass;
  if (const auto* spring = std::get_if<model::Spring>(&law)) {
    const Seen a = see(spring->a, at), b = see(spring->b, at);
    const Vec3 d = b.x - a.x, u = b.v - a.v;
    const double l = d.norm();
    const Vec3 e = l > 0 ? Vec3(d / l) : Vec3(Vec3::Zero());
    const Vec3 pull =
        spring->rest > 0
            ? Vec3(((l - spring->rest) * spring->stiffness + spring->damping * u.dot(e)) * e)
            : Vec3(spring->stiffness * d + spring->damping * u);
    act(spring->a, pull, at, to);
    act(spring->b, -pull, at, to);
  } else if (const auto* drag = std::get_if<model::Drag>(&law)) {
    const BodyState body = at(part.on);
    const Vec3 force = -drag->linear * body.v - drag->quadratic * body.v.norm() * body.v;
    const Vec3 torque = -drag->angular * body.w;
    to.add(1, {force, body.x.cross(force) + torque, force.dot(body.v) + torque.dot(body.w), 0});
  } else if (const auto* field = std::get_if<model::Field>(&law)) {
    const BodyState body = at(part.on);
    if (!holds(*field, body.x)) return;
    const Vec3 force = mass * field->acceleration;
    const double power = force.dot(body.v);
    to.add(1, {force, body.x.cross(force), power, field->is_everywhere() ? 0 : power});
  } else if (const auto* push = std::get_if<model::Push>(&law)) {
    const BodyState body = at(part.on);
    const Vec3 force = push->turns ? Vec3(body.q * push->force) : push->force;
    const Vec3 torque = push->turns ? Vec3(body.q * push->torque) : push->torque;
    const Seen point = see({push->body, push->point}, at);
    const double power = force.dot(point.v) + torque.dot(body.w);
    to.add(1, {force, point.x.cross(force) + torque, power, power});
  } else {
    const auto& gravitation = std::get<model::Gravitation>(law);
    const BodyState a = at(part.on), b = at(part.other);
    const Vec3 d = b.x - a.x;
    const double r = std::sqrt(d.squaredNorm() + gravitation.softening * gravitation.softening);
    if (r == 0) return;
    const Vec3 force =
        gravitation.constant * mass * scene_->body(part.other).mass / (r * r * r) * d;
    to.add(1, {force, a.x.cross(force), force.dot(a.v), 0});
    to.add(1, {-force, -b.x.cross(force), -force.dot(b.v), 0});
  }
}

template <typename ForEach>
ForceWork ForceLaws::integrate(double h, const BodyAt& body_at,
                               const ForEach& for_each_part) const {
  ForceWork work;
  ForceSum middle;
  for (std::size_t k = 0; k < kBoole.size(); ++k) {
    const double s = h * static_cast<double>(k) / static_cast<double>(kBoole.size() - 1);
    const At at = [&](BodyId id) { return body_at(id, s); };
    ForceSum rate;
    for_each_part([&](const Part& part) { add_rate(part, at, rate); });
    work.sum.add(h * kBoole[k], rate);
    if (k == kMiddle) middle.add(h, rate);
  }
  work.energy_off = std::abs(work.sum.work - middle.work) + std::abs(work.sum.given - middle.given);
  work.impulse_off = (work.sum.impulse - middle.impulse).norm();
  work.moment_off = (work.sum.moment - middle.moment).norm();
  return work;
}

ForceWork ForceLaws::over(double h, const BodyAt& body_at) const {
  return integrate(h, body_at, [&](const auto& visit) {
    for (const Part& part : parts_) visit(part);
  });
}

ForceWork ForceLaws::over(double h, std::span<const BodyId> bodies, const BodyAt& body_at) const {
  return integrate(h, body_at, [&](const auto& visit) {
    for (const BodyId id : bodies)
      for (std::size_t i = first_[index(id)]; i < first_[index(id) + 1]; ++i) visit(parts_[i]);
  });
}

double ForceLaws::stored(const State& state) const {
  double sum = 0;
  const At at = [&](BodyId id) { return state[id]; };
  for (const Part& part : parts_) {
    const model::Force& law = scene_->forces[part.force];
    const double mass = scene_->body(part.on).mass;
    if (const auto* spring = std::get_if<model::Spring>(&law)) {
      const double stretched = (see(spring->b, at).x - see(spring->a, at).x).norm() - spring->rest;
      sum += spring->stiffness / 2 * stretched * stretched;
    } else if (const auto* field = std::get_if<model::Field>(&law)) {
      if (field->is_everywhere()) sum -= mass * field->acceleration.dot(state[part.on].x);
    } else if (const auto* gravitation = std::get_if<model::Gravitation>(&law)) {
      const Vec3 d = state[part.other].x - state[part.on].x;
      const double r = std::sqrt(d.squaredNorm() + gravitation->softening * gravitation->softening);
      sum -= gravitation->constant * mass * scene_->body(part.other).mass / r;
    }
  }
  return sum;
}

}  // namespace carom::audit
