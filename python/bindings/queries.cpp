// Questions about bodies where they are now.
#include "carom/simulation/queries.h"

#include <nanobind/stl/optional.h>

#include "stepping.h"

namespace carom::python {

namespace {

using simulation::Nearest;
using simulation::RayHit;
using simulation::SweepHit;

template <typename Of, Vec3 Of::* member>
nb::object vector(const Of& self) {
  const Vec3& v = self.*member;
  return nb::cast(make_array({v.x(), v.y(), v.z()}, {3}));
}

template <typename Hit>
std::size_t body_of(const Hit& hit) {
  return index(hit.body);
}

void bind_answers(nb::module_& module) {
  nb::class_<Nearest>(module, "Nearest", "How far two bodies are apart, and where.")
      .def_ro("distance", &Nearest::distance, "m; negative is depth.")
      .def_prop_ro("on_a", &vector<Nearest, &Nearest::on_a>, "The nearest point of the first, m.")
      .def_prop_ro("on_b", &vector<Nearest, &Nearest::on_b>, "And of the second, m.")
      .def_prop_ro("normal", &vector<Nearest, &Nearest::normal>, "Unit, from b to a.");
  nb::class_<RayHit>(module, "RayHit", "What a ray meets first.")
      .def_prop_ro("body", &body_of<RayHit>, "Its place in all arrays.")
      .def_ro("distance", &RayHit::distance, "m, from the origin; 0 where that is inside.")
      .def_prop_ro("point", &vector<RayHit, &RayHit::point>, "m")
      .def_prop_ro("normal", &vector<RayHit, &RayHit::normal>, "Unit, outward.");
  nb::class_<SweepHit>(module, "SweepHit", "What a body would come to touch first.")
      .def_prop_ro("body", &body_of<SweepHit>, "Its place in all arrays.")
      .def_ro("time", &SweepHit::s, "s, from now.")
      .def_prop_ro("point", &vector<SweepHit, &SweepHit::point>, "m")
      .def_prop_ro("normal", &vector<SweepHit, &SweepHit::normal>,
                   "Unit, from that body to the one that moves.");
}

}  // namespace

void bind_queries(nb::module_& module, nb::class_<Stepping>& simulation) {
  bind_answers(module);
  simulation
      .def("_nearest",
           [](Stepping& self, std::size_t a, std::size_t b) {
             return self.queries().nearest(self.get().state(), id_of<BodyId>(a), id_of<BodyId>(b));
           })
      .def("_overlap",
           [](Stepping& self, std::size_t a, std::size_t b) {
             return self.queries().overlap(self.get().state(), id_of<BodyId>(a), id_of<BodyId>(b));
           })
      .def(
          "cast_ray",
          [](Stepping& self, const nb::object& origin, const nb::object& direction,
             double longest) {
            return self.queries().cast_ray(self.get().state(), vector_of(origin, "origin"),
                                           vector_of(direction, "direction"), longest);
          },
          nb::arg("origin"), nb::arg("direction"), nb::arg("longest"),
          "The first body that a ray from `origin` (m) meets within `longest` (m), as a RayHit, "
          "or\n"
          "None. The direction may have any length but zero.")
      .def("_sweep", [](Stepping& self, std::size_t body, const nb::object& velocity,
                        const nb::object& angular_velocity, double duration) {
        return self.queries().sweep(
            self.get().state(), id_of<BodyId>(body),
            {vector_of(velocity, "velocity"), vector_of(angular_velocity, "angular_velocity")},
            duration);
      });
}

}  // namespace carom::python
