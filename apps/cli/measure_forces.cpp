#include <cmath>

#include "carom/dynamics/flight.h"
#include "named_values.h"
#include "quantity.h"

namespace carom::cli {

namespace {

using record::CarriedForce;

// Points closer than this are one.
constexpr double kSamePoint = 1e-6;  // m

struct Wrench {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

struct Field {
  std::string_view name;
  double (*value)(const Wrench& wrench);
};

constexpr Field kFields[] = {
    {"fx", [](const Wrench& w) { return w.force.x(); }},
    {"fy", [](const Wrench& w) { return w.force.y(); }},
    {"fz", [](const Wrench& w) { return w.force.z(); }},
    {"size", [](const Wrench& w) { return w.force.norm(); }},
    {"tx", [](const Wrench& w) { return w.torque.x(); }},
    {"ty", [](const Wrench& w) { return w.torque.y(); }},
    {"tz", [](const Wrench& w) { return w.torque.z(); }},
};

struct Component {
  std::string_view name;
  double (*value)(const Accelerations::OfBody& body);
};

constexpr Component kComponents[] = {
    {"ax", [](const Accelerations::OfBody& b) { return b.linear.x(); }},
    {"ay", [](const Accelerations::OfBody& b) { return b.linear.y(); }},
    {"az", [](const Accelerations::OfBody& b) { return b.linear.z(); }},
    {"wx_rate", [](const Accelerations::OfBody& b) { return b.angular.x(); }},
    {"wy_rate", [](const Accelerations::OfBody& b) { return b.angular.y(); }},
    {"wz_rate", [](const Accelerations::OfBody& b) { return b.angular.z(); }},
};

using record::ContactTotals;

struct ContactField {
  std::string_view name;
  double (*value)(const ContactTotals& totals);
  bool is_time = false;  // bodies that never touched have none
};

constexpr ContactField kContactFields[] = {
    {"impacts", [](const ContactTotals& c) { return static_cast<double>(c.impacts); }},
    {"microcollisions",
     [](const ContactTotals& c) { return static_cast<double>(c.microcollisions); }},
    {"first_time", [](const ContactTotals& c) { return c.first_time; }, true},
    {"last_time", [](const ContactTotals& c) { return c.last_time; }, true},
    {"jx", [](const ContactTotals& c) { return c.impulse.x(); }},
    {"jy", [](const ContactTotals& c) { return c.impulse.y(); }},
    {"jz", [](const ContactTotals& c) { return c.impulse.z(); }},
    {"normal_impulse", [](const ContactTotals& c) { return c.normal_impulse; }},
    {"greatest_impulse", [](const ContactTotals& c) { return c.greatest_impulse; }},
    {"fx", [](const ContactTotals& c) { return c.mean_force.x(); }},
    {"fy", [](const ContactTotals& c) { return c.mean_force.y(); }},
    {"fz", [](const ContactTotals& c) { return c.mean_force.z(); }},
};

// +1 where the force is one of those asked for, -1 where it acts on the other body, else 0.
double share_of(const ForceQuantity& quantity, const Scene& scene, const CarriedForce& force) {
  if (const auto* joint = std::get_if<std::string>(&quantity.by)) {
    const bool is_it =
        force.joint >= 0 && scene.joints[static_cast<std::size_t>(force.joint)].name == *joint;
    return is_it ? 1 : 0;
  }
  if (force.joint >= 0) return 0;
  const auto& [on, from] = std::get<0>(quantity.by);
  const std::string &a = scene.body(force.a).name, &b = scene.body(force.b).name;
  if (a == on && b == from) return 1;
  return a == from && b == on ? -1 : 0;
}

Wrench add_up(const ForceQuantity& quantity, const Scene& scene, const record::Trace& trace,
              double t, const Vec3* at) {
  Wrench sum;
  for (const record::ForceAt& each : trace.forces) {
    if (each.t != t) continue;
    if (at != nullptr && (each.force.point - *at).norm() > kSamePoint) continue;
    const double share = share_of(quantity, scene, each.force);
    sum.force += share * each.force.force;
    sum.torque += share * each.force.torque;
  }
  return sum;
}

Accelerations::OfBody accelerations_on(const RigidMotion& motion, double s) {
  return {math::acceleration_at(motion, s), math::rotation_at(motion.rotation, s).w_rate};
}

}  // namespace

std::vector<std::string> force_field_names() { return names_in(kFields); }
std::vector<std::string> contact_field_names() { return names_in(kContactFields); }
std::vector<std::string> acceleration_names() { return names_in(kComponents); }

Measured measure_force(const ForceQuantity& quantity, const Scene& scene,
                       const record::Trace& trace) {
  std::vector<double> times, values;
  for (const State& state : trace.outputs) times.push_back(state.t);
  std::vector<const Vec3*> points;
  for (const Vec3& point : quantity.at) points.push_back(&point);
  if (points.empty()) points.push_back(nullptr);
  const Field& field = entry_of(kFields, quantity.field);
  for (const Vec3* point : points) {
    for (const std::size_t number : select_times(quantity.times, times))
      values.push_back(field.value(add_up(quantity, scene, trace, times[number], point)));
  }
  return {values, {}};
}

Measured measure_contacts(const ContactsQuantity& quantity, const Scene& scene,
                          const record::ContactStatistics& statistics) {
  ContactTotals found;
  bool touched = false;
  for (const ContactTotals& pair : statistics.pairs()) {
    const std::array names{scene.body(pair.a).name, scene.body(pair.b).name};
    const bool reversed = quantity.between == std::array{names[1], names[0]};
    if (quantity.between != names && !reversed) continue;
    found = reversed ? seen_from_other(pair) : pair;
    touched = true;
  }
  std::vector<double> values;
  for (const std::string& name : quantity.fields) {
    const ContactField& field = entry_of(kContactFields, name);
    if (field.is_time && !touched) return {std::vector<double>{}, "they never touched"};
    values.push_back(field.value(found));
  }
  return {values, {}};
}

double Accelerations::next_time() const {
  return static_cast<double>(samples_.size()) * scene_->output_every;
}

// As the recorder does it: times k·every, one that an end misses by round-off included.
bool Accelerations::is_due(double end) const {
  constexpr double kSlack = 1e-9;
  return next_time() <= end + kSlack * scene_->output_every;
}

void Accelerations::segment(const record::Segment& segment) {
  const Flight& flight = segment.flight;
  if (flight.duration <= 0) return;
  while (is_due(flight.t0 + flight.duration)) {
    Sample sample{.t = next_time(), .bodies = {}};
    const double s = std::clamp(sample.t - flight.t0, 0.0, flight.duration);
    for (const RigidMotion& motion : flight.motions)
      sample.bodies.push_back(accelerations_on(motion, s));
    samples_.push_back(std::move(sample));
  }
}

void Accelerations::frame(const record::Frame& frame) {
  sampler_.begin();
  State state;
  std::size_t passed = 0;
  while (is_due(frame.end.t)) {
    Sample sample{.t = next_time(), .bodies = {}};
    while (passed < frame.collisions.size() && frame.collisions[passed].event.t <= sample.t)
      ++passed;
    if (frame.segments.empty())
      sampler_.sample(*scene_, frame, passed, sample.t, state);
    else
      state = sample.t > frame.start.t ? frame.end : frame.start;
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
      sample.bodies.push_back(
          accelerations_on(dynamics::fly_freely(*scene_, scene_->bodies[i], state.bodies[i]), 0));
    for (const record::ClusterSegment& segment : frame.segments) {
      if (segment.t0 != state.t && segment.t1 != state.t) continue;
      for (std::size_t i = 0; i < segment.bodies.size(); ++i)
        sample.bodies[index(segment.bodies[i])] =
            accelerations_on(segment.motions[i], state.t - segment.t0);
    }
    samples_.push_back(std::move(sample));
  }
}

Measured measure_acceleration(const AccelerationQuantity& quantity, const Scene& scene,
                              const std::vector<Accelerations::Sample>& samples) {
  std::vector<double> times, values;
  for (const Accelerations::Sample& sample : samples) times.push_back(sample.t);
  const std::vector<std::size_t> numbers = select_times(quantity.times, times);
  for (const std::string& body : quantity.bodies) {
    for (const std::string& name : quantity.components) {
      const Component& component = entry_of(kComponents, name);
      for (const std::size_t number : numbers)
        values.push_back(component.value(samples[number].bodies[index_of(scene, body)]));
    }
  }
  return {values, {}};
}

}  // namespace carom::cli
