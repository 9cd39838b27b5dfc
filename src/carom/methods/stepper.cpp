#include "carom/methods/stepper.h"

#include "carom/base/bytes.h"

namespace carom::methods {

namespace {

constexpr std::uint32_t kVersion = 1;  // of what steppers save

struct Make {
  StepContext& context;

  auto operator()(const ZenoFree& options) const {
    return std::make_unique<ZenoFreeStepper>(context, options);
  }
  auto operator()(const Naive& options) const {
    return std::make_unique<NaiveStepper>(context, options);
  }
  auto operator()(const TimeStepping& options) const {
    return std::make_unique<TimeSteppingStepper>(context, options);
  }
  auto operator()(const Analytic& options) const {
    return std::make_unique<AnalyticStepper>(context, options);
  }
  auto operator()(const Microcollision& options) const {
    return std::make_unique<MicrocollisionFrames>(context, options);
  }
  auto operator()(const Elastic& options) const {
    return std::make_unique<ElasticStepper>(context, options);
  }
};

}  // namespace

Stepper::Stepper(const Scene& scene, base::Workers& workers, record::Recorder& recorder,
                 const dynamics::ProgramForces* program)
    : context_(scene, workers, recorder, program), joints_(context_) {
  std::visit([&](const auto& options) { method_ = Make{context_}(options); }, make_method(scene));
}

AdvanceResult Stepper::advance(State& state, double t_end, bool pauses) {
  context_.pause_after = pauses ? context_.recorder.event_count() : StepContext::kNever;
  try {
    return std::visit([&](auto& each) { return each->advance(state, t_end); }, method_);
  } catch (const base::Stopped&) {
    return {AdvanceStatus::Stopped};
  }
}

void Stepper::forces_changed(const State& state) {
  std::visit([&](auto& each) { each->forces_changed(state); }, method_);
}

void Stepper::set_step(double step) {
  if (auto* stepper = std::get_if<std::unique_ptr<TimeSteppingStepper>>(&method_))
    (*stepper)->set_options(make_time_stepping(context_.scene, step));
}

void Stepper::report(record::Summary& summary) const {
  std::visit([&](const auto& each) { each->report(summary); }, method_);
}

void Stepper::save(std::string& bytes) const {
  const std::string& name = context_.scene.method.name;
  base::append_bytes(bytes, kVersion);
  base::append_bytes(bytes, std::vector<char>(name.begin(), name.end()));
  std::visit([&](const auto& each) { each->save(bytes); }, method_);
}

void Stepper::restore(std::string_view& bytes) {
  std::uint32_t version = 0;
  std::vector<char> name;
  base::take_bytes(bytes, version);
  base::check(version == kVersion, "a checkpoint is of this version");
  base::take_bytes(bytes, name);
  base::check(std::string_view(name.data(), name.size()) == context_.scene.method.name,
              "a checkpoint is of the scene's method");
  std::visit([&](auto& each) { each->restore(bytes); }, method_);
}

}  // namespace carom::methods
