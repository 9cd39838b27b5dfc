#include "carom/audit/audit.h"

#include <algorithm>
#include <cstring>

#include "carom/audit/joint_error.h"
#include "carom/audit/ledger.h"
#include "carom/audit/penetration.h"
#include "carom/base/check.h"

namespace carom::audit {

struct Audit::Books {
  Scene scene;  // a copy: the caller's may be gone after begin()
  PenetrationWatch penetration;
  Ledger ledger;
  double max_joint_error = 0;
  State start, middle, end;  // of the present stretch; kept for their memory

  void check_joints(const State& state) {
    for (const model::Joint& joint : scene.joints) {
      max_joint_error = std::max(max_joint_error, compute_joint_error(joint, state));
    }
  }

  // Every accumulator in a fixed order.
  template <typename Visit>
  void visit_numbers(Visit visit) {
    LedgerTotals& t = ledger.totals;
    for (double* number :
         {&penetration.max_depth, &max_joint_error, &t.energy_initial, &t.energy, &t.driven_work,
          &t.dissipated, &t.least_energy, &t.max_gain, &t.max_energy_error, &t.max_momentum_error,
          &t.max_angular_momentum_error}) {
      visit(*number);
    }
    for (Vec3* vector : {&t.momentum, &t.angular_momentum}) {
      for (double& number : *vector) visit(number);
    }
  }
};

namespace {

void evaluate(const Flight& flight, double s, State& out) {
  out.t = flight.t0 + s;
  out.bodies.resize(flight.motions.size());
  for (std::size_t i = 0; i < flight.motions.size(); ++i) {
    const RigidMotion& motion = flight.motions[i];
    const math::RotationState turned = math::rotation_at(motion.rotation, s);
    out.bodies[i] = {math::position_at(motion, s), turned.q, math::velocity_at(motion, s),
                     turned.w};
  }
}

State make_start(const Scene& scene) {
  State state;
  for (const model::InitialMotion& m : scene.initial) state.bodies.push_back({m.x, m.q, m.v, m.w});
  return state;
}

}  // namespace

Audit::Audit() = default;
Audit::~Audit() = default;

void Audit::begin(const Scene& scene) {
  books_ = std::make_unique<Books>();
  books_->scene = scene;
  const State start = make_start(scene);
  books_->penetration.begin(books_->scene);
  books_->ledger.begin(books_->scene, start);
  output(start);
}

void Audit::output(const State& state) {
  books_->penetration.check(state);
  books_->check_joints(state);
}

void Audit::impact(const record::ResolvedImpact& impact) {
  for (const record::ContactEvent& contact : impact.contacts) {
    books_->penetration.check_pair(impact.before, contact.a, contact.b);
  }
  books_->ledger.enter(impact);
  books_->check_joints(impact.after);
}

void Audit::stretch(const record::Stretch& stretch) {
  if (!(stretch.flight.duration > 0)) return;
  evaluate(stretch.flight, 0, books_->start);
  if (stretch.forces.vary()) evaluate(stretch.flight, stretch.flight.duration / 2, books_->middle);
  evaluate(stretch.flight, stretch.flight.duration, books_->end);
  books_->penetration.check(stretch.flight, books_->start, books_->end);
  books_->ledger.enter(stretch, {books_->start, books_->middle, books_->end});
  books_->check_joints(books_->end);
}

record::AuditResult Audit::result() const {
  if (!books_) return {};
  const LedgerTotals& t = books_->ledger.totals;
  return {.max_penetration = books_->penetration.max_depth,
          .max_joint_error = books_->max_joint_error,
          .energy_initial = t.energy_initial,
          .energy_final = t.energy,
          .energy_max_gain = t.max_gain,
          .energy_dissipated = t.dissipated,
          .energy_ledger_error = t.max_energy_error,
          .momentum_error = t.max_momentum_error,
          .angular_momentum_error = t.max_angular_momentum_error};
}

std::string Audit::save() const {
  std::string bytes;
  if (!books_) return bytes;
  books_->visit_numbers([&bytes](const double& number) {
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    bytes.append(raw, sizeof number);
  });
  return bytes;
}

void Audit::restore(const std::string& bytes) {
  base::check(books_ != nullptr, "an audit has begun before it is restored");
  base::check(bytes.size() == save().size(), "saved audit has the right size");
  std::size_t at = 0;
  books_->visit_numbers([&](double& number) {
    std::memcpy(&number, bytes.data() + at, sizeof number);
    at += sizeof number;
  });
}

}  // namespace carom::audit
