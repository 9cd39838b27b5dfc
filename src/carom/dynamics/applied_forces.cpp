#include "carom/dynamics/applied_forces.h"

#include <algorithm>
#include <cmath>

namespace carom::dynamics {

namespace {

using model::Drag;
using model::Field;
using model::Gravitation;
using model::Push;
using model::Spring;

bool moves(const Scene& scene, const model::Anchor& anchor) {
  return anchor.body && scene.body(*anchor.body).is_dynamic();
}

void append_pieces(const Scene& scene, std::size_t force, std::vector<ForcePiece>& out) {
  const auto each = [&](const std::vector<BodyId>& bodies) {
    for (const BodyId id : bodies) out.push_back({force, id});
  };
  const model::Force& law = scene.forces[force];
  if (const auto* spring = std::get_if<Spring>(&law)) {
    out.push_back({force, *(moves(scene, spring->a) ? spring->a : spring->b).body});
  } else if (const auto* drag = std::get_if<Drag>(&law)) {
    each(drag->bodies);
  } else if (const auto* field = std::get_if<Field>(&law)) {
    each(field->bodies);
  } else if (const auto* push = std::get_if<Push>(&law)) {
    out.push_back({force, push->body});
  } else {
    const std::vector<BodyId>& bodies = std::get<Gravitation>(law).bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t k = i + 1; k < bodies.size(); ++k)
        out.push_back({force, bodies[i], bodies[k]});
  }
}

bool damps(const model::Force& law) {
  const auto* spring = std::get_if<Spring>(&law);
  return std::holds_alternative<Drag>(law) || (spring != nullptr && spring->damping > 0);
}

bool is_within(const Field& field, const Vec3& x) {
  return (x.array() >= field.low.array()).all() && (x.array() <= field.high.array()).all();
}

// One piece at a state, with its damping or without.
class Evaluation {
 public:
  Evaluation(const Scene& scene, const State& at, std::span<Wrench> to, bool with_damping)
      : scene_(scene), at_(at), to_(to), with_damping_(with_damping) {}

  void add(const ForcePiece& piece) {
    std::visit([&](const auto& law) { add(law, piece); }, scene_.forces[piece.force]);
  }

 private:
  void add(const Spring& spring, const ForcePiece&) {
    const AnchorState a = anchor_at(spring.a, at_), b = anchor_at(spring.b, at_);
    const Vec3 d = b.x - a.x, u = b.v - a.v;
    const double c = with_damping_ ? spring.damping : 0;
    Vec3 force = spring.stiffness * d + c * u;
    if (spring.rest > 0) {
      const double length = d.norm();
      if (length == 0) return;  // no direction
      const Vec3 n = d / length;
      force = (spring.stiffness * (length - spring.rest) + c * n.dot(u)) * n;
    }
    push(spring.a, a.lever, force);
    push(spring.b, b.lever, -force);
  }

  void add(const Drag& drag, const ForcePiece& piece) {
    if (!with_damping_) return;
    const BodyState& body = at_[piece.on];
    dynamics::add({-(drag.linear + drag.quadratic * body.v.norm()) * body.v, -drag.angular * body.w,
                   drag.angular * body.w.norm()},
                  to_[index(piece.on)]);
  }

  void add(const Field& field, const ForcePiece& piece) {
    if (is_within(field, at_[piece.on].x))
      to_[index(piece.on)].force += scene_.body(piece.on).mass * field.acceleration;
  }

  void add(const Push& push, const ForcePiece& piece) {
    dynamics::add(push_at(push, at_[piece.on]), to_[index(piece.on)]);
  }

  void add(const Gravitation& law, const ForcePiece& piece) {
    const Vec3 d = at_[piece.other].x - at_[piece.on].x;
    const double square = d.squaredNorm() + law.softening * law.softening;
    if (square == 0) return;
    const double masses = scene_.body(piece.on).mass * scene_.body(piece.other).mass;
    const Vec3 force = law.constant * masses / (square * std::sqrt(square)) * d;
    to_[index(piece.on)].force += force;
    to_[index(piece.other)].force -= force;
  }

  void push(const model::Anchor& on, const Vec3& lever, const Vec3& force) {
    if (!moves(scene_, on)) return;
    const Vec3 torque = lever.cross(force);
    dynamics::add({force, torque, torque.norm()}, to_[index(*on.body)]);
  }

  const Scene& scene_;
  const State& at_;
  std::span<Wrench> to_;
  bool with_damping_;
};

}  // namespace

