// The extension module carom._core: a folder of src/carom after the other.
#include "bindings.h"

namespace {

void bind(nanobind::module_& module) {
  module.doc() = "The bindings of carom's library; import carom instead.";
  carom::python::bind_base(module);
  carom::python::bind_model(module);
  carom::python::bind_dynamics(module);
  carom::python::bind_record(module);
  carom::python::bind_io(module);
  carom::python::bind_simulation(module);
}

}  // namespace

NB_MODULE(_core, module) { bind(module); }
