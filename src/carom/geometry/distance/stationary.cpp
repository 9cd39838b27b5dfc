#include "carom/geometry/distance/stationary.h"

namespace carom::geometry {

namespace {

constexpr int kNewtonCap = 30;
constexpr int kHalvings = 12;
constexpr double kStepDone = 1e-15;   // rad
constexpr double kLongestStep = 0.7;  // rad

// The separation of two pieces, its gradient and minus its second derivative, with n free in space.
struct Separation {
  double value;
  Vec3 w;
  Mat3 bend;
};

double root(const Piece& piece, const Vec3& n) {
  return piece.round ? std::sqrt(std::max(0.0, n.dot(piece.square * n))) : 0.0;
}

double separation_at(const Piece& a, const Piece& b, const Vec3& n) {
  return n.dot(a.centre - b.centre) - root(a, n) - root(b, n);
}

Separation expand_at(const Piece& a, const Piece& b, const Vec3& n) {
  Separation at{0, a.centre - b.centre, Mat3::Zero()};
  for (const Piece* piece : {&a, &b}) {
    const double s = root(*piece, n);
    if (s == 0) continue;
    const Vec3 q = piece->square * n;
    at.w -= q / s;
    at.bend += (piece->square - q * (q / (s * s)).transpose()) / s;
  }
  at.value = n.dot(at.w);
  return at;
}

// Ascends from n along `step`, an angle and direction on the sphere, halving until it gains.
bool ascend(const Piece& a, const Piece& b, const Vec3& step, double value, Vec3& n) {
  double part = std::min(1.0, kLongestStep / step.norm());
  for (int i = 0; i < kHalvings; ++i, part *= 0.5) {
    const Vec3 next = (n + part * step).normalized();
    if (separation_at(a, b, next) <= value) continue;
    n = next;
    return true;
  }
  return false;
}

// Newton's step in the plane of t1, t2, with the matrix made definite where it is not.
Vec3 newton_step(const Separation& at, const Vec3& n) {
  const math::Tangents t = math::make_tangents(n);
  double h11 = t.first.dot(at.bend * t.first) + at.value;
  double h22 = t.second.dot(at.bend * t.second) + at.value;
  const double h12 = t.first.dot(at.bend * t.second);
  const double g1 = t.first.dot(at.w), g2 = t.second.dot(at.w);
  const double mean = 0.5 * (h11 + h22), radius = std::hypot(0.5 * (h11 - h22), h12);
  const double floor = 1e-14 * (std::abs(mean) + radius) + 1e-300;
  if (mean - radius < floor) {
    const double shift = floor + 2 * (radius - mean) * (mean < radius ? 1.0 : 0.0);
    h11 += shift;
    h22 += shift;
  }
  const double determinant = h11 * h22 - h12 * h12;
  return t.first * ((h22 * g1 - h12 * g2) / determinant) +
         t.second * ((h11 * g2 - h12 * g1) / determinant);
}

Vec3 maximise_on_sphere(const Piece& a, const Piece& b, Vec3 n) {
  if (!a.round && !b.round) return (a.centre - b.centre).normalized();
  for (int i = 0; i < kNewtonCap; ++i) {
    const Separation at = expand_at(a, b, n);
    const Vec3 step = newton_step(at, n);
    if (!(step.norm() > kStepDone)) break;
    if (step.norm() < 1e-7) {  // below this the gain is lost in round-off, yet the step is right
      n = (n + step).normalized();
      continue;
    }
    if (!ascend(a, b, step, at.value, n)) break;
  }
  return n;
}

// The point of the circle nearest to n.
Vec3 onto(const NormalCircle& circle, const Vec3& n) {
  Vec3 across = n - circle.axis * circle.axis.dot(n);
  if (across.norm() < 1e-12) across = math::make_tangents(circle.axis).first;
  across.normalize();  // and again: what was left along the axis may have grown
  across -= circle.axis * circle.axis.dot(across);
  return circle.level * circle.axis +
         std::sqrt(std::max(0.0, 1 - circle.level * circle.level)) * across.normalized();
}

Vec3 turned(const NormalCircle& circle, const Vec3& n, double angle) {
  const Vec3 across = n - circle.level * circle.axis;
  return onto(circle, circle.level * circle.axis + std::cos(angle) * across +
                          std::sin(angle) * circle.axis.cross(across));
}

bool ascend_circle(const Piece& a, const Piece& b, const NormalCircle& circle, double angle,
                   Vec3& n) {
  const double value = separation_at(a, b, n);
  for (int i = 0; i < kHalvings; ++i, angle *= 0.5) {
    const Vec3 next = turned(circle, n, angle);
    if (separation_at(a, b, next) <= value) continue;
    n = next;
    return true;
  }
  return false;
}

Vec3 maximise_on_circle(const Piece& a, const Piece& b, const NormalCircle& circle,
                        const Vec3& start) {
  if (!a.round && !b.round) return onto(circle, a.centre - b.centre);
  Vec3 n = onto(circle, start);
  for (int i = 0; i < kNewtonCap; ++i) {
    const Separation at = expand_at(a, b, n);
    const Vec3 across = n - circle.level * circle.axis;
    const Vec3 along = circle.axis.cross(across);
    const double slope = at.w.dot(along);
    const double bend = along.dot(at.bend * along) + at.w.dot(across);
    const double size = std::abs(bend) + 1e-300;
    double angle = slope / size;
    if (!(std::abs(angle) > kStepDone)) break;
    if (std::abs(angle) < 1e-7 && bend > 0) {
      n = turned(circle, n, angle);
      continue;
    }
    angle = std::clamp(angle, -kLongestStep, kLongestStep);
    if (!ascend_circle(a, b, circle, angle, n)) break;
  }
  return n;
}

void add_fixed(const Pieces& pieces, double sign, Directions& out) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(pieces.count); ++i) {
    if (pieces.list[i].freedom == Freedom::Fixed) out.add(sign * pieces.list[i].axis);
  }
}

