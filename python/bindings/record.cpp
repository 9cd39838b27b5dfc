// What happened, as structured arrays, and recordings in memory.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "bindings.h"
#include "carom/dynamics/energy.h"
#include "carom/io/outputs.h"
#include "carom/io/summary_json.h"
#include "carom/record/replay.h"
#include "carom/simulation/simulation.h"

namespace carom::python {

namespace {

using record::CarriedForce;
using record::ContactEvent;
using record::ForceAt;

// The dtype of rows that are values of T as they lie in memory.
template <typename T>
class Layout {
 public:
  template <typename Member>
  Layout& add(const char* name, const Member& member) {
    names_.append(name);
    formats_.append(format_of(member));
    offsets_.append(reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&probe));
    return *this;
  }
  nb::object dtype() const {
    nb::dict fields;
    fields["names"] = names_;
    fields["formats"] = formats_;
    fields["offsets"] = offsets_;
    fields["itemsize"] = sizeof(T);
    return nb::module_::import_("numpy").attr("dtype")(fields);
  }

  const T probe{};  // whose members are named to add()

 private:
  static const char* format_of(const double& /*member*/) { return "f8"; }
  static const char* format_of(const Vec3& /*member*/) { return "(3,)f8"; }
  template <typename Small>  // ids and kinds
  static const char* format_of(const Small& /*member*/) {
    static_assert(sizeof(Small) == sizeof(std::int32_t));
    return "i4";
  }

  nb::list names_, formats_, offsets_;
};

nb::object event_dtype() {
  Layout<ContactEvent> layout;
  const ContactEvent& event = layout.probe;
  return layout.add("time", event.t)
      .add("event", event.kind)
      .add("body_a", event.a)
      .add("body_b", event.b)
      .add("point", event.point)
      .add("normal", event.normal)
      .add("approach_speed", event.approach_speed)
      .add("separation_speed", event.separation_speed)
      .add("impulse", event.impulse)
      .add("iterations", event.iterations)
      .add("lineality", event.lineality)
      .dtype();
}

template <typename T>
Layout<T>& add_force(Layout<T>& layout, const CarriedForce& force) {
  return layout.add("joint", force.joint)
      .add("body_a", force.a)
      .add("body_b", force.b)
      .add("point", force.point)
      .add("force", force.force)
      .add("torque", force.torque);
}

nb::object force_dtype() {
  Layout<CarriedForce> layout;
  return add_force(layout, layout.probe).dtype();
}

nb::object force_at_dtype() {
  Layout<ForceAt> layout;
  layout.add("time", layout.probe.t);
  return add_force(layout, layout.probe.force).dtype();
}

nb::object contact_dtype() {
  Layout<contact::Contact> layout;
  const contact::Contact& contact = layout.probe;
  return layout.add("body_a", contact.a)
      .add("body_b", contact.b)
      .add("point", contact.at.point)
      .add("normal", contact.at.normal)
      .add("gap", contact.at.gap)
      .add("approach_rate", contact.approach_rate)
      .add("restitution", contact.restitution)
      .add("friction", contact.friction)
      .dtype();
}

template <typename T>
nb::object copy_rows(std::span<const T> values, const nb::object& dtype) {
  auto kept = std::make_unique<std::vector<T>>(values.begin(), values.end());
  auto* data = reinterpret_cast<std::uint8_t*>(kept->data());
  const nb::capsule owner(kept.release(),
                          [](void* rows) noexcept { delete static_cast<std::vector<T>*>(rows); });
  const nb::ndarray<nb::numpy, std::uint8_t> bytes(data, {values.size() * sizeof(T)}, owner);
  return nb::cast(bytes).attr("view")(dtype);
}

Array array_of(const Recording& recording, Vec3 BodyState::* member) {
  const std::vector<State>& outputs = recording.trace.outputs;
  const std::size_t bodies = recording.loaded->scene.bodies.size();
  std::vector<double> values;
  values.reserve(outputs.size() * bodies * 3);
  for (const State& state : outputs)
    for (const BodyState& body : state.bodies)
      for (int axis = 0; axis < 3; ++axis) values.push_back((body.*member)[axis]);
  return make_array(std::move(values), {outputs.size(), bodies, 3});
}

Array orientations_of(const Recording& recording) {
  const std::vector<State>& outputs = recording.trace.outputs;
  const std::size_t bodies = recording.loaded->scene.bodies.size();
  std::vector<double> values;
  values.reserve(outputs.size() * bodies * 4);
  for (const State& state : outputs)
    for (const BodyState& body : state.bodies)
      values.insert(values.end(), {body.q.w(), body.q.x(), body.q.y(), body.q.z()});
  return make_array(std::move(values), {outputs.size(), bodies, 4});
}

template <typename Of>
Array numbers_of(const Recording& recording, const Of& of) {
  std::vector<double> values;
  for (const State& state : recording.trace.outputs) values.push_back(of(state));
  const std::size_t size = values.size();
  return make_array(std::move(values), {size});
}

dynamics::Energy energy_of(const Recording& recording, const State& state) {
  return dynamics::compute_energy(recording.loaded->scene, state);
}

void write(const Recording& recording, const std::string& path) {
  const nb::gil_scoped_release release;
  const auto sink = io::make_output(path, *recording.loaded, simulation::version());
  sink->begin(recording.loaded->scene);
  record::replay(recording.trace, *sink);
  if (recording.trace.checkpoint) sink->checkpoint(*recording.trace.checkpoint);
  sink->end(recording.summary);
}

}  // namespace

