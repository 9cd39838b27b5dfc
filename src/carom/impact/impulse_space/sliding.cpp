#include "carom/impact/impulse_space/sliding.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {

namespace {

constexpr double kSingular = 1e-13;    // of the trace of K: below it an axis does not give way
constexpr double kTruncation = 1e-16;  // of the last terms of a series

// The principal axes of the tangential block, by one Jacobi rotation; the identity if it is
// diagonal.
Direction principal_axis(const Mat3& K) {
  if (K(1, 2) == 0) return {1, 0};
  const double angle = 0.5 * std::atan2(2 * K(1, 2), K(1, 1) - K(2, 2));
  return {std::cos(angle), std::sin(angle)};
}

Mat3 turned(const Mat3& K, Direction axis) {
  Mat3 R;
  R << 1, 0, 0, 0, axis.x, axis.y, 0, -axis.y, axis.x;
  Mat3 out = R * K * R.transpose();
  out(1, 2) = out(2, 1) = 0;
  for (const int i : {1, 2}) {
    if (out(i, i) <= kSingular * K.trace()) out(i, i) = out(0, i) = out(i, 0) = 0;
  }
  return out;
}

double length(double x, double y) { return std::sqrt(x * x + y * y); }

template <typename Series>
double value(const Series& a, double s) {
  double sum = 0;
  for (std::size_t n = a.size(); n-- > 0;) sum = sum * s + a[n];
  return sum;
}

}  // namespace

SlidingContact::SlidingContact(const Mat3& K, double friction)
    : axis_(principal_axis(K)),
      K_(turned(K, axis_)),
      friction_(friction),
      scale_(length(K_(0, 1), K_(0, 2)) + friction * std::max(K_(1, 1), K_(2, 2))) {}

Vec3 SlidingContact::to_principal(const Vec3& v) const {
  return {v.x(), axis_.x * v.y() + axis_.y * v.z(), axis_.x * v.z() - axis_.y * v.y()};
}

Vec3 SlidingContact::from_principal(const Vec3& v) const {
  return {v.x(), axis_.x * v.y() - axis_.y * v.z(), axis_.x * v.z() + axis_.y * v.y()};
}

double SlidingContact::turning(Direction c) const {
  return K_(0, 2) * c.x - K_(0, 1) * c.y - friction_ * (K_(2, 2) - K_(1, 1)) * c.x * c.y;
}

double SlidingContact::turning_rate(Direction c) const {
  return -K_(0, 1) * c.x - K_(0, 2) * c.y -
         friction_ * (K_(2, 2) - K_(1, 1)) * (c.x * c.x - c.y * c.y);
}

double SlidingContact::speeding(Direction c) const {
  return K_(0, 1) * c.x + K_(0, 2) * c.y -
         friction_ * (K_(1, 1) * c.x * c.x + K_(2, 2) * c.y * c.y);
}

double SlidingContact::lifting(Direction c) const {
  return K_(0, 0) - friction_ * (K_(0, 1) * c.x + K_(0, 2) * c.y);
}

double SlidingContact::lifting_rate(Direction c) const {
  return friction_ * (K_(0, 1) * c.y - K_(0, 2) * c.x);
}

bool SlidingContact::can_sink() const { return friction_ * length(K_(0, 1), K_(0, 2)) > K_(0, 0); }

Vec3 SlidingContact::hold() const {
  const auto held = [&](int i) { return K_(i, i) > 0 ? -K_(0, i) / K_(i, i) : 0.0; };
  return {1, held(1), held(2)};
}

bool SlidingContact::sticks() const {
  const Vec3 needed = hold();
  return length(needed.y(), needed.z()) <= friction_;
}

// Newton's method on 1/|(μT + g)⁻¹k| = 1, which is concave in g: from below it climbs to the root
// and never passes it.
Ray SlidingContact::departure() const {
  const double kx = K_(0, 1), ky = K_(0, 2);
  const double tx = friction_ * K_(1, 1), ty = friction_ * K_(2, 2);
  double g = std::max(0.0, std::hypot(kx, ky) - std::max(tx, ty));
  Direction c;
  for (int i = 0; i < 60; ++i) {
    c = {kx == 0 ? 0 : kx / (tx + g), ky == 0 ? 0 : ky / (ty + g)};
    const double length = std::hypot(c.x, c.y);
    const double slope =
        (kx == 0 ? 0 : c.x * c.x / (tx + g)) + (ky == 0 ? 0 : c.y * c.y / (ty + g));
    c = {c.x / length, c.y / length};
    const double step = (length - 1) * length * length / slope;
    g += step;
    if (std::abs(step) <= 1e-16 * scale_) break;
  }
  return {c, g};
}

