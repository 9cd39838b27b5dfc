// Applied forces that are constant over a step, of second order in its length: those of the middle
// of the step.
//
//   places       half a step ahead by the velocities of its start. Then a step under conservative
//                forces is the position form of Störmer–Verlet, which is symplectic: energy
//                oscillates with the square of the step and does not drift
//   velocities   the mean of the step, (v + v⁺)/2, implicitly in what dampers and drag do: the
//                implicit midpoint rule, stable for any damping. Dampers are solved one after the
//                other (Gauss–Seidel on a positive definite matrix) until none changes; quadratic
//                drag in closed form
//   a law        of a program, with the velocities that its own value at the start predicts
//
// Allocates nothing once warm; where nothing acts it costs nothing.
#pragma once

#include "carom/dynamics/applied_forces.h"

namespace carom::dynamics {

class HeldForces {
 public:
  HeldForces(const AppliedForces& forces, const Scene& scene) : forces_(forces), scene_(scene) {}

  // `carried`, empty or one per body: what contacts and joints do, as far as it is known, for the
  // velocities.
  void hold(const State& start, double duration, std::span<const Wrench> carried = {});

  bool empty() const { return forces_.empty(); }
  bool depend_on_velocity() const { return forces_.depends_on_velocity(); }
  std::span<const Wrench> wrenches() const { return held_.all; }     // per body, or empty
  std::span<const Wrench> program() const { return held_.program; }  // the same
  bool converged() const { return converged_; }

 private:
  struct Damper {  // between two points, or of a body in its medium
    const model::Spring* spring = nullptr;
    const model::Drag* drag = nullptr;
    BodyId on{};
    AnchorState a, b;
    Vec3 n = Vec3::Zero();  // along which it acts; zero: along any direction
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  };
  void predict_velocities(const State& start, std::span<const Wrench> carried);
  void list_dampers();
  void damp();
  double relax(Damper& damper);
  double relax_spring(Damper& damper);
  double relax_drag(Damper& damper);
  void push(const model::Anchor& on, const Vec3& lever, const Vec3& force);
  void push(BodyId on, const Vec3& force, const Vec3& torque);
  Mat3 give(const model::Anchor& on, const Vec3& lever) const;
  void add_dampers();

  const AppliedForces& forces_;
  const Scene& scene_;
  double half_ = 0;  // s; of the step
  State middle_;
  std::vector<Damper> dampers_;
  AppliedWrenches held_;
  std::vector<Wrench> law_;
  bool converged_ = true;
};

}  // namespace carom::dynamics
