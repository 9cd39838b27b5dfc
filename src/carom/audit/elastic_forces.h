// Whether elastic contacts push as the law of Neumayr & Otter has it, from the motion alone: the
// normal force of two solids is found once more from how deep they are in each other and how fast
// they approach (3a),
//
//     f = k c δⁿ (1 + d δ'),      D - ln(1 + D) = -e D - ln(1 - e D),  d = D/reg(v),
//
// with e the restitution at the speed v (4, 7), the greatest approach at an end of a segment since
// the contact began, or with Flores' damping the first (10). What two bodies are recorded to do to
// each other at the start, the middle and the end of a segment may differ from the sum over their
// solids by friction alone, at most μ f each.
//
// Springs are those of elastic_energy.h, and of a ball in the triangles of a mesh: the deepest
// pushes, the others may, since seams are one surface. Where any is unknown the law is not judged.
// When two solids have almost parted while their bodies still push each other it is not known
// whether a new contact begins: the damping is then in a range.
//
// What two bodies gave each other over all segments must be the integral of these forces to half a
// hundredth, which covers what Simpson's rule misses of single steps.
//
// A segment of free flights has impulses at its end instead of forces (implicit steps), of which
// the motion does not tell the law.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "carom/audit/elastic_energy.h"
#include "carom/audit/frame_walk.h"

namespace carom::audit {

class ElasticForces {
 public:
  void begin(const Scene& scene, PenetrationWatch& watch, const ElasticEnergy& energy);
  // Segments come in the order in which they end; the walk is at that end.
  void enter(const record::ClusterSegment& segment, const FrameWalk& walk);
  void forget();  // bodies are elsewhere
  // N s; the sum of what forces are beyond the law, and the most that two bodies gave each other
  // beside their forces.
  double error() const { return std::max(beyond_, worst_off_); }

  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  // Two bodies at one time, in the order of the pair.
  struct PairState {
    BodyState a, b;
  };
  // What acts on the first body of a pair over a segment, at its start, middle and end.
  struct Push {
    BodyPair pair;
    double t0, t1;                                                         // s
    std::array<Vec3, 3> forces{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // N
    Vec3 impulse = Vec3::Zero();                                           // N s
  };
  using Key = std::array<int, 4>;   // bodies, solids
  struct Contact {                  // of two solids
    double until = 0, deepest = 0;  // s, m
    double first = 0, fastest = 0;  // m/s; approaches
    double slowest = 0;             // m/s; what `fastest` is at least
  };
  struct Looked {
    Key solids;
    SpringLaw law;
    double depth, rate;  // m, m/s
    Vec3 direction;      // from a towards b
    double restitution, friction;
    SpringKnown known;
  };
  struct PairOfBodies {
    double until = -1;            // s; when they last pushed each other
    double given = 0;             // N s; the integral of the size of forces
    std::array<double, 3> off{};  // N s; impulses less the integral of forces
  };
  struct KeptContact {
    Key key;
    Contact value;
  };
  struct KeptPair {
    std::array<int, 2> key;
    PairOfBodies value;
  };
  struct Range {
    double least = 0, most = 0;  // N
  };
  void look(BodyPair pair, const PairState& at);
  void settle_triangles();
  void enter(const Push& push, const FrameWalk& walk);
  void pass_over(const Push& push, const FrameWalk& walk);
  void begin_contacts(double t);
  void follow_contacts(const Push& push);
  double damping(double restitution, double speed) const;
  Range find_range(const Looked& each, double place) const;
  double find_excess(const Vec3& force, const PairState& at) const;

  const Scene* scene_ = nullptr;
  PenetrationWatch* watch_ = nullptr;
  const ElasticEnergy* energy_ = nullptr;
  double least_speed_ = 0, most_damping_ = 0;
  bool is_flores_ = false, has_portals_ = false;
  double beyond_ = 0, worst_off_ = 0;  // N s
  std::map<Key, Contact> contacts_;
  std::map<std::array<int, 2>, PairOfBodies> pairs_;
  std::vector<Looked> looked_;
  Springs springs_;
};

// D for which what approaches at v leaves at e v, 0 < e <= 1.
double damping_product(double e);

}  // namespace carom::audit
