#include "carom/impact/impulse_space/impulse_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/impact/impulse_space/ray_approach.h"

namespace carom::impact {

namespace {

constexpr double kStill = 1e-14;    // of |u|: slower than this, the contact does not slide
constexpr double kOnRay = 1.5e-14;  // of the scale of H: H vanishes
constexpr double kRigid = 1e-14;    // of the terms that cancel in it: a lifting below is none
constexpr double kHeld = 1e-12;     // of |u|: a slower approach stopped together with the sliding
constexpr double kSettled = 1e-16;  // of |u| times that scale: what is left of a turn is round-off
constexpr int kMaxSteps = 10'000;
constexpr double kNever = std::numeric_limits<double>::infinity();

struct Sample {
  double value, slope;
};

// Part of a path, by its parameter.
struct ParameterRange {
  double from, to;
};

// The root of g in a range at whose start it is not positive and at whose end not negative:
// Newton's method, bisection where that leaves the bracket or hardly shrinks it.
template <typename Function>
double find_root(const Function& g, const ParameterRange& within) {
  constexpr double kQuadratic = 1e-8;  // a step so short, beside s, is the last
  double low = within.from, high = within.to, s = low;
  for (int i = 0; i < 100; ++i) {
    const Sample here = g(s);
    (here.value < 0 ? low : high) = s;
    if (high - low <= std::numeric_limits<double>::epsilon() * within.to) break;
    const double step = -here.value / here.slope;
    const bool inside = s + step > low && s + step < high && i % 8 != 7;
    s = inside ? s + step : 0.5 * (low + high);
    if (inside && std::abs(step) <= kQuadratic * s) return s;
  }
  return high;
}

// Where a piece of the path leads: to its own end, or to a milestone before it.
struct Reached {
  double distance = kNever;
  std::optional<Milestone> milestone;
};

Reached sooner(const Reached& a, const Reached& b) { return b.distance < a.distance ? b : a; }

class Passage {
 public:
  Passage(const Collision& collision, CollisionPath* path)
      : collision_(collision),
        contact_(collision.K, collision.friction),
        rule_(collision.rule, collision.restitution, -collision.u.x()),
        path_(path),
        start_(contact_.to_principal(collision.u)) {
    look_along({start_.y(), start_.z()});
  }

  CollisionResult run() {
    record();
    while (!ended_ && result_.status == CollisionStatus::Ended) {
      if (result_.steps == kMaxSteps) {
        result_.status = CollisionStatus::StepCap;
        break;
      }
      ++result_.steps;
      advance();
    }
    result_.impulse = contact_.from_principal(impulse_);
    result_.u_plus = collision_.u + collision_.K * result_.impulse;
    return result_;
  }

 private:
  struct Straight {
    Vec3 push;
    double speeding = 0;
    Motion motion = Motion::Slides;
  };

  NormalState state() const { return {impulse_.x(), normal_speed(), released_}; }
  double normal_speed() const { return start_.x() + contact_.K().row(0).dot(impulse_); }

  void look_along(Direction u_t) {
    speed_ = std::sqrt(u_t.x * u_t.x + u_t.y * u_t.y);
    if (speed_ <= kStill * start_.norm()) speed_ = 0;
    if (speed_ > 0) direction_ = {u_t.x / speed_, u_t.y / speed_};
  }

  void advance() {
    if (contact_.friction() == 0) {
      pass({.push = Vec3::UnitX()});
    } else if (speed_ == 0) {
      leave_rest();
    } else if (on_ray_ || settled()) {
      on_ray_ = true;
      pass({contact_.push(direction_), contact_.speeding(direction_), Motion::Slides});
    } else {
      pass_curve();
    }
  }

  // To the ray that the contact turns to, if it is near; a piece of the way elsewhere.
  void pass_curve() {
    SlidingStart start{direction_, speed_, std::nullopt};
    if (rule_.counts_work()) start.normal_speed = normal_speed();
    if (may_approach_ray()) {
      if (const auto approach = RayApproach::find(contact_, start)) return follow(*approach);
    }
    follow(SlidingSeries(contact_, start));
  }

  // Where neither work is asked for nor u_n can fall, and where what is left of the impact is not
  // too short for the digits that such a path loses on its first steps.
  bool may_approach_ray() const {
    constexpr double kGrazing = 10;
    return !rule_.counts_work() && !contact_.can_sink() && speed_ < -kGrazing * start_.x();
  }

  // Whether the direction of sliding no longer changes, or what changes is lost in round-off before
  // the contact stops.
  bool settled() const {
    const double turning = std::abs(contact_.turning(direction_));
    if (turning <= kOnRay * contact_.scale()) return true;
    return contact_.speeding(direction_) < 0 &&
           speed_ * turning <= kSettled * start_.norm() * contact_.scale() &&
           contact_.turning_rate(direction_) < 0;
  }

