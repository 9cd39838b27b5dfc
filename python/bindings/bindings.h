// What the files of this folder share: one function for each folder of src/carom that Python sees,
// and how values of carom become NumPy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "carom/contact/contact_set.h"
#include "carom/io/scene_file.h"
#include "carom/record/sink.h"

namespace carom::python {

namespace nb = nanobind;

void bind_base(nb::module_& module);
void bind_model(nb::module_& module);
void bind_dynamics(nb::module_& module);
void bind_record(nb::module_& module);
void bind_io(nb::module_& module);
void bind_simulation(nb::module_& module);

using Array = nb::ndarray<nb::numpy, double>;

// What a caller gave, refused: as base::BadInput, which Python sees as carom.BadInput.
[[noreturn]] void refuse(std::string place, std::string found, std::string expected);

// Three numbers, from whatever NumPy can make an array of; `place` is where they are wanted.
Vec3 vector_of(const nb::object& value, const std::string& place);
// What a law gives: a force, or a force and a torque as two rows.
std::pair<Vec3, Vec3> wrench_of(const nb::object& value);

// An array that owns its numbers.
Array make_array(std::vector<double> values, std::initializer_list<std::size_t> shape);

// Vectors of the bodies of a state, n × 3, as a view of the state's own memory from the first on.
template <typename Number>  // double, or const double where nobody may write
nb::ndarray<nb::numpy, Number> view_of(Number* first, std::size_t bodies, nb::handle owner) {
  constexpr std::int64_t kStride = sizeof(BodyState) / sizeof(double);
  static_assert(sizeof(BodyState) % sizeof(double) == 0);
  return nb::ndarray<nb::numpy, Number>(first, {bodies, 3}, owner, {kStride, 1});
}
Array make_orientations(const State& state);  // n × 4, [w, x, y, z]: a copy

// A structured array of a copy of the values.
nb::object make_rows(std::span<const record::ContactEvent> events);
nb::object make_rows(std::span<const record::CarriedForce> forces);
nb::object make_rows(std::span<const record::ForceAt> forces);
nb::object make_rows(std::span<const contact::Contact> contacts);
nb::object make_summary(const record::Summary& summary);  // a dictionary, as the JSON has it

// A run that is over, or as far as it is known.
struct Recording {
  std::shared_ptr<const io::LoadedScene> loaded;
  record::Trace trace;
  record::Summary summary;
};

}  // namespace carom::python
