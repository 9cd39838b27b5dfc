// Forces that Python lays on bodies and joints, and the coordinates of joints that controllers
// read.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <utility>

#include "carom/dynamics/joint_axis.h"
#include "carom/geometry/distance/feature_pair.h"
#include "stepping.h"

namespace carom::python {

namespace {

using model::Joint;

double position_of(const Joint& joint, const State& state) {
  const BodyState &a = state[joint.a], &b = state[joint.b];
  if (joint.type == model::JointType::Hinge) {
    const double middle = joint.limits ? 0.5 * (joint.limits->first + joint.limits->second) : 0;
    return geometry::hinge_angle({joint.X_AJ, joint.X_BJ, middle, 0, 1, 0}, a.q, b.q);
  }
  const Vec3 axis = b.q * (joint.X_BJ.q * Vec3::UnitZ());
  return axis.dot(a.x + a.q * joint.X_AJ.p - b.x - b.q * joint.X_BJ.p);
}

double velocity_of(const Joint& joint, const State& state) {
  return dynamics::row_rate(dynamics::compute_axis_row(joint, state), state);
}

template <double (*of)(const Joint&, const State&)>
nb::object coordinates(const Stepping& self) {
  std::vector<double> values;
  for (const Joint& joint : self.get().scene().joints)
    values.push_back(dynamics::has_axis(joint.type) ? of(joint, self.get().state())
                                                    : std::numeric_limits<double>::quiet_NaN());
  const std::size_t count = values.size();
  return nb::cast(make_array(std::move(values), {count}));
}

void apply_wrench(Stepping& self, std::size_t body, const nb::object& force,
                  const nb::object& torque, const nb::object& point, bool lasting) {
  simulation::AppliedWrench wrench{vector_of(force, "force"), vector_of(torque, "torque")};
  if (!point.is_none()) wrench.point = vector_of(point, "point");
  self.apply_wrench(id_of<BodyId>(body), wrench,
                    lasting ? simulation::Lasting::UntilChanged : simulation::Lasting::OneCall);
}

void set_force_law(Stepping& self, const std::vector<std::size_t>& bodies, const nb::object& law) {
  std::vector<BodyId> ids;
  for (const std::size_t body : bodies) ids.push_back(id_of<BodyId>(body));
  self.set_force_law(std::move(ids), law);
}

}  // namespace

void bind_forces(nb::class_<Stepping>& simulation) {
  simulation
      .def("_apply_wrench", &apply_wrench, nb::arg("body"), nb::arg("force"), nb::arg("torque"),
           nb::arg("point").none(), nb::arg("lasting"))
      .def("_apply_joint_force", &Stepping::apply_joint_force, nb::arg("joint"), nb::arg("force"))
      .def("_set_force_law", &set_force_law, nb::arg("bodies"), nb::arg("law").none())
      .def_prop_ro(
          "joint_position", &coordinates<position_of>,
          "Of each joint, in the order of Scene.joints: the angle of a hinge (rad, within "
          "half\na turn of the middle of its limits, or of 0) or the way of a slider (m), of "
          "the first\nbody against the second, 0 at t = 0; NaN of other joints. A copy.")
      .def_prop_ro("joint_velocity", &coordinates<velocity_of>,
                   "The rates of joint_position, rad/s or m/s. A copy.");
}

}  // namespace carom::python
