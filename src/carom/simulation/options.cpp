#include "carom/simulation/options.h"

namespace carom::simulation {

namespace {

template <typename T>
void set(model::MethodSettings& settings, const char* key, const std::optional<T>& value) {
  if (value) settings.options[key] = *value;
}

struct Settings {
  model::MethodSettings operator()(const ZenoFree& own) const {
    model::MethodSettings made{"zeno-free", own.others};
    set(made, "step", own.step);
    set(made, "integrator", own.integrator);
    set(made, "impact", own.impact);
    set(made, "sleeping", own.sleeping);
    return made;
  }
  model::MethodSettings operator()(const Naive& own) const {
    model::MethodSettings made{"naive", own.others};
    set(made, "step", own.step);
    set(made, "impact", own.impact);
    set(made, "max_treatments", own.max_treatments);
    return made;
  }
  model::MethodSettings operator()(const TimeStepping& own) const {
    model::MethodSettings made{"time-stepping", own.others};
    set(made, "step", own.step);
    set(made, "sides", own.sides);
    set(made, "sweeps", own.sweeps);
    set(made, "impact_speed", own.impact_speed);
    return made;
  }
  model::MethodSettings operator()(const Analytic& own) const {
    model::MethodSettings made{"analytic", own.others};
    set(made, "tolerance", own.tolerance);
    set(made, "formula", own.formula);
    set(made, "forces", own.forces);
    set(made, "impact", own.impact);
    return made;
  }
  model::MethodSettings operator()(const Microcollision& own) const {
    model::MethodSettings made{"microcollision", own.others};
    set(made, "step", own.step);
    set(made, "epsilon", own.epsilon);
    set(made, "static_friction", own.static_friction);
    set(made, "impact", own.impact);
    return made;
  }
  model::MethodSettings operator()(const Elastic& own) const {
    model::MethodSettings made{"elastic", own.others};
    set(made, "tolerance", own.tolerance);
    set(made, "friction", own.friction);
    set(made, "damping", own.damping);
    set(made, "distance", own.distance);
    return made;
  }
};

}  // namespace

model::MethodSettings settings_of(const MethodOptions& options) {
  return std::visit(Settings{}, options);
}

}  // namespace carom::simulation
