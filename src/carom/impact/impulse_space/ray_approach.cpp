#include "carom/impact/impulse_space/ray_approach.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {

namespace {

constexpr double kAttracts = 1e-2;  // of the scale: the least λ
constexpr double kGivesWay = 1e-3;  // of the trace of K: the least of the tangential entries
constexpr double kConverges = 0.5;  // of λ: how far h may get from it
constexpr double kNegligible = 1e-17, kDigits = 40;  // e⁻⁴⁰ is less
constexpr double kArrived = 1e-16;                   // y, where the ray is reached
constexpr double kStopped = 37;  // times e: what is left of a speed is round-off

Direction across(Direction c) { return {-c.y, c.x}; }
double dot(Direction a, Direction b) { return a.x * b.x + a.y * b.y; }

Direction turned(Direction c, double angle) {  // for a short one; a bit less for others
  const double x = c.x - angle * c.y, y = c.y + angle * c.x, norm = std::sqrt(x * x + y * y);
  return {x / norm, y / norm};
}

// The next ray that the direction turns to: onward while Newton's method does not lead there.
std::optional<Direction> find_ray(const SlidingContact& contact, Direction c) {
  constexpr double kLongest = 0.5, kLast = 1e-8;
  const double onward = std::copysign(kLongest, contact.turning(c));
  for (int i = 0; i < 12; ++i) {
    const double rate = contact.turning_rate(c);
    const double step = -contact.turning(c) / rate;
    const bool near = rate < -kAttracts * contact.scale() && std::abs(step) <= kLongest;
    c = turned(c, near ? step : onward);
    if (near && std::abs(step) < kLast) return c;
  }
  return std::nullopt;
}

}  // namespace

std::optional<RayApproach> RayApproach::find(const SlidingContact& contact,
                                             const SlidingStart& start) {
  const Mat3& K = contact.K();
  if (std::min(K(1, 1), K(2, 2)) < kGivesWay * K.trace()) return std::nullopt;
  const auto ray = find_ray(contact, start.direction);
  if (!ray) return std::nullopt;
  const double y = dot(across(*ray), start.direction) / (1 + dot(*ray, start.direction));
  std::optional<RayApproach> found(RayApproach(contact, start, *ray, y));
  if (!found->expand()) return std::nullopt;
  return found;
}

RayApproach::RayApproach(const SlidingContact& contact, const SlidingStart& start,
                         const Direction& ray, double y)
    : contact_(contact), start_(start), ray_(ray), y_(y) {
  const Mat3& K = contact.K();
  const auto form = [&](Direction a, Direction b) {
    return contact.friction() * (K(1, 1) * a.x * b.x + K(2, 2) * a.y * b.y);
  };
  const Direction side = across(ray);
  const double k = K(0, 1) * ray.x + K(0, 2) * ray.y;
  const double along = form(ray, ray), beside = form(side, side), beta = form(ray, side);
  h_ = {k + beside - along, -3 * beta * y, (k - beside + along) * y * y, beta * y * y * y};
  e_ = {k - along, -2 * beta * y, (k + along - 2 * beside) * y * y, 2 * beta * y * y * y};
}

bool RayApproach::expand() {
  const double off = std::abs(h_[1]) + std::abs(h_[2]) + std::abs(h_[3]);
  if (!(off <= kConverges * h_[0])) return false;
  const double y2 = y_ * y_;
  const std::array<double, 5> b{1, 0, 2 * y2, 0, y2 * y2};
  terms_[0] = {1, 1, 0};
  int negligible = 0;
  for (std::size_t n = 1; n < kMostTerms && negligible < 3; ++n) {
    const Terms term = next_term(n, n < b.size() ? b[n] : 0);
    terms_[n] = term;
    const double size = std::abs(term.z) + std::abs(term.v) + h_[0] * std::abs(term.w);
    negligible = size < kNegligible ? negligible + 1 : 0;
    count_ = n + 1;
  }
  first_ = sum(0);
  length_ = std::log(std::abs(y_) / kArrived);
  if (e_[0] < 0) length_ = std::min(length_, kStopped * h_[0] / -e_[0]);
  return negligible == 3;
}

RayApproach::Terms RayApproach::next_term(std::size_t n, double b) const {
  Terms sum{0, 0, b};
  for (std::size_t j = 1; j < 4 && j <= n; ++j) {
    const Terms& before = terms_[n - j];
    const double lag = static_cast<double>(n - j), factor = e_[j] - h_[j] * lag;
    sum.z -= h_[j] * (lag + 1) * before.z;
    sum.v += factor * before.v;
    sum.w += factor * before.w;
  }
  const double divisor = h_[0] * static_cast<double>(n), part = 1 / divisor, v = part * sum.v;
  return {part * sum.z, v, (sum.w - v) / (divisor - e_[0])};
}

RayApproach::Terms RayApproach::sum(double shrunk) const {
  const double part = std::exp(-shrunk);
  const double most = kDigits / shrunk;  // later terms have shrunk to nothing
  std::size_t n = most < static_cast<double>(count_) ? static_cast<std::size_t>(most) + 1 : count_;
  Terms total{0, 0, 0};
  while (n-- > 0) {
    total.z = total.z * part + terms_[n].z;
    total.v = total.v * part + terms_[n].v;
    total.w = total.w * part + terms_[n].w;
  }
  return total;
}

SlidingPoint RayApproach::at(double shrunk) const {
  const double part = std::exp(-shrunk), y = part * y_, sec2 = 1 + y * y;
  const Terms now = sum(shrunk);
  const double sigma = (shrunk + std::log(first_.z / now.z)) / h_[0];
  const double gain = std::expm1(e_[0] * sigma);
  const double q0 = start_.speed / (1 + y_ * y_), q = q0 * first_.v * (1 + gain) / now.v;
  const double along_ray = e_[0] == 0 ? sigma : gain / e_[0];
  const double normal = q0 * (first_.w + first_.v * along_ray) - q * now.w;
  const double cosine = (1 - y * y) / sec2, sine = 2 * y / sec2;
  const Direction c{cosine * ray_.x - sine * ray_.y, cosine * ray_.y + sine * ray_.x};
  const double speed = q * sec2;
  const Mat3& K = contact_.K();
  const auto held = [&](int i, double before, double after) {
    return (after - before - K(0, i) * normal) / K(i, i);
  };
  const double h = h_[0] + part * (h_[1] + part * (h_[2] + part * h_[3]));
  return {c,
          speed,
          {normal, held(1, start_.speed * start_.direction.x, speed * c.x),
           held(2, start_.speed * start_.direction.y, speed * c.y)},
          speed * sec2 / h,
          0};
}

}  // namespace carom::impact
