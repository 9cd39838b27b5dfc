// Motors and dry friction of joints: torques (forces, on a slider) about the joint's axis with a
// bound, against the speed that differs from the one wanted, as Coulomb's friction is against slip
// (Baraff, §7 and §8):
//
//     |τ| <= bound,   rate < speed: τ = bound,   rate > speed: τ = -bound.
//
// Friction wants no speed. In a step a drive either pulls with its bound, which is applied like any
// known force, or holds its speed, which is one more joint row. Which of the two is found by
// trying: a drive that would hold with more than its bound pulls, one that pulls past its speed
// holds. Where that is to be exact, one that is not at its speed pulls, and tells when it reaches
// it.
//
// Costs a pass over the drives a round; a few rounds are enough. Remembers nothing between steps.
#pragma once

#include <ranges>
#include <span>
#include <vector>

#include "carom/dynamics/flight.h"
#include "carom/dynamics/joint_axis.h"
#include "carom/methods/shared/joint_forces.h"

namespace carom::methods {

class JointDrives {
 public:
  explicit JointDrives(const Scene& scene);

  bool empty() const { return drives_.empty(); }

  // A step whose rows stand at `middle`, with the velocities of its start. Where speeds are to be
  // `located`, they are reached at the end of a step and not within it.
  void begin(const State& middle, bool located);
  // Moves the rows to another state and leaves drives as they are.
  void place(const State& state);

  // Rows of those that hold, and what those that pull do: per body, and one by one.
  void append_rows(std::vector<dynamics::JointRow>& rows) const;
  void apply(std::span<Wrench> wrenches) const;
  struct Pull {
    dynamics::JointRow row;
    double force;  // N, or N m
  };
  auto pulls() const {
    return drives_ | std::views::filter([](const Drive& drive) { return drive.pull != 0; }) |
           std::views::transform(
               [](const Drive& drive) { return Pull{drive.row, drive.pull * drive.bound}; });
  }

  // What was found with these rows and forces: `end` are the bodies at the middle with the
  // velocities of the end.
  struct Solved {
    SolvedJoints joints;
    double duration;
    const State& end;
  };
  // Whether drives cannot be as they were; then the step is to be solved again.
  bool revise(const Solved& solved);
  // The part of the step after which the first that pulls reaches its speed; 1: none does.
  double reach(const State& end) const;
  // m/s; by how much those that were left pulling have passed their speed.
  double missed(const State& end) const;

  // One by one, as they are where they were placed.
  std::size_t count() const { return drives_.size(); }
  int pull(std::size_t i) const { return drives_[i].pull; }  // ±1, or 0: it holds
  double bound(std::size_t i) const { return drives_[i].bound; }
  // m/s; zero or less once it has passed the speed towards which it pulls.
  double room(std::size_t i, const State& state) const;

 private:
  static constexpr int kMaxRounds = 10;

  struct Drive {
    std::int32_t joint = 0;
    double speed = 0, bound = 0;
    bool motor = false;
    bool located = false;      // pulls until it reaches its speed
    int pull = 0;              // ±1, or 0: it holds
    double off = 0;            // at the start, rate less speed
    dynamics::JointRow row{};  // in the middle
  };
  double rate_off(const Drive& drive, const State& state) const;
  double lever(const Drive& drive) const;
  bool is_at_speed(const Drive& drive, double off) const;
  bool is_past(const Drive& drive, const State& end) const;
  bool rival_holds(const Drive& drive) const;

  const Scene& scene_;
  std::vector<Drive> drives_;
  int rounds_ = 0;
};

}  // namespace carom::methods
