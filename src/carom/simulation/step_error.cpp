#include "carom/simulation/step_error.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"

namespace carom::simulation {

namespace {

constexpr int kMostSteps = 8;         // of a sample
constexpr std::int64_t kSecond = 64;  // step, that begins with one; the first does too
constexpr std::int64_t kEvery = 512;
constexpr std::int64_t kEveryAutomatic = 64;
constexpr double kOfWhole = 2;  // error of whole steps, in what they differ from halves
constexpr int kMostHalvings = 20;
constexpr double kAddsUp = 0.5;      // s; ∫ t dt over a second
constexpr double kMayDouble = 0.25;  // of the tolerance: twice the step has twice the error

// What is spent on samples stays small beside what was simulated before.
int steps_of_sample(std::int64_t n, bool automatic) {
  return automatic ? kMostSteps
                   : static_cast<int>(std::clamp<std::int64_t>(n / kSecond, 1, kMostSteps));
}

std::int64_t next_after(std::int64_t n, bool automatic) {
  if (automatic) return n + kEveryAutomatic;
  return n < kSecond ? kSecond : n < kEvery ? kEvery : n + kEvery;
}

double angle_between(const Quat& a, const Quat& b) {
  return math::quat_log(a * b.conjugate()).norm();
}

}  // namespace

// Nothing here may depend on when the run ends: one that goes on longer has the same samples.
void StepError::sample(std::int64_t n, const State& start, std::string_view memory, double step) {
  const bool automatic = methods::has_automatic_step(scene_);
  const int steps = steps_of_sample(n, automatic);
  const auto error = measure(start, memory, steps, step);
  if (!error) {
    next_ = n + steps * ++passed_over_;
    return;
  }
  passed_over_ = 0;
  last_ = *error;
  fresh_ = true;
  ++samples_;
  steps_ += steps;
  error_sum_ += steps * *error;
  step_sum_ += steps * step;
  next_ = next_after(n, automatic);
}

// None where something happens.
std::optional<double> StepError::measure(const State& start, std::string_view memory, int steps,
                                         double step) {
  if (!beside_) beside_.emplace(scene_, workers_, program_);
  whole_ = halves_ = start;
  if (!advance_quietly(memory, steps, step, whole_) ||
      !advance_quietly(memory, 2 * steps, 0.5 * step, halves_))
    return std::nullopt;
  return kOfWhole / (steps * step) * difference(whole_, halves_);
}

bool StepError::advance_quietly(std::string_view memory, int steps, double step, State& state) {
  const double start = state.t;
  const auto events = beside_->recorder.counters().events;
  beside_->stepper.set_step(asked_);
  beside_->stepper.restore(memory);
  for (int i = 1; i <= steps; ++i) {
    if (!beside_->stepper.advance(state, start + i * step).ok()) return false;
  }
  return dynamics::is_finite(state) && events == beside_->recorder.counters().events;
}

double StepError::difference(const State& a, const State& b) const {
  double greatest = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    if (!scene_.bodies[i].is_dynamic()) continue;
    const BodyState &p = a.bodies[i], &q = b.bodies[i];
    const double radius = scene_.bodies[i].radius;
    const double size = radius > 0 ? radius : scene_.tolerances.length;
    const double moved = (p.x - q.x).norm() + kAddsUp * (p.v - q.v).norm();
    const double turned = angle_between(p.q, q.q) + kAddsUp * (p.w - q.w).norm();
    greatest = std::max({greatest, moved / size, turned});
  }
  return greatest;
}

double StepError::choose_first(const State& start, std::string_view memory) {
  double step = methods::step_of(scene_);
  for (int i = 0; i < kMostHalvings; ++i, step /= 2) {
    const auto error = measure(start, memory, kMostSteps, step);
    if (!error || *error <= kTolerance) break;
  }
  return step;
}

double StepError::adapt(double step) {
  if (!std::exchange(fresh_, false)) return step;
  const double usual = methods::step_of(scene_);
  const double least = std::ldexp(usual, -kMostHalvings);
  if (last_ > kTolerance)
    return std::max(least,
                    std::ldexp(step, -static_cast<int>(std::ceil(std::log2(last_ / kTolerance)))));
  return last_ < kMayDouble * kTolerance ? std::min(usual, 2 * step) : step;
}

record::StepError StepError::result() const {
  record::StepError out{
      .applies = methods::has_fixed_step(scene_), .samples = samples_, .tolerance = kTolerance};
  if (samples_ == 0) return out;
  out.per_second = error_sum_ / static_cast<double>(steps_);
  out.step = step_sum_ / static_cast<double>(steps_);
  out.would_do = out.too_long() ? out.step * kTolerance / out.per_second : out.step;
  return out;
}

void StepError::save(std::string& bytes) const {
  base::append_bytes(bytes, next_);
  base::append_bytes(bytes, passed_over_);
  base::append_bytes(bytes, samples_);
  base::append_bytes(bytes, steps_);
  base::append_bytes(bytes, error_sum_);
  base::append_bytes(bytes, step_sum_);
  base::append_bytes(bytes, last_);
  base::append_bytes(bytes, fresh_);
}

void StepError::restore(std::string_view& bytes) {
  base::take_bytes(bytes, next_);
  base::take_bytes(bytes, passed_over_);
  base::take_bytes(bytes, samples_);
  base::take_bytes(bytes, steps_);
  base::take_bytes(bytes, error_sum_);
  base::take_bytes(bytes, step_sum_);
  base::take_bytes(bytes, last_);
  base::take_bytes(bytes, fresh_);
}

}  // namespace carom::simulation
