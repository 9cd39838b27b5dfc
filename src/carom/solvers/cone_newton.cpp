#include "carom/solvers/cone_newton.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

namespace {

using math::BlockRows;
using math::Index;
using math::Vec2;
using math::VecView;

constexpr double kLeast = 1e-12, kGreatest = 1;  // d beside a contact's own stiffness
constexpr double kTenfold = 10;
constexpr double kSolved = 0.1;  // of the proximal problem, in energy, beside what is left
constexpr int kFewSteps = 4, kMostSteps = 5;  // with one centre
constexpr int kPatienceWhenGood = 2;
constexpr double kMuchBetter = 0.5;
constexpr double kGood = 1e-12;        // of the greatest velocity: a better one may not exist
constexpr double kRoundOff = 2.2e-16;  // of the gross velocities: a better one does not exist

Vec3 at(const math::VecBuffer& x, std::size_t contact) {
  return x.view().segment<3>(static_cast<Index>(3 * contact));
}

Vec2 direction(const SlipDirection& slip) { return {slip.first, slip.second}; }

Vec2 onto_disc(const Vec2& x, double radius) {
  const double length = x.norm();
  return length > radius ? Vec2(x * (radius / length)) : x;
}

// What p lacks of the law at velocities u, in velocity: along the normal and in the tangent plane.
struct Lack {
  double normal = 0, tangents = 0;
};
template <typename Contact>
Lack lack_of(const Contact& contact, const Vec3& p, const Vec3& u) {
  if (contact.normal <= 0) return {};
  const double closing = u.x() + contact.softness * p.x();
  Lack lack{.normal = std::abs(std::min(closing, p.x() * contact.normal))};
  if (contact.tangents <= 0 || contact.slip.slides()) return lack;
  const Vec2 own = p.tail<2>();
  const Vec2 aim = onto_disc(own - u.tail<2>() / contact.tangents, contact.friction * p.x());
  lack.tangents = contact.tangents * (aim - own).norm();
  return lack;
}
template <typename Turning>
double lack_of_couple(const Turning& couple, double normal, const Vec3& p, const Vec3& u) {
  if (couple.stiffness <= 0 || couple.law.is_turning()) return 0;
  const double radius = couple.law.coefficient * normal;
  return couple.stiffness * (onto_ball(p - u / couple.stiffness, radius) - p).norm();
}
template <typename Contact>
double energy_of(const Contact& contact, const Lack& lack) {
  const double normal = contact.normal > 0 ? lack.normal * lack.normal / contact.normal : 0;
  return normal + (contact.tangents > 0 ? lack.tangents * lack.tangents / contact.tangents : 0);
}

}  // namespace

SolveResult ConeNewton::solve(const BlockRows& rows, math::VecIn w,
                              std::span<const double> friction, VecView x,
                              const NewtonOptions& options) {
  set_up(rows, friction, options);
  centre_.resize(x.size()) = iterate_.resize(x.size()) = x;
  Miss miss = measure(rows, w);
  centre_.view() = iterate_.view() = x = projected_.view();
  SolveResult result{SolveStatus::IterationCap, 0, miss.worst};
  const double good = kGood * (x.size() > 0 ? w.cwiseAbs().maxCoeff() : 0.0);
  double enough = std::max(options.tolerance, kRoundOff * miss.gross);
  int since = 0;
  for (; result.residual > enough && result.iterations < options.max_steps; ++result.iterations) {
    watched_.poll();
    if (since++ >= (result.residual > good ? options.patience : kPatienceWhenGood)) break;
    miss = step(rows, w) ? measure(rows, w) : Miss{HUGE_VAL, HUGE_VAL, HUGE_VAL};
    if (miss.worst < result.residual) {
      if (miss.worst < kMuchBetter * result.residual) since = 0;
      result.residual = miss.worst;
      enough = std::max(options.tolerance, kRoundOff * miss.gross);
      x = projected_.view();
    }
    if (!std::isfinite(miss.energy)) iterate_.view() = projected_.view() = x;
    move_centre(miss);
  }
  if (result.residual <= enough) result.status = SolveStatus::Converged;
  return result;
}

