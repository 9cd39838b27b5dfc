// Accelerations of bodies that touch or are jointed, from the forces between them: Baraff's
// χ̈ = A f - b at one state, with contacts followed by their features, so that what is found varies
// smoothly with the state.
//
// How a contact with friction is treated is settled beforehand (Grip): one that slides is braked
// against its slip, also a little beyond the moment at which it stops; one that sticks is kept from
// accelerating, as far as its cone allows.
#pragma once

#include <array>

#include "carom/contact/followed.h"
#include "carom/contact/impulse_memory.h"
#include "carom/contact/step_rates.h"
#include "carom/dynamics/applied_forces.h"
#include "carom/methods/shared/joint_drives.h"
#include "carom/record/sink.h"
#include "carom/resting/contact_forces.h"
#include "carom/resting/hold.h"

namespace carom::methods {

enum class Grip : char {
  Smooth,  // no friction
  Slides,
  Sticks,
  Starts,  // rests but accelerates along the surface
};

// What a contact resists: slip, by friction; all turning, and that about the normal, by couples.
enum class Resisted : char { Slip, Turning, Spin };
constexpr std::array kResisted = {Resisted::Slip, Resisted::Turning, Resisted::Spin};

struct Gripped {
  Grip grip = Grip::Smooth;
  Vec3 rate = Vec3::Zero();  // m/s, world: when it was gripped; of turning, by the scene's length

  bool is_bound() const { return grip == Grip::Sticks || grip == Grip::Starts; }
};

struct Followed {
  contact::Contact contact;  // as it was found
  contact::ContactFeatures feature;
  std::array<Gripped, kResisted.size()> grips{};

  const Gripped& operator[](Resisted what) const { return grips[static_cast<std::size_t>(what)]; }
  Gripped& operator[](Resisted what) { return grips[static_cast<std::size_t>(what)]; }
};

// What its coefficient is, and how fast it is now, in world axes.
double coefficient_of(const contact::Contact& contact, Resisted what);
Vec3 rate_of(const Scene& scene, const contact::Contact& contact, Resisted what,
             const State& state);

// Forces and what they do at one state.
struct Accelerations {
  std::vector<Twist> bodies;  // in the order of ContactAccelerations::blocks()
  // Per contact, along normal and tangents; couples over their arms, and turning times them.
  std::vector<Vec3> force, acceleration, couple, turning;
  std::vector<record::CarriedForce> carried;  // contacts, then joint rows
  std::vector<double> drive;                  // per drive of a joint that holds: with what
  std::vector<Wrench> program;                // per body, what a program applies; or empty
  double greatest_force = 0;                  // along a normal
  double scale = 0;  // m/s²; the greatest acceleration of a row without contact forces

  bool pushes(std::size_t contact) const;    // notably
  bool vanishes(std::size_t contact) const;  // opens: χ̈ > 0, notably
  // Accelerates where it is resisted, notably; and by how much, along normal and tangents.
  bool slips(std::size_t contact, Resisted what) const;
  Vec3 resisted(std::size_t contact, Resisted what) const;
  // The part of its greatest that the resisting force or couple leaves.
  double room(std::size_t contact, const contact::Contact& of, Resisted what) const;
};

class ContactAccelerations {
 public:
  ContactAccelerations(const Scene& scene, const dynamics::AppliedForces& applied,
                       base::Workers& workers)
      : drives(scene),
        scene_(scene),
        applied_(applied),
        assembler_(scene),
        step_rates_(scene),
        solver_(workers),
        holder_(workers) {}

  std::vector<Followed> contacts;
  JointDrives drives;  // which pull and which hold is settled beforehand, like a grip
  resting::ContactForceOptions options;

  // Settles it for a step that begins at `state`: finds the forces, until drives that hold keep to
  // their bounds and those that pull do not pull back.
  resting::ContactForceResult settle_drives(const State& state, Accelerations& out);

  // Sets up contacts, joints and rows at a state.
  void look(const State& state);
  // Looks, and finds the forces: where several do, those near the ones remembered.
  resting::ContactForceResult find(const State& state, Accelerations& out);
  // The forces last found. Not within a step: all evaluations of one find the same of several.
  void remember() { memory.remember(set_, problem_, 1, impulses_); }

  // The bodies on which something is applied are among blocks() from here on.
  void list_applied() { pushed_ = applied_.bodies(); }

  // Of the state last looked at: the bodies that contacts, joints and forces hold, the rows, and
  // the forces last found on them.
  std::span<const contact::BodyBlock> blocks() const { return problem_.blocks; }
  const contact::ContactProblem& problem() const { return problem_; }
  const contact::ContactSet& set() const { return set_; }
  std::span<const dynamics::JointRow> joint_rows() const { return joint_rows_; }
  const contact::Impulses& impulses() const { return impulses_; }

  // Least changes, of positions and of velocities, after which joints are closed, contacts that
  // push touch, and those that stick do not slip.
  void close_gaps(const Accelerations& at, State& state);
  void stop_opening(const Accelerations& at, State& state);

  contact::ImpulseMemory memory;  // where the next solution begins

 private:
  void grip_rows();
  void grip_turning(const Followed& of, contact::ContactRow& row) const;
  void measure(const State& state, Accelerations& out);
  void list_forces(const State& state, Accelerations& out) const;
  void hold(const Accelerations& at, bool tangents);

  const Scene& scene_;
  const dynamics::AppliedForces& applied_;
  dynamics::AppliedWrenches wrenches_at_;  // of the state last looked at
  contact::Assembler assembler_;
  contact::StepRates step_rates_;
  resting::ContactForces solver_;
  resting::Holder holder_;
  contact::ContactSet set_;
  std::vector<dynamics::JointRow> joint_rows_;
  contact::ContactProblem problem_;
  contact::Impulses impulses_;
  std::vector<Wrench> wrenches_;  // what is applied, and then all
  std::vector<BodyId> pushed_;
  State later_;
  std::vector<resting::Hold> held_;
  std::vector<char> turning_held_;
  std::vector<Vec3> rates_, couple_rates_;
  std::vector<double> equality_rates_;
  State shift_;
};

}  // namespace carom::methods
