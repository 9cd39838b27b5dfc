#include "carom/audit/audit.h"

#include <algorithm>
#include <optional>

#include "carom/audit/ball_frames.h"
#include "carom/audit/elastic_forces.h"
#include "carom/audit/frame_watch.h"
#include "carom/audit/joint_error.h"
#include "carom/audit/ledger.h"
#include "carom/audit/limits.h"
#include "carom/audit/penetration.h"
#include "carom/base/bytes.h"
#include "carom/base/check.h"

namespace carom::audit {

struct Audit::Books {
  Scene scene;  // a copy: the caller's may be gone after begin()
  PenetrationWatch penetration;
  Ledger ledger;
  ScaleWatch scale_watch;
  // Where the method's contacts are elastic.
  std::optional<ElasticEnergy> springs;
  ElasticForces elastic_forces;
  JointError joint_error;                                   // the greatest of each
  std::vector<std::vector<const model::Joint*>> joints_of;  // per body
  State start, middle, end;  // of the present segment; kept for their memory
  FrameWalk walk;
  FrameWatch frame_watch{penetration};
  BallFrames ball_frames{penetration, ledger};
  double watched_until = -1;  // s; the end of the last segment or frame

  void list_joints() {
    joints_of.resize(scene.bodies.size());
    for (const model::Joint& joint : scene.joints)
      for (const BodyId id : {joint.a, joint.b}) joints_of[index(id)].push_back(&joint);
  }

  void keep(const JointError& error) {
    joint_error = {std::max(joint_error.gap, error.gap), std::max(joint_error.turn, error.turn)};
  }

  EnergyRange stored(const State& state) {
    return springs ? springs->find(state, penetration) : EnergyRange{};
  }

  void check_joints(const State& state) {
    for (const model::Joint& joint : scene.joints) {
      keep(compute_joint_error(joint, state[joint.a], state[joint.b]));
    }
  }

  // Each once: by the first of its bodies that is dynamic.
  void check_joints(const record::ClusterSegment& segment) {
    for (const BodyId id : segment.bodies) {
      for (const model::Joint* joint : joints_of[index(id)]) {
        if (id == joint->b && walk.is_dynamic(joint->a)) continue;
        keep(compute_joint_error(*joint, before(joint->a, segment.t1),
                                 before(joint->b, segment.t1)));
      }
    }
  }

  void enter_flight(BodyId id) {
    const Piece& piece = walk.piece(id);
    if (walk.is_dynamic(id) && piece.is_free)
      ledger.enter_flight(id, {piece.start, piece.end}, piece.duration());
  }

  BodyState before(BodyId id, double t) const {
    const Piece& piece = walk.piece(id);
    return t == piece.t1 ? piece.end : dynamics::state_on(piece.motion, t - piece.t0);
  }

  void enter(const record::Frame& frame, const Turn& turn) {
    for (const NextPiece& next : walk.next_pieces(turn)) {
      frame_watch.end_piece(next.body, turn.t);
      enter_flight(next.body);
    }
    switch (turn.kind) {
      case TurnKind::Collision: {
        const record::Collision& collision = frame.collisions[turn.number];
        ledger.enter_collision(collision, before(collision.event.a, turn.t),
                               before(collision.event.b, turn.t));
        break;
      }
      case TurnKind::SegmentEnd:
        ledger.enter_segment(frame.segments[turn.number]);
        check_joints(frame.segments[turn.number]);
        if (springs) elastic_forces.enter(frame.segments[turn.number], walk);
        break;
      case TurnKind::SegmentStart:
        for (const NextPiece& next : walk.next_pieces(turn))
          ledger.enter_jump(next.body,
                            {walk.piece(next.body).end, dynamics::state_on(*next.motion, 0)});
        break;
    }
    walk.pass(turn);
  }

  // Body by body from turn to turn.
  void follow(const record::Frame& frame) {
    walk.begin(scene, penetration.levers(), frame);
    frame_watch.begin(walk);
    const std::span<const Turn> turns = walk.turns();
    for (std::size_t i = 0; i < turns.size(); ++i) {
      frame_watch.reach(i);
      enter(frame, turns[i]);
    }
    frame_watch.end(frame.end.t);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) enter_flight(id_of<BodyId>(i));
  }

  void judge(const record::Frame& frame) {
    ledger.begin_frame(frame.start, stored(frame.start));
    if (ball_frames.apply() && frame.segments.empty())
      ball_frames.judge(frame);
    else
      follow(frame);
    ledger.end_frame(frame.end, stored(frame.end));
    scale_watch.see(frame.end);
    check_joints(frame.end);
    watch_until(frame.end.t);
  }

  void watch_until(double t) {
    constexpr double kOutputSlack = 1e-9;  // an output at the end may miss it by round-off
    watched_until = t + kOutputSlack * scene.output_every;
  }

  void check(const State& state) {
    if (ball_frames.apply())
      ball_frames.check(state);
    else
      penetration.check(state);
    scale_watch.see(state);
  }