// a's outward normal is -n.
void add_pair(const Piece& a, const Piece& b, const Vec3& start, Directions& out) {
  const NormalCircle of_a{a.axis, -a.level}, of_b{b.axis, b.level};
  if (a.freedom == Freedom::Circle && b.freedom == Freedom::Circle) {
    add_crossings(of_a, of_b, out);
    if (of_a.axis.cross(of_b.axis).squaredNorm() > 1e-12) return;
    out.add(maximise_on_circle(a, b, of_a, start));
  } else if (a.freedom == Freedom::Circle) {
    out.add(maximise_on_circle(a, b, of_a, start));
  } else if (b.freedom == Freedom::Circle) {
    out.add(maximise_on_circle(a, b, of_b, start));
  } else {
    out.add(maximise_on_sphere(a, b, start));
  }
}

}  // namespace

void add_crossings(const NormalCircle& first, const NormalCircle& second, Directions& out) {
  const Vec3 along = first.axis.cross(second.axis);
  const double sine2 = along.squaredNorm();
  if (sine2 < 1e-24) return;
  const double cosine = first.axis.dot(second.axis);
  const Vec3 base = ((first.level - cosine * second.level) * first.axis +
                     (second.level - cosine * first.level) * second.axis) /
                    sine2;
  const double rest = 1 - base.squaredNorm();
  if (rest < 0) return;
  const Vec3 offset = along * std::sqrt(rest / sine2);
  out.add((base + offset).normalized());
  out.add((base - offset).normalized());
}

void find_fixed(const Pieces& a, const Pieces& b, Directions& out) {
  add_fixed(a, -1, out);
  add_fixed(b, 1, out);
}

void find_stationary(const Pieces& a, const Pieces& b, const Vec3& start, Directions& out) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.count); ++i) {
    if (a.list[i].freedom == Freedom::Fixed) continue;
    for (std::size_t j = 0; j < static_cast<std::size_t>(b.count); ++j) {
      if (b.list[j].freedom == Freedom::Fixed) continue;
      add_pair(a.list[i], b.list[j], start, out);
    }
  }
}

}  // namespace carom::geometry
