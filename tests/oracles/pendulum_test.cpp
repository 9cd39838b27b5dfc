// A rod hung at its end, released level: period 4 √(2L/3g) K(1/2), bottom speed √(3g/L).
#include <gtest/gtest.h>

#include "carom/dynamics/flight.h"
#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr double kPeriod = 1.9333348543732458, kBottomSpeed = 5.424942396007538;

model::BodySpec make_hook() {
  model::BodySpec hook = support::make_ball("hook", 0.01, Vec3::Zero());
  hook.motion = model::Motion::Fixed;
  return hook;
}

support::SceneParts make_pendulum(model::JointType joint, double step) {
  model::BodySpec rod = support::make_box("rod", Vec3(1, 0.01, 0.01), Vec3(0.5, 0, 0));
  rod.inertia = Mat3(Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal());
  return {.bodies = {make_hook(), rod},
          .joints = {{.name = "hang",
                      .type = joint,
                      .between = {"hook", "rod"},
                      .anchor = Vec3::Zero(),
                      .axis = Vec3::UnitY()}},
          .method = support::zeno_free(step),
          .duration = 1.2 * kPeriod};
}

// Times at which the rod turns about: its spin changes sign, once every half period.
class Turns : public record::Sink {
 public:
  void segment(const record::Segment& segment) override {
    const auto& rod = segment.flight.motions[1].rotation;
    const double h = segment.flight.duration;
    const double start = math::angular_velocity_at(rod, 0).y(),
                 end = math::angular_velocity_at(rod, h).y();
    fastest = std::max({fastest, std::abs(start), std::abs(end)});
    if (start * end < 0) times.push_back(segment.flight.t0 + h * start / (start - end));
  }
  std::vector<double> times;
  double fastest = 0;
};

struct Swing {
  double period_error = 0, speed_error = 0, joint_error = 0, energy_gain = 0;
};

Swing swing(model::JointType joint, double step) {
  const Scene scene = support::build(make_pendulum(joint, step));
  Simulation simulation(scene);
  Turns turns;
  simulation.add(turns);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  EXPECT_GE(turns.times.size(), 2U);
  const double period =
      turns.times.empty() ? 0 : turns.times.back() / static_cast<double>(turns.times.size()) * 2;
  return {std::abs(period - kPeriod), std::abs(turns.fastest - kBottomSpeed),
          summary.audit.max_joint_error, summary.audit.energy_max_gain};
}

class Pendulum : public testing::TestWithParam<model::JointType> {};

TEST_P(Pendulum, SwingsWithAnErrorOfSecondOrderInTheStep) {
  const Swing coarse = swing(GetParam(), 0.004), middle = swing(GetParam(), 0.002),
              fine = swing(GetParam(), 0.001);
  EXPECT_LT(middle.period_error, coarse.period_error / 3.6);
  EXPECT_LT(fine.period_error, middle.period_error / 3.6);
  EXPECT_LT(fine.speed_error, middle.speed_error / 3.6);
  EXPECT_LT(fine.joint_error, middle.joint_error / 3.6);
  EXPECT_LT(fine.energy_gain, middle.energy_gain / 3.6);
  EXPECT_LT(fine.period_error, 1e-5);
  EXPECT_LT(fine.energy_gain, 1e-4);  // J, of a swing of 4.9 J
  std::cout << "period errors " << coarse.period_error << ' ' << middle.period_error << ' '
            << fine.period_error << " s, joint errors " << coarse.joint_error << ' '
            << middle.joint_error << ' ' << fine.joint_error << " m, energy gains "
            << coarse.energy_gain << ' ' << middle.energy_gain << ' ' << fine.energy_gain << " J\n";
}

INSTANTIATE_TEST_SUITE_P(Joints, Pendulum,
                         testing::Values(model::JointType::Ball, model::JointType::Hinge));

}  // namespace
}  // namespace carom::simulation