void ConeNewton::set_up(const BlockRows& rows, std::span<const double> friction,
                        const NewtonOptions& options) {
  contacts_.clear();
  for (std::size_t k = 0; k < friction.size(); ++k) {
    const auto i = static_cast<Index>(3 * k);
    Contact contact{.normal = rows.dot(i, i), .friction = friction[k]};
    contact.softness = options.softness * contact.normal;
    if (!options.sliding.empty()) contact.slip = options.sliding[k];
    if (contact.friction > 0) {
      const double t11 = rows.dot(i + 1, i + 1), t12 = rows.dot(i + 1, i + 2);
      const double t22 = rows.dot(i + 2, i + 2);
      contact.tangents = 0.5 * (t11 + t22) + std::hypot(0.5 * (t11 - t22), t12);
    }
    contacts_.push_back(contact);
  }
  couples_.clear();
  for (const Couple& couple : options.couples) {
    const auto first = static_cast<Index>(3 * triple(couples_.size()));
    couples_.push_back({.law = couple, .stiffness = stiffness_of_three(rows, first)});
  }
  factor_.set_pattern(rows);
  velocity_.resize(rows.size());
  aim_.resize(rows.size());
  y_.resize(rows.dimension());
  d_ = options.proximity;
  steps_ = 0;
}

void ConeNewton::project() {
  auto p = projected_.resize(iterate_.view().size());
  p = iterate_.view();
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    if (contact.normal <= 0) continue;
    auto own = p.segment<3>(static_cast<Index>(3 * k));
    own.x() = std::max(0.0, own.x());
    const double radius = contact.friction * own.x();
    own.tail<2>() = contact.slip.slides() ? Vec2(-radius * direction(contact.slip))
                                          : onto_disc(own.tail<2>(), radius);
  }
  for (std::size_t k = 0; k < couples_.size(); ++k) {
    const Couple& law = couples_[k].law;
    const double radius = law.coefficient * std::max(0.0, p[3 * law.contact]);
    auto own = p.segment<3>(static_cast<Index>(3 * triple(k)));
    own = law.is_turning() ? Vec3(-radius * law.turns) : onto_ball(own, radius);
  }
}

void ConeNewton::find_velocities(const BlockRows& rows, math::VecIn w, const math::VecBuffer& p) {
  auto y = y_.view();
  y.setZero();
  for (Index i = 0; i < rows.size(); ++i) {
    if (p.view()[i] != 0) rows.add_to(y, i, p.view()[i]);
  }
  auto u = velocity_.view();
  for (Index i = 0; i < rows.size(); ++i) u[i] = w[i] + rows.dot(i, y.data());
}

Vec3 ConeNewton::proximal_velocity(std::size_t contact, const math::VecBuffer& p) const {
  const Contact& own = contacts_[contact];
  const Vec3 stiffness = d_ * Vec3(own.normal, own.tangents, own.tangents);
  return at(velocity_, contact) + stiffness.cwiseProduct(at(p, contact) - at(centre_, contact));
}

ConeNewton::Miss ConeNewton::measure(const BlockRows& rows, math::VecIn w) {
  project();
  find_velocities(rows, w, projected_);
  Miss miss;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    const Vec3 p = at(projected_, k);
    const Lack lack = lack_of(contact, p, at(velocity_, k));
    miss.worst = std::max({miss.worst, lack.normal, lack.tangents});
    miss.energy += energy_of(contact, lack);
    miss.proximal += energy_of(contact, lack_of(contact, p, proximal_velocity(k, projected_)));
    miss.gross =
        std::max({miss.gross, p.x() * contact.normal, p.tail<2>().norm() * contact.tangents});
  }
  measure_couples(miss);
  return miss;
}

