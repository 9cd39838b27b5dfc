// Mistakes in what comes from outside, as an exception that knows the places.
#include <nanobind/stl/string.h>

#include <tuple>
#include <utility>

#include "bindings.h"
#include "carom/base/diagnostics.h"

namespace carom::python {

namespace {

using base::Diagnostic;

nb::object make_exception(const nb::handle& type, const base::BadInput& error) {
  nb::list diagnostics;
  for (const Diagnostic& each : error.diagnostics()) diagnostics.append(nb::cast(each));
  nb::object value = type(error.what());
  value.attr("diagnostics") = diagnostics;
  return value;
}

void translate(const std::exception_ptr& thrown, void* type) {
  try {
    std::rethrow_exception(thrown);
  } catch (const base::BadInput& error) {
    const nb::handle raised(static_cast<PyObject*>(type));
    PyErr_SetObject(raised.ptr(), make_exception(raised, error).ptr());
  }
}

nb::tuple state_of(const Diagnostic& d) {
  return nb::make_tuple(d.place, d.found, d.expected, d.hint, d.file, d.line);
}

void bind_diagnostic(nb::module_& module) {
  nb::class_<Diagnostic>(module, "Diagnostic", "One thing that is wrong, and where.")
      .def_ro("place", &Diagnostic::place, "JSON pointer such as /bodies/2/mass.")
      .def_ro("found", &Diagnostic::found, "What stands there.")
      .def_ro("expected", &Diagnostic::expected, "What should.")
      .def_ro("hint", &Diagnostic::hint, "The nearest valid name, or empty.")
      .def_ro("file", &Diagnostic::file, "The file, or empty.")
      .def_ro("line", &Diagnostic::line, "Its line, from 1; 0 where unknown.")
      .def("__repr__", [](const Diagnostic& self) { return base::to_string(self); })
      .def("__getstate__", &state_of)
      .def("__setstate__", [](Diagnostic& self, const nb::tuple& state) {
        new (&self) Diagnostic{nb::cast<std::string>(state[0]), nb::cast<std::string>(state[1]),
                               nb::cast<std::string>(state[2]), nb::cast<std::string>(state[3]),
                               nb::cast<std::string>(state[4]), nb::cast<int>(state[5])};
      });
}

}  // namespace

void refuse(std::string place, std::string found, std::string expected) {
  throw base::BadInput(
      {{.place = std::move(place), .found = std::move(found), .expected = std::move(expected)}});
}

void bind_base(nb::module_& module) {
  bind_diagnostic(module);
  PyObject* bad_input = PyErr_NewExceptionWithDoc(
      "carom.BadInput",
      "What was given cannot be simulated. Its text and its list `diagnostics` name every place,\n"
      "what was found there and what was expected.",
      PyExc_ValueError, nullptr);
  module.attr("BadInput") = nb::steal(bad_input);
  nb::register_exception_translator(translate, bad_input);
}

}  // namespace carom::python