Array make_array(std::vector<double> values, std::initializer_list<std::size_t> shape) {
  auto kept = std::make_unique<std::vector<double>>(std::move(values));
  double* data = kept->data();
  const nb::capsule owner(kept.release(), [](void* numbers) noexcept {
    delete static_cast<std::vector<double>*>(numbers);
  });
  return Array(data, shape, owner);
}

nb::object make_rows(std::span<const ContactEvent> events) {
  return copy_rows(events, event_dtype());
}
nb::object make_rows(std::span<const CarriedForce> forces) {
  return copy_rows(forces, force_dtype());
}
nb::object make_rows(std::span<const ForceAt> forces) {
  return copy_rows(forces, force_at_dtype());
}
nb::object make_rows(std::span<const contact::Contact> contacts) {
  return copy_rows(contacts, contact_dtype());
}

nb::object make_summary(const record::Summary& summary) {
  return nb::module_::import_("json").attr("loads")(io::to_json(summary));
}

void bind_record(nb::module_& module) {
  nb::list kinds;
  for (const std::string_view name : record::kEventNames)
    kinds.append(nb::str(name.data(), name.size()));
  module.attr("EVENTS") = kinds;
  nb::class_<Recording>(module, "Trace", "What a run told, as it lies in memory.")
      .def_prop_ro("scene", [](const Recording& self) { return self.loaded; })
      .def_prop_ro("summary", [](const Recording& self) { return make_summary(self.summary); })
      .def("time",
           [](const Recording& self) {
             return numbers_of(self, [](const State& state) { return state.t; });
           })
      .def("position", [](const Recording& self) { return array_of(self, &BodyState::x); })
      .def("velocity", [](const Recording& self) { return array_of(self, &BodyState::v); })
      .def("angular_velocity", [](const Recording& self) { return array_of(self, &BodyState::w); })
      .def("orientation", &orientations_of)
      .def("kinetic",
           [](const Recording& self) {
             return numbers_of(self,
                               [&](const State& state) { return energy_of(self, state).kinetic; });
           })
      .def("potential",
           [](const Recording& self) {
             return numbers_of(
                 self, [&](const State& state) { return energy_of(self, state).potential; });
           })
      .def("events",
           [](const Recording& self) {
             return make_rows(std::span<const ContactEvent>(self.trace.events));
           })
      .def("forces",
           [](const Recording& self) {
             return make_rows(std::span<const ForceAt>(self.trace.forces));
           })
      .def("write", &write, nb::arg("path"));
}

}  // namespace carom::python