void ConeNewton::measure_couples(Miss& miss) const {
  for (std::size_t k = 0; k < couples_.size(); ++k) {
    const Turning& couple = couples_[k];
    const Vec3 p = at(projected_, triple(k));
    const double normal = projected_.view()[3 * couple.law.contact];
    const double lack = lack_of_couple(couple, normal, p, at(velocity_, triple(k)));
    const double left = lack_of_couple(couple, normal, p, proximal_turning(k, projected_));
    miss.worst = std::max(miss.worst, lack);
    miss.gross = std::max(miss.gross, p.norm() * couple.stiffness);
    if (couple.stiffness <= 0) continue;
    miss.energy += lack * lack / couple.stiffness;
    miss.proximal += left * left / couple.stiffness;
  }
}

Vec3 ConeNewton::proximal_turning(std::size_t couple, const math::VecBuffer& p) const {
  const std::size_t k = triple(couple);
  return at(velocity_, k) + d_ * couples_[couple].stiffness * (at(p, k) - at(centre_, k));
}

void ConeNewton::move_centre(const Miss& miss) {
  ++steps_;
  const bool solved = miss.proximal <= kSolved * miss.energy && std::isfinite(miss.energy);
  if (!solved && std::isfinite(miss.energy) && steps_ < kMostSteps) return;
  if (!solved) d_ = std::min(kGreatest, kTenfold * d_);
  if (solved && steps_ <= kFewSteps) d_ = std::max(kLeast, d_ / kTenfold);
  centre_.view() = projected_.view();
  steps_ = 0;
}

// From the linearised law Δp = a - W Δu, and Δu = R Δy with Δy = Rᵀ Δp: (I + Rᵀ W R) Δy = Rᵀ a.
bool ConeNewton::step(const BlockRows& rows, math::VecIn w) {
  find_velocities(rows, w, iterate_);
  factor_.clear();
  auto aim = aim_.view();
  auto y = y_.view();
  y.setZero();
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const auto i = static_cast<Index>(3 * k);
    Contact& contact = contacts_[k];
    const Vec3 a = linearise(contact, at(iterate_, k), proximal_velocity(k, iterate_));
    aim.segment<3>(i) = a;
    for (int axis = 0; axis < 3; ++axis) {
      if (a[axis] != 0) rows.add_to(y, i + axis, a[axis]);
    }
    if (contact.response(0, 0) != 0) factor_.add(rows, i, contact.response);
  }
  add_couples(rows);
  if (!factor_.factor()) return false;
  factor_.solve_in_place(y);
  auto p = iterate_.view();
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const auto i = static_cast<Index>(3 * k);
    const Vec3 moved(rows.dot(i, y.data()), rows.dot(i + 1, y.data()), rows.dot(i + 2, y.data()));
    p.segment<3>(i) += aim.segment<3>(i) - contacts_[k].response * moved;
  }
  move_couples(rows);
  return true;
}

void ConeNewton::add_couples(const BlockRows& rows) {
  for (std::size_t k = 0; k < couples_.size(); ++k) {
    const auto i = static_cast<Index>(3 * triple(k));
    Turning& couple = couples_[k];
    const Vec3 a = linearise(couple, k);
    aim_.view().segment<3>(i) = a;
    for (int axis = 0; axis < 3; ++axis) {
      if (a[axis] != 0) rows.add_to(y_.view(), i + axis, a[axis]);
    }
    if (!couple.response.isZero(0)) factor_.add(rows, i, couple.response);
    if (!couple.by_normal.isZero(0)) factor_.add(rows, i, 3 * couple.law.contact, couple.by_normal);
  }
}