  // Every accumulator in a fixed order.
  template <typename Visit>
  void visit_numbers(Visit visit) {
    LedgerTotals& t = ledger.totals;
    for (double* number :
         {&penetration.max_depth, &joint_error.gap, &joint_error.turn, &t.energy_initial, &t.energy,
          &t.driven_work, &t.most_driven_work, &t.dissipated, &t.least_energy, &t.max_gain,
          &t.max_energy_error, &t.max_momentum_error, &t.max_angular_momentum_error,
          &t.stored_initial, &t.stored, &t.most_stored, &t.forces_energy_off, &t.forces_impulse_off,
          &t.forces_moment_off}) {
      visit(*number);
    }
    for (Vec3* vector : {&t.momentum, &t.angular_momentum}) {
      for (double& number : *vector) visit(number);
    }
    for (LedgerTotals::Off& off : t.off)
      for (Vec3* vector : {&off.impulse, &off.moment})
        for (double& number : *vector) visit(number);
    scale_watch.scales.visit(visit);
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

constexpr char kSampledMark = 's';  // after the numbers, so that what is whole stays as it was

State make_start(const Scene& scene) {
  State state;
  for (const model::InitialMotion& m : scene.initial) state.bodies.push_back({m.x, m.q, m.v, m.w});
  return state;
}

}  // namespace

Audit::Audit(record::AuditCoverage coverage) : coverage_(coverage) {}
Audit::~Audit() = default;

void Audit::begin(const Scene& scene) {
  books_ = std::make_unique<Books>();
  books_->scene = scene;
  books_->list_joints();
  const State start = make_start(scene);
  books_->penetration.begin(books_->scene);
  books_->penetration.samples = coverage_ == record::AuditCoverage::Sampled;
  books_->ball_frames.begin(books_->scene);
  books_->scale_watch.begin(books_->scene, books_->penetration.radii());
  if (deforms(scene)) {
    books_->springs.emplace().begin(books_->scene, books_->penetration);
    books_->elastic_forces.begin(books_->scene, books_->penetration, *books_->springs);
  }
  books_->ledger.begin(books_->scene, start, books_->stored(start));
  output(start);
}

// Segments and frames have been judged at every time when their outputs come, but for joints.
bool Audit::reads_outputs() const { return !books_ || !books_->scene.joints.empty(); }

void Audit::output(const State& state) {
  if (state.t > books_->watched_until) books_->check(state);
  books_->check_joints(state);
}

void Audit::impact(const record::ResolvedImpact& impact) {
  for (const record::ContactEvent& contact : impact.contacts) {
    books_->penetration.check_pair(impact.before, contact.a, contact.b);
  }
  books_->ledger.enter(impact);
  books_->check_joints(impact.after);
  books_->scale_watch.see(impact.after);
}

void Audit::segment(const record::Segment& segment) {
  if (!(segment.flight.duration > 0)) return;
  evaluate(segment.flight, 0, books_->start);
  if (segment.forces.vary()) evaluate(segment.flight, segment.flight.duration / 2, books_->middle);
  evaluate(segment.flight, segment.flight.duration, books_->end);
  books_->penetration.check(segment.flight, books_->start, books_->end);
  books_->ledger.enter(segment, {books_->start, books_->middle, books_->end});
  books_->check_joints(books_->end);
  books_->scale_watch.see(books_->end);
  books_->watch_until(segment.flight.t0 + segment.flight.duration);
  double& longest = books_->scale_watch.scales.longest_step;
  longest = std::max(longest, segment.flight.duration);
  if (segment.forces.start.empty()) return;
  double& held = books_->scale_watch.scales.longest_held;
  held = std::max(held, segment.flight.duration);
}

void Audit::frame(const record::Frame& frame) {
  if (frame.duration() > 0 || !frame.collisions.empty()) books_->judge(frame);
}

void Audit::set(const State& before, const State& after) {
  books_->ledger.enter_outside({before, books_->stored(before)}, {after, books_->stored(after)});
  books_->elastic_forces.forget();
  output(after);
}

record::AuditResult Audit::result(const record::JudgedNumbers& tolerated) const {
  if (!books_) return {.coverage = record::AuditCoverage::Off};
  const LedgerTotals& t = books_->ledger.totals;
  const JointError& joint = books_->joint_error;
  Scales scales = books_->scale_watch.scales;
  scales.energy += t.most_stored;
  record::AuditResult result{
      .max_penetration = books_->penetration.max_depth,
      .max_joint_gap = joint.gap,
      .max_joint_turn = joint.turn,
      .max_joint_error = std::max(joint.gap, joint.turn),
      .energy_initial = t.energy_initial + t.stored_initial,
      .energy_final = t.energy + t.stored,
      .energy_max_gain = t.max_gain,
      .energy_dissipated = t.dissipated,
      .energy_ledger_error = t.max_energy_error,
      .momentum_error = std::max(t.max_momentum_error, books_->elastic_forces.error()),
      .angular_momentum_error = t.max_angular_momentum_error};
  const double indentation =
      books_->springs ? books_->springs->deepest(scales.energy + t.most_driven_work) : 0;
  result.coverage = coverage_;
  result.limits = compute_limits(books_->scene, scales, indentation);
  allow_held_forces(books_->scene, t, result.limits);
  allow_round_off(t, result.limits);
  tolerate(tolerated, result.limits);
  return result;
}

std::string Audit::save() const {
  std::string bytes;
  if (!books_) return bytes;
  books_->visit_numbers([&bytes](const double& number) { base::append_bytes(bytes, number); });
  if (books_->springs) books_->elastic_forces.save(bytes);
  if (coverage_ == record::AuditCoverage::Sampled) bytes.push_back(kSampledMark);
  return bytes;
}

record::AuditCoverage Audit::find_coverage(std::string_view bytes) const {
  using enum record::AuditCoverage;
  if (bytes.empty()) return Off;
  return bytes.size() % sizeof(double) == 0 ? Full : Sampled;
}

void Audit::restore(const std::string& bytes) {
  if (coverage_ == record::AuditCoverage::Off) return;
  base::check(books_ != nullptr, "an audit has begun before it is restored");
  std::string_view left = bytes;
  if (coverage_ == record::AuditCoverage::Sampled) left.remove_suffix(1);
  books_->visit_numbers([&left](double& number) { base::take_bytes(left, number); });
  if (books_->springs) books_->elastic_forces.restore(left);
  base::check(left.empty(), "saved audit has the right size");
}

}  // namespace carom::audit
