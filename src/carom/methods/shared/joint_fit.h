// Whether joints can hold at all: the least change of velocities, and of positions, after which
// they do, and how far they are from it where nothing does. Bodies that are driven stay as they
// are: joints that ask them for more contradict their motion.
#pragma once

#include "carom/resting/hold.h"

namespace carom::methods {

class JointFit {
 public:
  JointFit(const Scene& scene, base::Workers& workers)
      : scene_(scene), assembler_(scene), holder_(workers) {}

  // How fast each joint opens, m/s, and how far it is open, m: the most of its rows, with what
  // turns taken at a body's size. Live until the next call.
  std::span<const double> rates(const State& state);
  std::span<const double> errors(const State& state);

  // What joints ask of accelerations because of velocities, m/s², and what no force gives them of
  // it.
  struct Bias {
    double asked = 0;
    std::span<const double> left;
  };
  Bias biases(const State& state);

  // Least changes in the energy metric. Rows that contradict one another are met in the
  // least-squares sense, so that what is left afterwards is what nothing can take away.
  void stop(State& state);
  void close(State& state);

  // What the last of them did.
  std::span<const dynamics::JointRow> rows() const { return rows_; }
  const contact::ContactProblem& problem() const { return problem_; }
  const contact::Impulses& impulses() const { return impulses_; }

 private:
  template <typename Of>
  std::span<const double> measure(const State& state, const Of& of);
  double greatest_error() const;
  void hold_still(State& state);
  double lever(const dynamics::JointRow& row) const;
  void look(const State& state);

  const Scene& scene_;
  contact::Assembler assembler_;
  resting::Holder holder_;
  std::vector<dynamics::JointRow> rows_;
  contact::ContactProblem problem_;
  contact::Impulses impulses_;
  std::vector<double> wanted_, of_joints_;
  State shift_;
};

}  // namespace carom::methods