void ConeNewton::move_couples(const BlockRows& rows) {
  const double* y = y_.view().data();
  for (std::size_t k = 0; k < couples_.size(); ++k) {
    const auto i = static_cast<Index>(3 * triple(k));
    const Turning& couple = couples_[k];
    const Vec3 moved(rows.dot(i, y), rows.dot(i + 1, y), rows.dot(i + 2, y));
    iterate_.view().segment<3>(i) += aim_.view().segment<3>(i) - couple.response * moved -
                                     rows.dot(3 * couple.law.contact, y) * couple.by_normal;
  }
}

// As slide() below, in three directions: at rest, or c p_n along what p - u/τ says.
Vec3 ConeNewton::linearise(Turning& couple, std::size_t number) const {
  couple.response.setZero();
  couple.by_normal.setZero();
  const Contact& contact = contacts_[static_cast<std::size_t>(couple.law.contact)];
  const Vec3 own = at(iterate_, triple(number));
  if (couple.stiffness <= 0 || contact.response(0, 0) == 0) return -own;
  const double c = couple.law.coefficient;
  const double normal = iterate_.view()[3 * couple.law.contact];
  const double next = normal + aim_.view()[3 * couple.law.contact];
  const double gives = c * contact.response(0, 0);
  if (couple.law.is_turning()) {
    couple.by_normal = -gives * couple.law.turns;
    return -c * next * couple.law.turns - own;
  }
  const Vec3 u = proximal_turning(number, iterate_), aim = own - u / couple.stiffness;
  const double length = aim.norm(), radius = c * std::max(0.0, normal);
  if (length <= radius) {
    const double response = 1 / (d_ * couple.stiffness);
    couple.response = response * Mat3::Identity();
    return -response * u;
  }
  const Vec3 along = aim / length;
  const Mat3 across = Mat3::Identity() - along * along.transpose();
  const double turns = radius / length, left = 1 - turns + turns * d_;
  couple.response = turns / (left * couple.stiffness) * across;
  couple.by_normal = gives * along;
  return (c * next - along.dot(own)) * along - across * own / left;
}

// Sets W of a contact and returns its a: open, sticking or sliding as p - u/ν and p - u/τ say.
Vec3 ConeNewton::linearise(Contact& contact, const Vec3& p, const Vec3& u) const {
  Mat3& W = contact.response;
  W.setZero();
  if (contact.normal <= 0) return Vec3::Zero();
  const double closing = u.x() + contact.softness * p.x();
  if (p.x() * contact.normal <= closing) return -p;  // opens
  W(0, 0) = 1 / (d_ * contact.normal + contact.softness);
  Vec3 a(-closing * W(0, 0), 0, 0);
  if (contact.slip.slides()) return slide(contact, p, a, -direction(contact.slip));
  if (contact.tangents <= 0) return a;
  const Vec2 aim = p.tail<2>() - u.tail<2>() / contact.tangents;
  if (aim.norm() > contact.friction * std::max(0.0, p.x())) return slide(contact, p, a, aim);
  W(1, 1) = W(2, 2) = 1 / (d_ * contact.tangents);
  a.tail<2>() = -u.tail<2>() * W(1, 1);
  return a;
}

// μ p_n along `aim`, and across it as far as that turns.
Vec3 ConeNewton::slide(Contact& contact, const Vec3& p, const Vec3& a, const Vec2& aim) const {
  const double length = aim.norm();
  const Vec2 along = aim / length, across(-along.y(), along.x()), own = p.tail<2>();
  Mat3& W = contact.response;
  W.block<2, 1>(1, 0) = contact.friction * W(0, 0) * along;
  double left = 1;  // of what stands across
  if (!contact.slip.slides()) {
    const double turns = contact.friction * std::max(0.0, p.x()) / length;
    left = 1 - turns + turns * d_;
    W.block<2, 2>(1, 1) = turns / (left * contact.tangents) * across * across.transpose();
  }
  const double friction = contact.friction * (p.x() + a.x());
  Vec3 aims = a;
  aims.tail<2>() = (friction - along.dot(own)) * along - across.dot(own) / left * across;
  return aims;
}

}  // namespace carom::solvers
