// The clusters of an elastic scene: how one takes its step, and how they unite and come apart.
#include <algorithm>
#include <cmath>

#include "carom/base/disjoint_sets.h"
#include "carom/methods/elastic/elastic.h"

namespace carom::methods {

namespace {

constexpr double kMostUsed = 0.5;  // of a reach, before pairs are looked up again

// The sets of bodies, which are ascending, that something connects.
class Groups {
 public:
  explicit Groups(std::span<const BodyId> bodies) : bodies_(bodies) { sets_.reset(bodies.size()); }

  std::size_t of(BodyId id) {
    const auto at = std::lower_bound(bodies_.begin(), bodies_.end(), id);
    return sets_.root_of(static_cast<std::size_t>(at - bodies_.begin()));
  }
  void unite(BodyId a, BodyId b) { sets_.unite(of(a), of(b)); }

 private:
  std::span<const BodyId> bodies_;
  base::DisjointSets sets_;
};

}  // namespace

bool ElasticStepper::proceed(std::size_t number) {
  Cluster& cluster = *clusters_[number];
  const double t = cluster.time();
  cluster.record(t, segments_, counts_);
  cluster.remember();
  if (cluster.is_at_event() && tend_to_events(number)) return true;
  if (cluster.reach_used() > kMostUsed) watch(t);
  if (!step(cluster)) return false;
  ++counts_.steps;
  ++restart_.steps;
  clocks_.set(number, cluster.time());
  if (has_left_reach(cluster)) {
    watch(t);
  } else {
    for (const BodyId id : cluster.bodies())
      for (const std::size_t k : near_.of(id)) wait_for(k, t);
  }
  return true;
}

// By the solver as long as its bodies have credit and it finds a step; else implicitly.
bool ElasticStepper::step(Cluster& cluster) {
  const double t = cluster.time();
  if (may_step(cluster.bodies(), t)) {
    if (cluster.step()) {
      budget_.charge(cluster.bodies());
      if (!cluster.is_implicit()) return true;
      note_implicit_step(cluster.time() - t);
      return true;
    }
    if (is_pushed(cluster.bodies())) return false;
    budget_.exhaust(cluster.bodies());
  }
  cluster.step_implicitly(budget_.implicit_step(cluster.has_joints()));
  note_implicit_step(cluster.time() - t);
  return cluster.time() > t;
}

bool ElasticStepper::may_step(std::span<const BodyId> bodies, double t) {
  return is_pushed(bodies) || budget_.has_credit(bodies, t);
}

// Where an implicit step looks after a pair itself.
bool ElasticStepper::goes_implicitly(std::size_t near) const {
  const NearPairs::Near& pair = near_[near];
  const BodyId id = in_cluster(pair.a) ? pair.a : pair.b;
  if (!in_cluster(id)) return false;
  const Cluster& cluster = *clusters_[static_cast<std::size_t>(cluster_of_[index(id)])];
  return cluster.is_implicit() && near_.is_among(near, cluster.bodies());
}

void ElasticStepper::note_implicit_step(double duration) {
  if (!replays_) context_.recorder.fallback(record::Rung::ImplicitStep, duration);
}

// True where the cluster is no more.
bool ElasticStepper::tend_to_events(std::size_t number) {
  Cluster& cluster = *clusters_[number];
  const double t = cluster.time();
  changes_.clear();
  members_.clear();
  take_in(number, t);
  find_members(t);
  if (changes_.empty()) return false;
  const bool begins =
      std::any_of(changes_.begin(), changes_.end(), [](const Change& each) { return each.begins; });
  if (begins ||
      (cluster.touches().empty() && !cluster.has_joints() && !is_pushed(cluster.bodies()))) {
    unite_members(t);
    return true;
  }
  record_events(t);
  cluster.proceed_unchanged();
  return false;
}

// In its last step, as far as it is watched: then it may have met what is not listed as near.
bool ElasticStepper::has_left_reach(const Cluster& cluster) const {
  const double until = std::min(cluster.time(), watched_until_);
  return std::any_of(cluster.bodies().begin(), cluster.bodies().end(),
                     [&](BodyId id) { return near_.room(id, tracks_.travelled(id, until)) < 0; });
}

// Clusters are left off inside their last steps. There they tell for themselves what begins.
void ElasticStepper::meet(const Change& change, double t) {
  changes_.clear();
  members_.clear();
  if (!in_cluster(change.at.a) && !in_cluster(change.at.b)) changes_.push_back(change);
  take_in(change.at, t);
  find_members(t);
  unite_members(t);
}

// A cluster, recorded up to now, is among those that begin anew.
void ElasticStepper::take_in(std::size_t cluster, double t) {
  if (std::find(members_.begin(), members_.end(), cluster) != members_.end()) return;
  members_.push_back(cluster);
  clusters_[cluster]->record(t, segments_, counts_);
  clusters_[cluster]->remember();
  clusters_[cluster]->select(changes_, segments_);
}

void ElasticStepper::take_in(const contact::Contact& at, double t) {
  for (const BodyId id : {at.a, at.b})
    if (in_cluster(id)) take_in(static_cast<std::size_t>(cluster_of_[index(id)]), t);
}

// What members come to touch, and what that comes to touch at the same time.
void ElasticStepper::find_members(double t) {
  std::size_t done = 0;
  while (done < changes_.size()) {  // more come meanwhile
    const Change change = changes_[done++];
    if (change.begins) take_in(change.at, t);
  }
}

// What has begun is added to what the members' bodies touch, and all of them begin anew.
void ElasticStepper::unite_members(double t) {
  record_events(t);
  concerned_.clear();
  std::vector<ElasticContact> touches;
  for (const Change& change : changes_)
    if (change.begins) touches.push_back(begin_touch(near_.query(change.near), change.at));
  for (ElasticContact& touch : touches)
    for (const std::size_t member : members_) clusters_[member]->recall(touch);
  for (const ElasticContact& touch : touches)
    for (const BodyId id : {touch.a, touch.b})
      if (!in_cluster(id)) scratch_.now[id] = tracks_.at(id, t);
  for (const std::size_t member : members_) {
    Cluster& cluster = *clusters_[member];
    cluster.suspend();
    touches.insert(touches.end(), cluster.touches().begin(), cluster.touches().end());
    for (std::size_t i = 0; i < cluster.bodies().size(); ++i) {
      scratch_.now[cluster.bodies()[i]] = cluster.states()[i];
      concerned_.push_back(cluster.bodies()[i]);
      cluster_of_[index(cluster.bodies()[i])] = kNone;
    }
    cluster.dissolve();
    idle_.push_back(member);
    clocks_.set(member, HUGE_VAL);
  }
  scratch_.now.t = t;
  std::sort(touches.begin(), touches.end());
  regroup(touches);
}

void ElasticStepper::record_events(double t) {
  for (const Change& change : changes_) {
    const contact::Contact& at = change.at;
    events_.push_back(
        {.t = t,
         .kind = change.begins ? record::EventKind::ContactBegin : record::EventKind::ContactEnd,
         .a = at.a,
         .b = at.b,
         .point = at.at.point,
         .normal = at.at.normal,
         .approach_speed = change.begins ? -at.approach_rate : 0,
         .separation_speed = change.begins ? 0 : at.approach_rate});
  }
}

// The bodies concerned, at the scratch's time: a cluster of each set that touches or joints
// connect; what touches nothing flies.
void ElasticStepper::regroup(const std::vector<ElasticContact>& touches) {
  for (const ElasticContact& touch : touches)
    for (const BodyId id : {touch.a, touch.b})
      if (is_dynamic(id)) concerned_.push_back(id);
  std::sort(concerned_.begin(), concerned_.end());
  concerned_.erase(std::unique(concerned_.begin(), concerned_.end()), concerned_.end());
  for (Cluster::Seed& group : find_groups(touches)) {
    if (group.bodies.empty()) continue;
    if (group.touches.empty() && !group.with_joints && !is_pushed(group.bodies)) {
      let_fly(group.bodies.front());
    } else {
      make_cluster(std::move(group));
    }
  }
}

// One for each body concerned, most of them empty: a group stands where its first body does.
std::vector<Cluster::Seed> ElasticStepper::find_groups(
    const std::vector<ElasticContact>& touches) const {
  Groups groups(concerned_);
  for (const ElasticContact& touch : touches)
    if (is_dynamic(touch.a) && is_dynamic(touch.b)) groups.unite(touch.a, touch.b);
  const bool with_joints =
      !jointed_.empty() &&
      std::binary_search(concerned_.begin(), concerned_.end(), jointed_.front());
  if (with_joints)
    for (const BodyId id : jointed_) groups.unite(jointed_.front(), id);
  const auto is_concerned = [&](BodyId id) {
    return std::binary_search(concerned_.begin(), concerned_.end(), id);
  };
  for (const auto& [a, b] : context_.applied.couples())
    if (is_concerned(a) && is_concerned(b)) groups.unite(a, b);
  if (context_.applied.has_law())
    for (const BodyId id : concerned_) groups.unite(concerned_.front(), id);
  std::vector<Cluster::Seed> found(concerned_.size());
  for (const BodyId id : concerned_) found[groups.of(id)].bodies.push_back(id);
  for (const ElasticContact& touch : touches)
    found[groups.of(is_dynamic(touch.a) ? touch.a : touch.b)].touches.push_back(touch);
  if (with_joints) found[groups.of(jointed_.front())].with_joints = true;
  return found;
}

bool ElasticStepper::is_pushed(std::span<const BodyId> bodies) const {
  return std::ranges::any_of(
      bodies, [&](BodyId id) { return std::binary_search(applied_.begin(), applied_.end(), id); });
}

void ElasticStepper::make_cluster(Cluster::Seed from) {
  if (idle_.empty()) {
    idle_.push_back(clusters_.size());
    clusters_.push_back(std::make_unique<Cluster>(scene_, near_, tracks_, scratch_, impulses_));
    clocks_.add(HUGE_VAL);
  }
  const std::size_t number = idle_.back();
  idle_.pop_back();
  for (const BodyId id : from.bodies) {
    cluster_of_[index(id)] = static_cast<std::int32_t>(number);
    for (const std::size_t k : near_.of(id)) meetings_.drop(k);
    std::optional<double>& first = first_steps_[index(id)];
    if (first) from.first_step = std::exchange(first, std::nullopt);
  }
  if (!may_step(from.bodies, scratch_.now.t))
    from.implicit_step = budget_.implicit_step(from.with_joints);
  clusters_[number]->begin(options_, hysteresis_, std::move(from));
  clocks_.set(number, scratch_.now.t);
  ++counts_.beginnings;
}

void ElasticStepper::let_fly(BodyId id) {
  const double t = scratch_.now.t;
  scratch_.rates[index(id)].reset();
  tracks_.fly(id, scratch_.now[id], t);
  const double room = near_.room(id, tracks_.travelled(id, t));
  watched_until_ = std::min(watched_until_, t + room / tracks_.speed(id));
  for (const std::size_t k : near_.of(id)) wait_for(k, t);
}

}  // namespace carom::methods
