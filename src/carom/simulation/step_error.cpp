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
// Frames are compared over this time, s, beside the height of hops, so that what bodies are off by
// in the middle of one is a quarter of the tolerance; but within these bounds, s.
constexpr double kHopsTime = 1000, kLeastTime = 0.1, kMostTime = 1;
constexpr std::int64_t kSparse = 5, kSparsest = 125;
constexpr double kLower = 0.25;  // hops, beside those of the run
// As the audit has it (limits.cpp): what rocks rises by up to ten hops.
constexpr double kRocking = 10;

double angle_between(const Quat& a, const Quat& b) {
  return math::quat_log(a * b.conjugate()).norm();
}

// Whether it gets there while `go_on` holds, and bodies are somewhere.
bool advance(Beside& beside, const auto& trial, State& state, const auto& go_on) {
  state = trial.start;
  std::string_view memory = trial.memory;
  beside.stepper.restore(memory);
  for (int i = 1; i <= trial.steps; ++i) {
    const double t_end = trial.start.t + i * trial.step;
    if (!beside.stepper.advance(state, t_end).ok() || !go_on()) return false;
  }
  return dynamics::is_finite(state);
}
bool advance(Beside& beside, const auto& trial, State& state) {
  return advance(beside, trial, state, [] { return true; });
}

}  // namespace

// Impacts faster than those of bodies that rock in hops of the run's height.
class StepError::HardImpacts : public record::Sink {
 public:
  HardImpacts(const Scene& scene, double hop) : scene_(scene), hop_(hop) {}
  bool reads_outputs() const override { return false; }
  void event(const record::ContactEvent& event) override {
    const double radius = std::min(scene_.body(event.a).radius, scene_.body(event.b).radius);
    const double height = kRocking * hop_ * 2 * radius;
    if (event.approach_speed * std::abs(event.approach_speed) > 2 * scene_.gravity.norm() * height)
      ++count;
  }
  std::int64_t count = 0;

 private:
  const Scene& scene_;
  double hop_;
};

struct StepError::LowerHops {
  LowerHops(const Scene& scene_in, double hop, base::Workers& workers,
            const dynamics::ProgramForces& program)
      : scene(lower(scene_in, hop)), impacts(scene_in, hop), beside(scene, workers, program) {}
  static Scene lower(Scene scene, double hop) {
    scene.method.options[std::string(methods::traits_of(scene.method.name).hop_setting)] =
        kLower * hop;
    return scene;
  }
  Scene scene;
  HardImpacts impacts;  // of the hops as they are
  Beside beside;
};

StepError::StepError(const Scene& scene, base::Workers& workers,
                     const dynamics::ProgramForces& program)
    : scene_(scene),
      workers_(workers),
      program_(program),
      asked_(methods::step_of(scene)),
      hop_(methods::hop_height_of(scene)),
      applies_(hop_ > 0 || methods::has_fixed_step(scene)),
      automatic_(methods::has_automatic_step(scene)) {
  if (hop_ > 0) next_ = kSparse * steps_of_sample(1);
}

StepError::~StepError() = default;

// What is spent on samples stays small beside what was simulated before.
int StepError::steps_of_sample(std::int64_t n) const {
  if (hop_ > 0) {
    constexpr double kRoundOff = 1e-9;
    const double frames = std::clamp(kHopsTime * hop_, kLeastTime, kMostTime) / asked_;
    return std::max(1, static_cast<int>(std::ceil(frames - kRoundOff)));
  }
  if (automatic_) return kMostSteps;
  return static_cast<int>(std::clamp<std::int64_t>(n / kSecond, 1, kMostSteps));
}

std::int64_t StepError::next_after(std::int64_t n) const {
  if (hop_ > 0) return n + std::min((kSparse - 1) * n, kSparsest * steps_of_sample(n));
  if (automatic_) return n + kEveryAutomatic;
  return n < kSecond ? kSecond : n < kEvery ? kEvery : n + kEvery;
}

// Nothing here may depend on when the run ends: one that goes on longer has the same samples.
void StepError::sample(std::int64_t n, const State& start, std::string_view memory, double step) {
  const int steps = steps_of_sample(n);
  const auto error = measure({start, memory, steps, step});
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
  next_ = next_after(n);
}

// None where something happens.
std::optional<double> StepError::measure(const Trial& trial) {
  if (!beside_) beside_.emplace(scene_, workers_, program_);
  if (hop_ > 0) return measure_hops(trial);
  const auto [start, memory, steps, step] = trial;
  if (!advance_quietly(trial, whole_) ||
      !advance_quietly({start, memory, 2 * steps, 0.5 * step}, halves_))
    return std::nullopt;
  return kOfWhole / (steps * step) * difference(whole_, halves_);
}

bool StepError::advance_quietly(const Trial& trial, State& state) {
  const auto events = beside_->recorder.counters().events;
  beside_->stepper.set_step(asked_);
  return advance(*beside_, trial, state) && events == beside_->recorder.counters().events;
}

std::optional<double> StepError::measure_hops(const Trial& trial) {
  if (!lower_) {
    lower_ = std::make_unique<LowerHops>(scene_, hop_, workers_, program_);
    beside_->recorder.add(lower_->impacts);
  }
  lower_->impacts.count = 0;
  const auto quiet = [this] { return lower_->impacts.count == 0; };
  if (!advance(*beside_, trial, whole_, quiet) || !advance(lower_->beside, trial, halves_))
    return std::nullopt;
  return kOfWhole / (trial.steps * trial.step) * difference(whole_, halves_);
}

double StepError::difference(const State& a, const State& b) const {
  const double adds_up = hop_ > 0 ? 0 : kAddsUp;
  double greatest = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    if (!scene_.bodies[i].is_dynamic()) continue;
    const BodyState &p = a.bodies[i], &q = b.bodies[i];
    const double radius = scene_.bodies[i].radius;
    const double size = radius > 0 ? radius : scene_.tolerances.length;
    const double moved = (p.x - q.x).norm() + adds_up * (p.v - q.v).norm();
    const double turned = angle_between(p.q, q.q) + adds_up * (p.w - q.w).norm();
    greatest = std::max({greatest, moved / size, turned});
  }
  return greatest;
}

double StepError::choose_first(const State& start, std::string_view memory) {
  double step = methods::step_of(scene_);
  for (int i = 0; i < kMostHalvings; ++i, step /= 2) {
    const auto error = measure({start, memory, kMostSteps, step});
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
  record::StepError out{.applies = applies_, .samples = samples_, .tolerance = kTolerance};
  if (hop_ > 0) out.setting = methods::traits_of(scene_.method.name).hop_setting;
  if (samples_ == 0) return out;
  out.per_second = error_sum_ / static_cast<double>(steps_);
  out.value = hop_ > 0 ? hop_ : step_sum_ / static_cast<double>(steps_);
  const double part = out.too_long() ? kTolerance / out.per_second : 1;
  out.would_do = out.value * (hop_ > 0 ? part * part : part);
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