  void leave_rest() {
    if (contact_.sticks()) {
      pass({contact_.hold(), 0, Motion::Sticks});
      return;
    }
    const Ray ray = contact_.departure();
    direction_ = ray.direction;
    on_ray_ = true;
    pass({contact_.push(direction_), ray.speeding, Motion::Slides});
  }

  void pass(const Straight& piece) {
    const double lifting = lifting_of(piece.push);
    const bool idle = lifting == 0 && piece.speeding >= -kRigid * contact_.scale();
    Reached reached = idle ? milestone_at_rest() : milestone_on_line(lifting);
    if (piece.speeding < 0) reached = sooner(reached, {-speed_ / piece.speeding, Milestone::Stop});
    if (!reached.milestone) {
      result_.status = CollisionStatus::Jammed;
      return;
    }
    const double d = reached.distance;
    add_work((normal_speed() + 0.5 * lifting * d) * d);
    impulse_ += d * piece.push;
    speed_ = reached.milestone == Milestone::Stop ? 0 : speed_ + d * piece.speeding;
    record();
    arrive(*reached.milestone, piece.motion);
  }

  // du_n/dp_n, and zero where K is singular and nothing but round-off is left of it.
  double lifting_of(const Vec3& push) const {
    const Mat3& K = contact_.K();
    const double lifting = K.row(0).dot(push);
    const double side = push.tail<2>().squaredNorm();
    const double noise = kRigid * (K(0, 0) + std::max(K(1, 1), K(2, 2)) * side);
    return std::abs(lifting) <= noise ? 0 : lifting;
  }

  // K is singular and a push changes nothing: what could have been released is lost.
  Reached milestone_at_rest() const {
    if (!compressing_) return {0, Milestone::End};
    if (normal_speed() < -kHeld * start_.norm()) return {};
    return {0, Milestone::MaximumCompression};
  }

  // u_n = u + lifting·d from here on.
  Reached milestone_on_line(double lifting) const {
    const double u = normal_speed();
    if (compressing_) {
      if (lifting <= 0) return {};
      return {std::max(0.0, -u / lifting), Milestone::MaximumCompression};
    }
    Reached end{rule_.left_on_line(state(), lifting), std::nullopt};
    if (end.distance < kNever) end.milestone = Milestone::End;
    if (lifting >= 0) return end;
    return sooner(end, {std::max(0.0, -u / lifting), Milestone::Recompression});
  }

  // Past maximum compression it goes on along the same path.
  template <typename Path>
  void follow(const Path& path) {
    path_start_ = impulse_;
    work_before_ = 0;
    ParameterRange left{0, until_lifting_changes(path)};
    const bool rises =
        !contact_.can_sink() || contact_.lifting(path.at(0.5 * left.to).direction) > 0;
    const SlidingPoint last = path.at(left.to);
    for (;;) {
      const Reached reached = milestone_on_curve(path, left, last, rises);
      sample(path, {left.from, reached.distance});
      go_to(reached.milestone ? path.at(reached.distance) : last);
      if (reached.milestone) arrive(*reached.milestone, Motion::Slides);
      if (reached.milestone != Milestone::MaximumCompression || ended_) return;
      left.from = reached.distance;
    }
  }

  void go_to(const SlidingPoint& at) {
    add_work(at.work - work_before_);
    work_before_ = at.work;
    impulse_ = path_start_ + at.impulse;
    direction_ = at.direction;
    speed_ = at.speed;
    record();
  }

  double normal_speed_at(const SlidingPoint& point) const {
    return start_.x() + contact_.K().row(0).dot(path_start_ + point.impulse);
  }

  // So that u_n rises or falls all along the piece.
  template <typename Path>
  double until_lifting_changes(const Path& path) const {
    if (!contact_.can_sink()) return path.length();
    const double first = contact_.lifting(direction_);
    if ((first > 0) == (contact_.lifting(path.at(path.length()).direction) > 0))
      return path.length();
    const double sign = first > 0 ? -1 : 1;
    const auto lifting = [&](double s) {
      const SlidingPoint at = path.at(s);
      const double turning = contact_.turning(at.direction) / at.speed * at.pace;
      return Sample{sign * contact_.lifting(at.direction),
                    sign * contact_.lifting_rate(at.direction) * turning};
    };
    const double cut = find_root(lifting, {0, path.length()});
    return cut > 1e-12 * path.length() ? cut : path.length();
  }

  template <typename Path>
  Reached milestone_on_curve(const Path& path, const ParameterRange& left, const SlidingPoint& last,
                             bool rises) const {
    Reached reached{left.to, std::nullopt};
    if (compressing_) {
      if (!rises || normal_speed_at(last) < 0) return reached;
      return {find_speed_zero(path, left, 1), Milestone::MaximumCompression};
    }
    if (left_at(last) <= 0) reached = {find_end(path, left), Milestone::End};
    if (rises || normal_speed_at(last) >= 0) return reached;
    return sooner(reached, {find_speed_zero(path, left, -1), Milestone::Recompression});
  }

