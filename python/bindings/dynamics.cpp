// States as NumPy arrays: views of the memory in which they are.
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "carom/dynamics/state.h"

namespace carom::python {

namespace {

using Given = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

// What NumPy can make an array of.
Given numbers_of(const nb::object& value) {
  return nb::cast<Given>(nb::module_::import_("numpy").attr("ascontiguousarray")(value, "f8"));
}

std::string shape_of(const Given& given) {
  std::string sizes;
  for (std::size_t i = 0; i < given.ndim(); ++i)
    sizes += (i > 0 ? " x " : "") + std::to_string(given.shape(i));
  return given.ndim() == 0 ? "a number" : sizes + " numbers";
}

Vec3 row_of(const Given& given, std::size_t row) {
  const double* first = given.data() + 3 * row;
  return {first[0], first[1], first[2]};
}

// As n rows of `width` numbers.
Given rows_of(const nb::object& value, std::size_t rows, std::size_t width) {
  Given given = numbers_of(value);
  if (given.ndim() == 2 && given.shape(0) == rows && given.shape(1) == width) return given;
  refuse("the state", shape_of(given),
         std::to_string(rows) + " x " + std::to_string(width) + " numbers, a row for each body");
}

using Member = Vec3 BodyState::*;

template <Member member>
Array view(nb::handle_t<State> self) {
  auto& bodies = nb::cast<State&>(self).bodies;
  return view_of((bodies.front().*member).data(), bodies.size(), self);
}

template <Member member>
void assign(State& state, const nb::object& value) {
  const Given given = rows_of(value, state.bodies.size(), 3);
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      (state.bodies[i].*member)[static_cast<math::Index>(k)] = given.data()[3 * i + k];
}

nb::object orientations(const State& state) {
  nb::object copy = nb::cast(make_orientations(state));
  copy.attr("flags").attr("writeable") = false;  // what is written into a copy would be lost
  return copy;
}

void set_orientations(State& state, const nb::object& value) {
  const Given given = rows_of(value, state.bodies.size(), 4);
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const double* q = given.data() + 4 * i;
    state.bodies[i].q = Quat(q[0], q[1], q[2], q[3]);
  }
}

}  // namespace

Vec3 vector_of(const nb::object& value, const std::string& place) {
  const Given given = numbers_of(value);
  if (given.ndim() != 1 || given.shape(0) != 3) refuse(place, shape_of(given), "three numbers");
  return row_of(given, 0);
}

std::pair<Vec3, Vec3> wrench_of(const nb::object& value) {
  const Given given = numbers_of(value);
  if (given.ndim() == 1 && given.shape(0) == 3) return {row_of(given, 0), Vec3::Zero()};
  if (given.ndim() == 2 && given.shape(0) == 2 && given.shape(1) == 3)
    return {row_of(given, 0), row_of(given, 1)};
  refuse("the law of forces", shape_of(given),
         "a force, or a force and a torque: 3 or 2 x 3 numbers");
}

Array make_orientations(const State& state) {
  std::vector<double> values;
  for (const BodyState& body : state.bodies)
    values.insert(values.end(), {body.q.w(), body.q.x(), body.q.y(), body.q.z()});
  return make_array(std::move(values), {state.bodies.size(), 4});
}

void bind_dynamics(nb::module_& module) {
  nb::class_<State>(module, "State",
                    "Where the bodies are and how they move at one time: arrays of a row for each\n"
                    "body, in the order of Scene.bodies, world frame. A value of its own.")
      .def(nb::init<const State&>(), nb::arg("other"), "A copy.")
      .def_ro("time", &State::t, "s")
      .def_prop_rw("position", &view<&BodyState::x>, &assign<&BodyState::x>,
                   "Centres of mass, n x 3, m; a view.")
      .def_prop_rw("velocity", &view<&BodyState::v>, &assign<&BodyState::v>,
                   "Of the centres of mass, n x 3, m/s; a view.")
      .def_prop_rw("angular_velocity", &view<&BodyState::w>, &assign<&BodyState::w>,
                   "World frame, n x 3, rad/s; a view.")
      .def_prop_rw("orientation", &orientations, &set_orientations,
                   "Unit quaternions [w, x, y, z], body to world, n x 4; a copy that cannot be\n"
                   "written into: assign the whole array.");
}

}  // namespace carom::python
