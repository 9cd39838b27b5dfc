// The methods there are, with their settings.
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "carom/model/method_check.h"
#include "carom/simulation/simulation.h"

namespace carom::python {

namespace {

nb::dict describe(const model::SettingDescription& setting) {
  nb::dict described;
  described["default"] = setting.fallback;
  described["allowed"] = model::describe_allowed(setting);
  described["choices"] = setting.choices;
  described["help"] = setting.help;
  return described;
}

nb::dict describe(const model::MethodDescription& method) {
  nb::dict settings;
  for (const model::SettingDescription& setting : method.settings)
    settings[setting.key.c_str()] = describe(setting);
  nb::dict described;
  described["summary"] = method.summary;
  described["settings"] = settings;
  return described;
}

nb::dict methods() {
  nb::dict all;
  for (const model::MethodDescription& method : simulation::catalog())
    all[method.name.c_str()] = describe(method);
  return all;
}

}  // namespace

void bind_model(nb::module_& module) {
  module.def("methods", &methods,
             "The methods by name: of each a `summary` and its `settings` by key, with `default`,\n"
             "what is `allowed`, the `choices` among words (those of \"impact\" are the impact\n"
             "laws) and `help`.");
}

}  // namespace carom::python