  // Where u_n, times the sign, comes up to zero.
  template <typename Path>
  double find_speed_zero(const Path& path, const ParameterRange& left, double sign) const {
    return find_root(
        [&](double s) {
          const SlidingPoint at = path.at(s);
          return Sample{sign * normal_speed_at(at),
                        sign * contact_.lifting(at.direction) * at.pace};
        },
        left);
  }

  double left_at(const SlidingPoint& point) const {
    return rule_.left({path_start_.x() + point.impulse.x(), normal_speed_at(point),
                       released_ + point.work - work_before_});
  }

  template <typename Path>
  double find_end(const Path& path, const ParameterRange& left) const {
    return find_root(
        [&](double s) {
          const SlidingPoint at = path.at(s);
          const double rate =
              rule_.counting_rate(normal_speed_at(at), contact_.lifting(at.direction));
          return Sample{-left_at(at), rate * at.pace};
        },
        left);
  }

  void add_work(double work) { (compressing_ ? stored_ : released_) += work; }

  void arrive(Milestone milestone, Motion motion) {
    note({motion, milestone});
    if (milestone == Milestone::Stop) on_ray_ = false;
    if (milestone == Milestone::Recompression) compressing_ = true;
    if (milestone == Milestone::End) ended_ = true;
    if (milestone != Milestone::MaximumCompression) return;
    compressing_ = false;
    result_.compression_impulse = impulse_.x();
    rule_.start(impulse_.x(), -stored_);
    ended_ = collision_.restitution == 0;
  }

  void note(const Phase& phase) {
    const auto at = static_cast<std::size_t>(result_.phase_count);
    if (at == result_.phases.size()) return;
    result_.phases[at] = phase;
    ++result_.phase_count;
  }

  void record() {
    if (path_) path_->push_back(contact_.from_principal(start_ + contact_.K() * impulse_));
  }

  template <typename Path>
  void sample(const Path& path, const ParameterRange& passed) {
    if (!path_) return;
    for (const double part : {0.2, 0.4, 0.6, 0.8}) {
      const SlidingPoint at = path.at(passed.from + part * (passed.to - passed.from));
      const Vec3 u = start_ + contact_.K() * (path_start_ + at.impulse);
      path_->push_back(contact_.from_principal(u));
    }
  }

  const Collision& collision_;
  SlidingContact contact_;
  RestitutionRule rule_;
  CollisionPath* path_;
  Vec3 start_;  // u before; this and the impulse in principal axes
  Vec3 impulse_ = Vec3::Zero(), path_start_ = Vec3::Zero();
  Direction direction_;
  double speed_ = 0;  // of sliding
  bool on_ray_ = false, compressing_ = true, ended_ = false;
  double stored_ = 0, released_ = 0;  // work of the normal impulse in either phase
  double work_before_ = 0;            // on the present path, counted already
  CollisionResult result_;
};

}  // namespace

CollisionResult pass_through(const Collision& collision, CollisionPath* path) {
  if (collision.u.x() > 0 || collision.K(0, 0) <= 0) return {.u_plus = collision.u};
  return Passage(collision, path).run();
}

Vec3 find_impulse(const Collision& collision, Fallbacks& fallbacks) {
  constexpr double kEnergyTolerance = 1e-12;  // of |p||u|
  const CollisionResult passed = pass_through(collision);
  Vec3 impulse = passed.impulse;
  if (passed.status != CollisionStatus::Ended) {
    ++fallbacks.inelastic_end;
    impulse.x() += std::max(0.0, -passed.u_plus.x()) / collision.K(0, 0);
  }
  const double gain = impulse.dot(collision.u) + 0.5 * impulse.dot(collision.K * impulse);
  if (!(gain > kEnergyTolerance * impulse.norm() * collision.u.norm())) return impulse;
  ++fallbacks.energy_bound;
  return {-collision.u.x() / collision.K(0, 0), 0, 0};
}

std::optional<Vec3> find_reversal(const Mat3& K, const Vec3& u, double friction) {
  const SlidingContact contact(K, friction);
  const Mat3& A = contact.K();
  const Vec3 hold = contact.hold();
  const double stiffness = A.row(0).dot(hold);
  if (A(1, 1) == 0 || A(2, 2) == 0 || !(stiffness > 0)) return std::nullopt;
  const Vec3 change = -2 * contact.to_principal(u);
  const double normal = hold.dot(change) / stiffness;
  const Vec3 impulse(normal, change.y() / A(1, 1) + normal * hold.y(),
                     change.z() / A(2, 2) + normal * hold.z());
  if (normal < 0 || std::hypot(impulse.y(), impulse.z()) > friction * normal) return std::nullopt;
  return contact.from_principal(impulse);
}

}  // namespace carom::impact
