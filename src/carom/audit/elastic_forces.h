// Whether elastic contacts push as the law of Neumayr & Otter lets them, from the motion alone: at
// the end of every leg the force on a pair of bodies is found once more from how deep they are in
// each other and how fast they approach (3a),
//
//     f = k c δⁿ (1 + d δ'),      D - ln(1 + D) = -e D - ln(1 - e D),  d = D/reg(v),
//
// with e the restitution at the speed v (4, 7), which is the greatest approach at an end of a leg
// since the contact began, or with Flores' damping the first (10). Springs are those of
// elastic_energy.h; pairs of which it does not know them, of meshes, and of bodies that touch in
// several directions are not judged. Friction is at most μ times the normal force.
//
// After a checkpoint the past of contacts is not known: their damping is anything up to the
// greatest.
#pragma once

#include <map>

#include "carom/audit/elastic_energy.h"
#include "carom/record/frame.h"

namespace carom::audit {

// Two bodies at one time, in the order of the pair.
struct PairState {
  BodyState a, b;
};

class ElasticForces {
 public:
  void begin(const Scene& scene, PenetrationWatch& watch, const ElasticEnergy& energy);
  void forget() { contacts_.clear(); }  // bodies are elsewhere
  void resume() {
    forget();
    is_resumed_ = true;
  }

  // What acts on the first body of a pair over a leg.
  struct Push {
    BodyPair pair;
    double t0, t1;  // s
    Vec3 force;     // N; at t1
    const PairState &start, &end;
  };
  // N; how far that is from what the law lets it be. Legs come in the order in which they end.
  double find_excess(const Push& push);
  void end_frame() { is_resumed_ = false; }

 private:
  struct Contact {
    double until = 0;               // s
    double first = 0, fastest = 0;  // m/s; approaches
    bool known = true;              // since its beginning
  };
  struct Looked {
    Spring spring;
    double rate;  // δ', m/s
    bool known;
    Vec3 direction;  // from a towards b
    double restitution, friction;
  };
  struct Range {
    double least = 0, most = 0, spring = 0;  // N; spring: without damping
  };
  void look(BodyPair pair, const PairState& at);
  double fastest() const;
  bool are_one() const;
  bool has_triangles(BodyPair pair) const;
  Contact& follow(const Push& push);
  double damping(double restitution, const Contact& contact) const;
  Range find_range(const Contact& contact, double place) const;

  const Scene* scene_ = nullptr;
  PenetrationWatch* watch_ = nullptr;
  const ElasticEnergy* energy_ = nullptr;
  double least_speed_ = 0, most_damping_ = 0;
  bool is_flores_ = false, has_portals_ = false, is_resumed_ = false;
  std::map<BodyPair, Contact> contacts_;
  std::vector<Looked> looked_;
  Springs springs_;
};

// D for which what approaches at v leaves at e v, 0 < e <= 1.
double damping_product(double e);

}  // namespace carom::audit