// The n-th coefficient of the product of two series; four sums, since one would wait for itself.
double SlidingSeries::product(const Coefficients& a, const Mirrored& b, std::size_t n) {
  const double* first = a.data();
  const double* second = b.down.data() + (kOrder - n);
  std::array<double, 4> sums{};
  std::size_t j = 0;
  for (; j + 3 <= n; j += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += first[j + k] * second[j + k];
  }
  for (; j <= n; ++j) sums[0] += first[j] * second[j];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

SlidingSeries::SlidingSeries(const SlidingContact& contact, const SlidingStart& start)
    : start_speed_(start.speed), unit_(start.speed / contact.scale()) {
  x_.set(0, start.direction.x);
  y_.set(0, start.direction.y);
  r_.set(0, 1);
  expand(contact);
  choose_length();
  integrate(contact);
  if (start.normal_speed) integrate_work(contact, *start.normal_speed);
}

// x' = -y H, y' = x H, r' = r G, coefficient by coefficient; s in units of 1 / scale.
void SlidingSeries::expand(const SlidingContact& contact) {
  const double unit = 1 / contact.scale();
  const double kx = unit * contact.K()(0, 1), ky = unit * contact.K()(0, 2);
  const double tx = unit * contact.friction() * contact.K()(1, 1);
  const double difference = unit * contact.friction() * contact.K()(2, 2) - tx;
  Coefficients H{}, G{};
  for (std::size_t n = 0; n < kOrder; ++n) {
    const double x = x_.up[n], y = y_.up[n];
    H[n] = ky * x - kx * y - difference * product(x_.up, y_, n);
    G[n] = kx * x + ky * y - difference * product(y_.up, y_, n) - (n == 0 ? tx : 0);
    const double next = 1 / static_cast<double>(n + 1);
    x_.set(n + 1, -next * product(H, y_, n));
    y_.set(n + 1, next * product(H, x_, n));
    r_.set(n + 1, next * product(G, r_, n));
  }
}

void SlidingSeries::integrate(const SlidingContact& contact) {
  for (std::size_t n = 0; n < kOrder; ++n) {
    const double next = unit_ / static_cast<double>(n + 1);
    pn_[n + 1] = next * r_.up[n];
    px_[n + 1] = -next * contact.friction() * product(x_.up, r_, n);
    py_[n + 1] = -next * contact.friction() * product(y_.up, r_, n);
  }
}

void SlidingSeries::integrate_work(const SlidingContact& contact, double normal_speed) {
  const Mat3& K = contact.K();
  Coefficients un{normal_speed};
  for (std::size_t n = 0; n < kOrder; ++n) {
    work_[n + 1] = unit_ / static_cast<double>(n + 1) * product(un, r_, n);
    un[n + 1] = K(0, 0) * pn_[n + 1] + K(0, 1) * px_[n + 1] + K(0, 2) * py_[n + 1];
  }
  has_work_ = true;
}

// As far as the last two terms stay negligible.
void SlidingSeries::choose_length() {
  length_ = 64;
  for (const std::size_t n : {kOrder - 1, kOrder}) {
    const double last = std::max({std::abs(x_.up[n]), std::abs(y_.up[n]), std::abs(r_.up[n])});
    if (last > 0)
      length_ = std::min(length_, std::pow(kTruncation / last, 1.0 / static_cast<double>(n)));
  }
}

SlidingPoint SlidingSeries::at(double s) const {
  const double x = value(x_.up, s), y = value(y_.up, s), r = value(r_.up, s);
  const double norm = std::sqrt(x * x + y * y);
  return {{x / norm, y / norm},
          start_speed_ * r,
          {value(pn_, s), value(px_, s), value(py_, s)},
          unit_ * r,
          has_work_ ? value(work_, s) : 0};
}

}  // namespace carom::impact
