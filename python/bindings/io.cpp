// Scenes from text and files, recordings, and the files that a run writes.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "bindings.h"
#include "carom/base/diagnostics.h"
#include "carom/io/output_error.h"
#include "carom/io/outputs.h"
#include "carom/io/scene_file.h"
#include "carom/methods/registry.h"
#include "carom/simulation/recorded.h"
#include "carom/simulation/simulation.h"

namespace carom::python {

namespace {

namespace fs = std::filesystem;
using io::LoadedScene;
using Changes = std::vector<std::pair<std::string, std::string>>;  // JSON pointers and values

std::vector<io::Override> overrides_of(const Changes& changes) {
  std::vector<io::Override> overrides;
  for (const auto& [pointer, value] : changes) overrides.push_back({pointer, value});
  return overrides;
}

std::shared_ptr<LoadedScene> load(const fs::path& file, const Changes& changes) {
  return std::make_shared<LoadedScene>(
      io::load_scene(file, overrides_of(changes), simulation::catalog()));
}

std::shared_ptr<LoadedScene> parse(const std::string& text, const std::string& name,
                                   const fs::path& folder) {
  return std::make_shared<LoadedScene>(
      io::parse_scene(text, name, {}, simulation::catalog(), folder));
}

// With the files that it names, instead of a folder in which they lie.
std::shared_ptr<LoadedScene> parse_whole(
    const std::string& text, const std::vector<std::pair<std::string, nb::bytes>>& files,
    const Changes& changes) {
  record::Trace trace;
  trace.scene_json = text;
  for (const auto& [name, bytes] : files)
    trace.scene_files.push_back({name, std::string(bytes.c_str(), bytes.size())});
  return std::make_shared<LoadedScene>(
      io::parse_recorded_scene(trace, "", overrides_of(changes), simulation::catalog()));
}

nb::list files_of(const LoadedScene& loaded) {
  nb::list files;
  for (const record::SceneFile& file : loaded.files)
    files.append(nb::make_tuple(file.name, nb::bytes(file.bytes.data(), file.bytes.size())));
  return files;
}

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& named) {
  std::vector<std::string> names;
  for (const Named& each : named) names.push_back(each.name);
  return names;
}

// The place in `named` of one of its names, or of a number that is a place already.
template <typename Named>
std::size_t place_of(const std::vector<Named>& named, const nb::object& which, const char* what) {
  const auto count = static_cast<std::int64_t>(named.size());
  if (!nb::isinstance<nb::str>(which)) {
    const nb::object number = nb::module_::import_("operator").attr("index")(which);
    const auto place = nb::cast<std::int64_t>(number);
    if (place >= 0 && place < count) return static_cast<std::size_t>(place);
    refuse(what, std::to_string(place),
           "a name, or a number from 0 to " + std::to_string(count - 1));
  }
  const auto name = nb::cast<std::string>(which);
  const auto found = std::ranges::find(named, name, &Named::name);
  if (found != named.end()) return static_cast<std::size_t>(found - named.begin());
  throw base::BadInput({{.place = what,
                         .found = '"' + name + '"',
                         .expected = "a name of the scene",
                         .hint = base::find_nearest_name(name, names_of(named))}});
}

std::size_t body_place(const LoadedScene& self, const nb::object& which) {
  return place_of(self.scene.bodies, which, "body");
}
std::size_t joint_place(const LoadedScene& self, const nb::object& which) {
  return place_of(self.scene.joints, which, "joint");
}

template <typename Of>
Array array_of(const Scene& scene, std::initializer_list<std::size_t> shape, const Of& of) {
  std::vector<double> values;
  for (const Body& body : scene.bodies) of(body, values);
  return make_array(std::move(values), shape);
}

Array masses(const LoadedScene& self) {
  return array_of(self.scene, {self.scene.bodies.size()},
                  [](const Body& body, auto& values) { values.push_back(body.mass); });
}

Array centers(const LoadedScene& self) {
  return array_of(self.scene, {self.scene.bodies.size(), 3}, [](const Body& body, auto& values) {
    for (int i = 0; i < 3; ++i) values.push_back(body.center_of_mass[i]);
  });
}

Array inertias(const LoadedScene& self) {
  return array_of(self.scene, {self.scene.bodies.size(), 3, 3}, [](const Body& body, auto& values) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) values.push_back(body.inertia(i, j));
  });
}

std::unique_ptr<Recording> open_recording(const fs::path& path) {
  auto recording = std::make_unique<Recording>();
  recording->trace = io::read_recording(path);
  recording->loaded = std::make_shared<LoadedScene>(
      io::parse_recorded_scene(recording->trace, path.string(), {}, simulation::catalog()));
  recording->summary = simulation::summarise_recording(recording->loaded->scene, recording->trace);
  return recording;
}

void bind_scene(nb::module_& module) {
  nb::class_<LoadedScene>(module, "Document", "A scene, checked, with its text and files.")
      .def_ro("json", &LoadedScene::json, "The scene as JSON, overrides applied.")
      .def_prop_ro("files", &files_of, "The files that it names: (name, bytes).")
      .def_prop_ro("name", [](const LoadedScene& self) { return self.scene.name; })
      .def_prop_ro("bodies", [](const LoadedScene& self) { return names_of(self.scene.bodies); })
      .def_prop_ro("joints", [](const LoadedScene& self) { return names_of(self.scene.joints); })
      .def_prop_ro("method", [](const LoadedScene& self) { return self.scene.method.name; })
      .def_prop_ro("impact", [](const LoadedScene& self) { return methods::impact_of(self.scene); })
      .def_prop_ro("duration", [](const LoadedScene& self) { return self.scene.duration; })
      .def_prop_ro("every", [](const LoadedScene& self) { return self.scene.output_every; })
      .def("body", &body_place, nb::arg("which"))
      .def("joint", &joint_place, nb::arg("which"))
      .def("mass", &masses)
      .def("center_of_mass", &centers)
      .def("inertia", &inertias);
}

}  // namespace

void bind_io(nb::module_& module) {
  nb::exception<io::OutputError>(module, "OutputError", PyExc_OSError);
  bind_scene(module);
  const nb::call_guard<nb::gil_scoped_release> release;
  module.def("load", &load, nb::arg("file"), nb::arg("changes"), release);
  module.def("parse", &parse, nb::arg("text"), nb::arg("name"), nb::arg("folder"), release);
  module.def("parse_whole", &parse_whole, nb::arg("text"), nb::arg("files"), nb::arg("changes"));
  module.def("open_recording", &open_recording, nb::arg("path"), release);
}

}  // namespace carom::python