std::vector<ForcePiece> list_pieces(const Scene& scene) {
  std::vector<ForcePiece> pieces;
  for (std::size_t i = 0; i < scene.forces.size(); ++i) append_pieces(scene, i, pieces);
  std::ranges::stable_sort(pieces, {}, &ForcePiece::on);
  return pieces;
}

AnchorState anchor_at(const model::Anchor& anchor, const State& at) {
  if (!anchor.body) return {anchor.p};
  const BodyState& body = at[*anchor.body];
  const Vec3 lever = body.q * anchor.p;
  return {body.x + lever, body.twist().at(lever), lever};
}

AppliedForces::AppliedForces(const Scene& scene, const ProgramForces* program)
    : scene_(scene), program_(program), pieces_(list_pieces(scene)) {
  if (pieces_.empty()) return;
  first_.resize(scene.bodies.size() + 1);
  for (const ForcePiece& piece : pieces_) {
    ++first_[index(piece.on) + 1];
    const model::Force& law = scene.forces[piece.force];
    if (damps(law)) dampers_.push_back(piece);
    if (std::holds_alternative<Gravitation>(law)) couples_.emplace_back(piece.on, piece.other);
    const auto* spring = std::get_if<Spring>(&law);
    if (spring != nullptr && moves(scene, spring->a) && moves(scene, spring->b))
      couples_.emplace_back(*spring->a.body, *spring->b.body);
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

std::vector<BodyId> AppliedForces::bodies() const {
  std::vector<BodyId> found;
  if (has_program()) program_->list_bodies(found);
  for (const ForcePiece& piece : pieces_) found.push_back(piece.on);
  for (const auto& [a, b] : couples_) found.push_back(b);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void AppliedForces::evaluate(const State& at, AppliedWrenches& out) const {
  const std::size_t count = scene_.bodies.size();
  out.all.assign(empty() ? 0 : count, Wrench{});
  out.program.assign(has_program() ? count : 0, Wrench{});
  if (has_program()) {
    program_->add_pushes(at, out.program);
    program_->add_law(at, out.program);
    out.all = out.program;
  }
  Evaluation evaluation(scene_, at, out.all, true);
  for (const ForcePiece& piece : pieces_) evaluation.add(piece);
}

void AppliedForces::add(std::span<const BodyId> bodies, const State& at,
                        AppliedWrenches& to) const {
  if (has_law()) {  // all bodies that it may ask for are among these
    for (const BodyId id : bodies) to.program[index(id)] = {};
    program_->add_law(at, to.program);
  }
  Evaluation evaluation(scene_, at, to.all, true);
  for (const BodyId id : bodies) {
    if (has_program()) {
      if (!has_law()) to.program[index(id)] = {};
      program_->add_pushes(id, at, to.program[index(id)]);
      dynamics::add(to.program[index(id)], to.all[index(id)]);
    }
    if (first_.empty()) continue;
    for (std::size_t i = first_[index(id)]; i < first_[index(id) + 1]; ++i)
      evaluation.add(pieces_[i]);
  }
}

void AppliedForces::add_conservative(const State& at, std::span<Wrench> to) const {
  Evaluation evaluation(scene_, at, to, false);
  for (const ForcePiece& piece : pieces_) evaluation.add(piece);
}

double compute_potential(const Scene& scene, const State& at) {
  double sum = 0;
  for (const model::Force& force : scene.forces) {
    if (const auto* spring = std::get_if<Spring>(&force)) {
      const double length = (anchor_at(spring->b, at).x - anchor_at(spring->a, at).x).norm();
      sum += 0.5 * spring->stiffness * (length - spring->rest) * (length - spring->rest);
    } else if (const auto* field = std::get_if<Field>(&force); field && field->is_everywhere()) {
      for (const BodyId id : field->bodies)
        sum -= scene.body(id).mass * field->acceleration.dot(at[id].x);
    } else if (const auto* law = std::get_if<Gravitation>(&force)) {
      for (std::size_t i = 0; i < law->bodies.size(); ++i)
        for (std::size_t k = i + 1; k < law->bodies.size(); ++k) {
          const BodyId a = law->bodies[i], b = law->bodies[k];
          const double square = (at[a].x - at[b].x).squaredNorm() + law->softening * law->softening;
          sum -= law->constant * scene.body(a).mass * scene.body(b).mass / std::sqrt(square);
        }
    }
  }
  return sum;
}

}  // namespace carom::dynamics
