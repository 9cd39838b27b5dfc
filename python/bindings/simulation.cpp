// What Python sees of simulations: time, state, and what happened.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <map>

#include "carom/io/outputs.h"
#include "stepping.h"

namespace carom::python {

namespace {

namespace fs = std::filesystem;
using io::LoadedScene;

// A view of what the simulation has now, which follows it; nobody may write.
template <Vec3 BodyState::* member>
auto view(nb::handle_t<Stepping> self) {
  const std::vector<BodyState>& bodies = nb::cast<const Stepping&>(self).get().state().bodies;
  return view_of((bodies.front().*member).data(), bodies.size(), self);
}

void make(Stepping* self, const std::shared_ptr<LoadedScene>& scene, int threads,
          const std::string& audit, bool step_error,
          const std::map<std::string, double>& tolerate) {
  new (self) Stepping(scene, SteppingOptions{threads, audit, step_error, tolerate});
}

nb::tuple state_of(Stepping& self) {
  if (self.has_files())
    refuse("pickle", "a simulation that writes files", "one without: files cannot go elsewhere");
  const std::string bytes = self.save();
  const SteppingOptions& options = self.options();
  nb::dict tolerate;
  for (const auto& [name, limit] : options.tolerate) tolerate[name.c_str()] = limit;
  return nb::make_tuple(options.threads, options.audit, options.step_error, tolerate,
                        nb::bytes(bytes.data(), bytes.size()));
}

void bind_time(nb::class_<Stepping>& simulation) {
  simulation
      .def("step", &Stepping::step,
           "One step of the method, as run() would make it; also beyond the duration.")
      .def("advance_to", &Stepping::advance_to, nb::arg("t"),
           "To t (s) exactly. A step that it cuts is shorter than the method would make it.")
      .def("advance_to_next_event", &Stepping::advance_to_next_event, nb::arg("latest"),
           "To just after the next event of any kind, or to `latest` (s) if there is none before.")
      .def("run", &Stepping::run,
           "To the scene's duration; files are then complete, and nothing can follow. Gives the\n"
           "summary.")
      .def("stop", &Stepping::stop,
           "From another thread: ends the call that moves time on, within its step.")
      .def("_resume", &Stepping::resume, nb::arg("past"))
      .def_prop_ro("time", [](const Stepping& self) { return self.get().time(); }, "s");
}

void bind_state(nb::class_<Stepping>& simulation) {
  simulation
      .def_prop_ro("position", &view<&BodyState::x>,
                   "Centres of mass now, n x 3, m: a view that follows the simulation, read-only.")
      .def_prop_ro("velocity", &view<&BodyState::v>,
                   "Of the centres of mass, n x 3, m/s: such a view.")
      .def_prop_ro("angular_velocity", &view<&BodyState::w>,
                   "World frame, n x 3, rad/s: such a view.")
      .def_prop_ro(
          "orientation",
          [](const Stepping& self) { return nb::cast(make_orientations(self.get().state())); },
          "Unit quaternions [w, x, y, z], body to world, n x 4: a copy.")
      .def(
          "state", [](const Stepping& self) { return State(self.get().state()); },
          "A copy of the state, to change and to hand to set_state().")
      .def(
          "set_state", &Stepping::set_state, nb::arg("state"),
          "Puts bodies elsewhere or gives them other velocities; the time stays. What comes in of\n"
          "energy and momentum is booked as work from outside. Overlaps are refused.")
      .def(
          "save",
          [](Stepping& self) {
            const std::string bytes = self.save();
            return nb::bytes(bytes.data(), bytes.size());
          },
          "Bytes from which restore() goes on bit for bit.")
      .def(
          "restore",
          [](Stepping& self, const nb::bytes& bytes) {
            self.restore(std::string(bytes.c_str(), bytes.size()));
          },
          nb::arg("saved"),
          "Goes on from what save() gave, in this simulation or another of the same scene,\n"
          "options and version. Files are told nothing of it.");
}

void bind_questions(nb::class_<Stepping>& simulation) {
  simulation
      .def("contacts", &Stepping::contacts,
           "Where bodies touch now: a structured array of body_a, body_b, point (m), normal (from "
           "b\n"
           "to a), gap (m), approach_rate (m/s), restitution, friction.")
      .def(
          "events", [](const Stepping& self) { return make_rows(self.get().events()); },
          "Events of the last call that moved time on: time (s), event (a number in\n"
          "carom.EVENTS), body_a, body_b, point (m), normal (from b to a), approach_speed and\n"
          "separation_speed (m/s), impulse (N s, on a).")
      .def(
          "forces", [](const Stepping& self) { return make_rows(self.get().forces()); },
          "Forces at the end of that call, a row for each contact and each joint: joint (-1 for a\n"
          "contact), body_a, body_b, point (m), force (N, on a), torque (N m, on a).")
      .def("summary", &Stepping::summary,
           "Counters and the audit's verdict so far, as docs/outputs.md describes them.")
      .def("_recording", &Stepping::recording);
}

}  // namespace

void bind_simulation(nb::module_& module) {
  nb::exception<CannotGoOn>(module, "CannotGoOn", PyExc_RuntimeError);
  module.attr("__version__") = simulation::version();
  nb::class_<Stepping> simulation(module, "Stepping", "A scene, its method, and time.");
  simulation
      .def("__init__", &make, nb::arg("scene"), nb::arg("threads"), nb::arg("audit"),
           nb::arg("step_error"), nb::arg("tolerate"), nb::call_guard<nb::gil_scoped_release>())
      .def("_keep", &Stepping::keep)
      .def("_add_file",
           [](Stepping& self, const fs::path& path) {
             self.add(io::make_output(path, *self.loaded(), simulation::version()));
           })
      .def("_add_events",
           [](Stepping& self, const fs::path& path) { self.add(io::make_events_csv(path)); })
      .def("_add_forces",
           [](Stepping& self, const fs::path& path) { self.add(io::make_forces_csv(path)); })
      .def("_add_contacts",
           [](Stepping& self, const fs::path& path) { self.add(io::make_contacts_csv(path)); })
      .def("_state_of_pickle", &state_of);
  bind_time(simulation);
  bind_state(simulation);
  bind_questions(simulation);
  bind_forces(simulation);
  bind_queries(module, simulation);
}

}  // namespace carom::python
