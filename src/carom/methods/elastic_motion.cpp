#include "carom/methods/elastic_motion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/bytes.h"

namespace carom::methods {

namespace {

constexpr double kHysteresis = 1e-10;  // of the smallest body
constexpr double kDeep = 1e-4;  // of the smallest body: an indentation worth a second thought
constexpr double kHysteresisOfSink = 0.05;
constexpr double kFirstPart = 1e-3;        // of the last step, for the first where nothing begins
constexpr std::int64_t kMostSteps = 5000;  // of each cluster, between two beginnings
constexpr std::size_t kMostFrames = 10000;
constexpr double kWatched = 0.2;      // of the smallest body: as far as most get in one watch
constexpr double kTwice = 2;          // as far as bodies would get unpushed
constexpr double kLeastReach = 0.05;  // of the smallest body
constexpr double kMostUsed = 0.5;     // of a reach, before pairs are looked up again
constexpr double kBeyond = 1.5;       // of ε, and of what steps leave open: there contacts begin
constexpr double kResolution = 1e-2;  // of ε: how near to there is there, and how far a look
                                      // that promises nothing lets bodies move
constexpr std::int64_t kMostLooks = 1000;  // for each contact that begins or may

std::vector<double> swings_of(const Scene& scene, const contact::Pairs& pairs) {
  std::vector<double> swings;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    swings.push_back(pairs.swing(id_of<BodyId>(i)));
  return swings;
}

// Union-find among bodies, which are ascending.
class Groups {
 public:
  explicit Groups(std::span<const BodyId> bodies) : bodies_(bodies), above_(bodies.size()) {
    std::iota(above_.begin(), above_.end(), std::size_t{0});
  }
  std::size_t of(BodyId id) {
    auto i = static_cast<std::size_t>(std::lower_bound(bodies_.begin(), bodies_.end(), id) -
                                      bodies_.begin());
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  void unite(BodyId a, BodyId b) {
    const std::size_t i = of(a), j = of(b);
    above_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::span<const BodyId> bodies_;
  std::vector<std::size_t> above_;
};

}  // namespace

ElasticMotion::ElasticMotion(const Scene& scene, contact::Pairs& pairs, base::Watched watched)
    : scene_(scene),
      watched_(watched),
      whereabouts_(scene, swings_of(scene, pairs)),
      near_(scene, pairs),
      board_(scene),
      cluster_of_(scene.bodies.size(), kNone),
      first_steps_(scene.bodies.size()) {
  for (const model::Joint& joint : scene.joints)
    for (const BodyId id : {joint.a, joint.b})
      if (is_dynamic(id)) jointed_.push_back(id);
}

// Small beside the bodies, and beside how far their weight presses the stiffest of them in: what
// rests must not be taken for apart.
double ElasticMotion::usual_hysteresis() const {
  double stiffness = 0, sink = HUGE_VAL;
  for (const model::Material& material : scene_.materials)
    stiffness = std::max(stiffness, material.youngs_modulus);
  for (const Body& body : scene_.bodies) {
    if (body.is_dynamic())
      sink = std::min(
          sink, body.mass * scene_.gravity.norm() / (options_.reduction * stiffness * body.radius));
  }
  const double small = kHysteresis * scene_.tolerances.length;
  if (sink == 0) return small;
  return std::max(scene_.tolerances.gap, std::min(small, kHysteresisOfSink * sink));
}

AdvanceResult ElasticMotion::advance(const elastic::ElasticOptions& options, State& state,
                                     double t_end) {
  options_ = options;
  if (!begun_) {
    begun_ = true;
    hysteresis_ = options.hysteresis > 0 ? options.hysteresis : usual_hysteresis();
    if (!resumed_) begin(state);
    if (resumed_) catch_up();
  }
  legs_.clear();
  events_.clear();
  const AdvanceResult result = run(state, t_end);
  if (result.ok() && began_long_ago()) begin_anew(state);
  return result;
}

bool ElasticMotion::began_long_ago() const {
  const auto clusters = static_cast<std::int64_t>(clusters_.size() - idle_.size());
  return beginning_.steps >= kMostSteps * std::max<std::int64_t>(1, clusters) ||
         beginning_.frames.size() >= kMostFrames;
}

// All bodies fly, as far as is known yet.
void ElasticMotion::set_out(const State& state) {
  board_.now = state;
  board_.rates.assign(state.bodies.size(), std::nullopt);
  board_.multipliers.clear();
  first_steps_.assign(state.bodies.size(), std::nullopt);
  cluster_of_.assign(state.bodies.size(), kNone);
  idle_.clear();
  clocks_.clear();
  for (std::size_t i = clusters_.size(); i-- > 0;) idle_.push_back(i);
  for (std::size_t i = 0; i < clusters_.size(); ++i) clocks_.add(HUGE_VAL);
  whereabouts_.begin(state);
  watch(state.t);
  concerned_ = jointed_;
}

void ElasticMotion::begin(const State& state) {
  noted_depth_ = kDeep * scene_.tolerances.length;
  beginning_ = {};
  beginning_.state = state;
  set_out(state);
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const contact::Contact at = near_.query(k).find_nearest(scene_, state);
    if (at.at.gap >= -hysteresis_) continue;
    beginning_.touches.push_back(elastic::begin_touch(near_.query(k), at));
  }
  std::sort(beginning_.touches.begin(), beginning_.touches.end());
  regroup(beginning_.touches);
}

void ElasticMotion::begin_from_beginning() {
  set_out(beginning_.state);
  for (const Pushed& body : beginning_.pushed) {
    board_.rates[index(body.id)] = body.rates;
    first_steps_[index(body.id)] = body.first_step;
  }
  board_.multipliers = beginning_.multipliers;
  regroup(beginning_.touches);
}

// All clusters have been recorded up to this state.
void ElasticMotion::begin_anew(const State& state) {
  beginning_ = {};
  beginning_.state = state;
  for (const std::unique_ptr<ElasticCluster>& each : clusters_) {
    if (each->bodies().empty()) continue;
    each->remember();
    each->leave_off();
    beginning_.touches.insert(beginning_.touches.end(), each->touches().begin(),
                              each->touches().end());
    for (const BodyId id : each->bodies())
      beginning_.pushed.push_back({.id = id,
                                   .rates = *board_.rates[index(id)],
                                   .first_step = kFirstPart * each->last_step()});
    each->dissolve();
  }
  std::sort(beginning_.touches.begin(), beginning_.touches.end());
  beginning_.multipliers = board_.multipliers;
  begin_from_beginning();
}

// What went well once goes well again.
void ElasticMotion::catch_up() {
  const record::ElasticCounts counts = counts_;
  const std::vector<double> frames = std::exchange(beginning_.frames, {});
  begin_from_beginning();
  State state;
  for (const double t : frames) run(state, t);
  counts_ = counts;
}

AdvanceResult ElasticMotion::run(State& state, double t_end) {
  const std::int64_t before = counts_.steps;
  for (std::int64_t looks = 0;;) {
    const double step = clocks_.empty() ? HUGE_VAL : clocks_.top().t;
    const double meeting = meetings_.empty() ? HUGE_VAL : meetings_.top().t;
    const double next = std::min({step, meeting, watched_until_});
    if (!(next < t_end)) break;
    watched_.poll(next);
    AdvanceResult result;
    if (next == watched_until_) {
      watch(next);
    } else if (next == meeting) {
      const std::size_t near = meetings_.top().item;
      const std::int64_t reasons = std::ssize(events_) + counts_.steps - before + 1;
      if (++looks > kMostLooks * (reasons + static_cast<std::int64_t>(near_.size())))
        result = {AdvanceStatus::SearchDidNotEnd, near_[near].a, near_[near].b};
      else
        look_at(near, next);
    } else if (!proceed(clocks_.top().item)) {
      result = {AdvanceStatus::NoStepShortEnough};
    } else if (counts_.deepest > noted_depth_) {
      noted_depth_ = 2 * counts_.deepest;
      result = {AdvanceStatus::Indented};
    }
    if (result.ok()) continue;
    end_frame(state, next);
    return result;
  }
  end_frame(state, t_end);
  return {};
}

void ElasticMotion::end_frame(State& state, double t) {
  state.t = t;
  state.bodies.resize(scene_.bodies.size());
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    if (cluster_of_[i] == kNone) state.bodies[i] = whereabouts_.at(id_of<BodyId>(i), t);
  for (const std::unique_ptr<ElasticCluster>& each : clusters_) {
    if (each->bodies().empty()) continue;
    each->record(t, legs_, counts_);
    for (std::size_t i = 0; i < each->bodies().size(); ++i)
      state[each->bodies()[i]] = each->states()[i];
  }
  beginning_.frames.push_back(t);
}

// In which most bodies get only a part of the smallest one far.
double ElasticMotion::choose_horizon() const {
  const double way = kWatched * scene_.tolerances.length;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    const BodyState& body = state_.bodies[i];
    if (scene_.bodies[i].motion == model::Motion::Fixed) continue;
    sum += body.v.norm() + whereabouts_.swing(id_of<BodyId>(i)) * body.w.norm();
    ++count;
  }
  const double speed = count > 0 ? sum / count : 0;
  const double fall = std::sqrt(2 * way * scene_.gravity.norm());
  return std::min(way / std::max(speed + fall, scene_.tolerances.velocity), scene_.duration);
}

// As far as bodies are known to get; of those in clusters, as far as they would get unpushed twice.
void ElasticMotion::choose_reaches(double ahead) {
  const double least = kLeastReach * scene_.tolerances.length;
  const double fall = 0.5 * scene_.gravity.norm() * ahead * ahead;
  reaches_.assign(state_.bodies.size(), 0.0);
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    const BodyId id = id_of<BodyId>(i);
    if (scene_.bodies[i].motion == model::Motion::Fixed) continue;
    const BodyState& body = state_.bodies[i];
    const double way = ahead * (body.v.norm() + whereabouts_.swing(id) * body.w.norm()) + fall;
    const double known = std::min(ahead, whereabouts_.known_until(id) - state_.t);
    reaches_[i] =
        least + std::max(known * whereabouts_.speed(id), in_cluster(id) ? kTwice * way : 0);
  }
}

void ElasticMotion::watch(double t) {
  state_.t = t;
  state_.bodies.resize(scene_.bodies.size());
  for (std::size_t i = 0; i < state_.bodies.size(); ++i)
    state_.bodies[i] = whereabouts_.at(id_of<BodyId>(i), t);
  const double ahead = choose_horizon();
  watched_until_ = t + ahead;
  whereabouts_.look_ahead(t, watched_until_);
  choose_reaches(ahead);
  near_.watch(state_, reaches_, whereabouts_);
  for (const std::unique_ptr<ElasticCluster>& each : clusters_)
    if (!each->bodies().empty()) each->find_near();
  meetings_.clear();
  for (std::size_t k = 0; k < near_.size(); ++k) meetings_.add(HUGE_VAL);
  for (std::size_t k = 0; k < near_.size(); ++k) wait_for(k, t);
}

double ElasticMotion::known_until(const elastic::NearPairs::Near& pair) const {
  return std::min(whereabouts_.known_until(pair.a), whereabouts_.known_until(pair.b));
}

// m; bodies of clusters are where they are but for the solver's tolerance, and what is shallower is
// left to its events.
double ElasticMotion::depth_of_contact(const elastic::NearPairs::Near& pair) const {
  double depth = hysteresis_;
  for (const BodyId id : {pair.a, pair.b})
    if (in_cluster(id)) depth += hysteresis_ + options_.tolerance * scene_.body(id).radius;
  return kBeyond * depth;
}

// Until then it cannot touch; never, where it does already, or before more is known.
void ElasticMotion::wait_for(std::size_t near, double t) {
  const elastic::NearPairs::Near& pair = near_[near];
  const double known = known_until(pair);
  if (pair.touches || !(t < known)) return meetings_.set(near, HUGE_VAL);
  const double apart = pair.clear + depth_of_contact(pair) - whereabouts_.travelled(pair.a, t) -
                       whereabouts_.travelled(pair.b, t);
  const double speed = whereabouts_.speed(pair.a) + whereabouts_.speed(pair.b);
  const double until = apart > 0 ? t + apart / speed : t;
  meetings_.set(near, until < known ? until : HUGE_VAL);
}

void ElasticMotion::look_at(std::size_t near, double t) {
  elastic::NearPairs::Near& pair = near_[near];
  const double known = known_until(pair), depth = depth_of_contact(pair);
  const auto look =
      near_.query(near).look({whereabouts_.motion(pair.a), whereabouts_.motion(pair.b),
                              t - whereabouts_.since(pair.a), t - whereabouts_.since(pair.b),
                              std::min(watched_until_, known) - t, 0, 0.5 * hysteresis_, depth});
  const double resolution = kResolution * hysteresis_;
  if (look.gap < resolution - depth) {
    board_.now.t = t;
    for (const BodyId id : {pair.a, pair.b}) board_.now[id] = whereabouts_.at(id, t);
    const contact::Contact at = near_.query(near).find_nearest(scene_, board_.now);
    if (at.at.gap < resolution - depth) return meet({at, true, near}, t);
  }
  if (std::isfinite(pair.clear))
    pair.clear = look.gap + whereabouts_.travelled(pair.a, t) + whereabouts_.travelled(pair.b, t);
  const double speed = whereabouts_.speed(pair.a) + whereabouts_.speed(pair.b);
  const double until = t + std::max(look.wait, resolution / speed);
  meetings_.set(near, until < known ? std::max(until, std::nextafter(t, HUGE_VAL)) : HUGE_VAL);
}

// Clusters are left off inside their last steps. There they tell for themselves what begins.
void ElasticMotion::meet(const elastic::Change& change, double t) {
  changes_.clear();
  members_.clear();
  if (!in_cluster(change.at.a) && !in_cluster(change.at.b)) changes_.push_back(change);
  take_in(change.at, t);
  find_members(t);
  unite_members(t);
}

bool ElasticMotion::proceed(std::size_t number) {
  ElasticCluster& cluster = *clusters_[number];
  const double t = cluster.time();
  cluster.record(t, legs_, counts_);
  cluster.remember();
  if (cluster.is_at_event() && tend_to_events(number)) return true;
  if (cluster.reach_used() > kMostUsed) watch(t);
  if (!cluster.step()) return false;
  ++counts_.steps;
  ++beginning_.steps;
  clocks_.set(number, cluster.time());
  if (has_left_reach(cluster)) {
    watch(t);
  } else {
    for (const BodyId id : cluster.bodies())
      for (const std::size_t k : near_.of(id)) wait_for(k, t);
  }
  return true;
}

// In its last step, as far as it is watched: then it may have met what is not listed as near.
bool ElasticMotion::has_left_reach(const ElasticCluster& cluster) const {
  const double until = std::min(cluster.time(), watched_until_);
  return std::any_of(cluster.bodies().begin(), cluster.bodies().end(), [&](BodyId id) {
    return near_.room(id, whereabouts_.travelled(id, until)) < 0;
  });
}

// A cluster, recorded up to now, is among those that begin anew.
void ElasticMotion::take_in(std::size_t cluster, double t) {
  if (std::find(members_.begin(), members_.end(), cluster) != members_.end()) return;
  members_.push_back(cluster);
  clusters_[cluster]->record(t, legs_, counts_);
  clusters_[cluster]->remember();
  clusters_[cluster]->select(changes_, legs_);
}

void ElasticMotion::take_in(const contact::Contact& at, double t) {
  for (const BodyId id : {at.a, at.b})
    if (in_cluster(id)) take_in(static_cast<std::size_t>(cluster_of_[index(id)]), t);
}

// What members come to touch, and what that comes to touch at the same time.
void ElasticMotion::find_members(double t) {
  std::size_t done = 0;
  while (done < changes_.size()) {  // more come meanwhile
    const elastic::Change change = changes_[done++];
    if (change.begins) take_in(change.at, t);
  }
}

// True where the cluster is no more.
bool ElasticMotion::tend_to_events(std::size_t number) {
  ElasticCluster& cluster = *clusters_[number];
  const double t = cluster.time();
  changes_.clear();
  members_.clear();
  take_in(number, t);
  find_members(t);
  if (changes_.empty()) return false;
  const bool begins = std::any_of(changes_.begin(), changes_.end(),
                                  [](const elastic::Change& each) { return each.begins; });
  if (begins || (cluster.touches().empty() && !cluster.has_joints())) {
    unite_members(t);
    return true;
  }
  tell(t);
  cluster.go_on();
  return false;
}

void ElasticMotion::tell(double t) {
  for (const elastic::Change& change : changes_) {
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

// What has begun is added to what the members' bodies touch, and all of them begin anew.
void ElasticMotion::unite_members(double t) {
  tell(t);
  concerned_.clear();
  std::vector<elastic::Touch> touches;
  for (const elastic::Change& change : changes_)
    if (change.begins) touches.push_back(elastic::begin_touch(near_.query(change.near), change.at));
  for (const elastic::Touch& touch : touches)
    for (const BodyId id : {touch.a, touch.b})
      if (!in_cluster(id)) board_.now[id] = whereabouts_.at(id, t);
  for (const std::size_t member : members_) {
    ElasticCluster& cluster = *clusters_[member];
    cluster.leave_off();
    touches.insert(touches.end(), cluster.touches().begin(), cluster.touches().end());
    for (std::size_t i = 0; i < cluster.bodies().size(); ++i) {
      board_.now[cluster.bodies()[i]] = cluster.states()[i];
      concerned_.push_back(cluster.bodies()[i]);
      cluster_of_[index(cluster.bodies()[i])] = kNone;
    }
    cluster.dissolve();
    idle_.push_back(member);
    clocks_.set(member, HUGE_VAL);
  }
  board_.now.t = t;
  std::sort(touches.begin(), touches.end());
  regroup(touches);
}

// The bodies concerned, at the board's time: a cluster of each set that touches or joints connect;
// what touches nothing flies.
void ElasticMotion::regroup(const std::vector<elastic::Touch>& touches) {
  for (const elastic::Touch& touch : touches)
    for (const BodyId id : {touch.a, touch.b})
      if (is_dynamic(id)) concerned_.push_back(id);
  std::sort(concerned_.begin(), concerned_.end());
  concerned_.erase(std::unique(concerned_.begin(), concerned_.end()), concerned_.end());
  for (ElasticCluster::Beginning& group : find_groups(touches)) {
    if (group.bodies.empty()) continue;
    if (group.touches.empty() && !group.with_joints) {
      let_fly(group.bodies.front());
    } else {
      make_cluster(std::move(group));
    }
  }
}

// One for each body concerned, most of them empty: a group stands where its first body does.
std::vector<ElasticCluster::Beginning> ElasticMotion::find_groups(
    const std::vector<elastic::Touch>& touches) const {
  Groups groups(concerned_);
  for (const elastic::Touch& touch : touches)
    if (is_dynamic(touch.a) && is_dynamic(touch.b)) groups.unite(touch.a, touch.b);
  const bool with_joints =
      !jointed_.empty() &&
      std::binary_search(concerned_.begin(), concerned_.end(), jointed_.front());
  if (with_joints)
    for (const BodyId id : jointed_) groups.unite(jointed_.front(), id);
  std::vector<ElasticCluster::Beginning> found(concerned_.size());
  for (const BodyId id : concerned_) found[groups.of(id)].bodies.push_back(id);
  for (const elastic::Touch& touch : touches)
    found[groups.of(is_dynamic(touch.a) ? touch.a : touch.b)].touches.push_back(touch);
  if (with_joints) found[groups.of(jointed_.front())].with_joints = true;
  return found;
}

void ElasticMotion::make_cluster(ElasticCluster::Beginning from) {
  if (idle_.empty()) {
    idle_.push_back(clusters_.size());
    clusters_.push_back(std::make_unique<ElasticCluster>(scene_, near_, whereabouts_, board_));
    clocks_.add(HUGE_VAL);
  }
  const std::size_t number = idle_.back();
  idle_.pop_back();
  for (const BodyId id : from.bodies) {
    cluster_of_[index(id)] = static_cast<std::int32_t>(number);
    for (const std::size_t k : near_.of(id)) meetings_.set(k, HUGE_VAL);
    std::optional<double>& first = first_steps_[index(id)];
    if (first) from.first_step = std::exchange(first, std::nullopt);
  }
  clusters_[number]->begin(options_, hysteresis_, std::move(from));
  clocks_.set(number, board_.now.t);
  ++counts_.beginnings;
}

void ElasticMotion::let_fly(BodyId id) {
  const double t = board_.now.t;
  board_.rates[index(id)].reset();
  whereabouts_.fly(id, board_.now[id], t);
  const double room = near_.room(id, whereabouts_.travelled(id, t));
  watched_until_ = std::min(watched_until_, t + room / whereabouts_.speed(id));
  for (const std::size_t k : near_.of(id)) wait_for(k, t);
}

void ElasticMotion::save(std::string& bytes) const {
  const bool has_begun = begun_ || resumed_;  // also where nothing was left to do since
  base::append_bytes(bytes, has_begun);
  base::append_bytes(bytes, counts_);
  if (!has_begun) return;
  base::append_bytes(bytes, noted_depth_);
  base::append_bytes(bytes, beginning_.state.t);
  for (const BodyState& body : beginning_.state.bodies) {
    for (const double* part : {body.x.data(), body.v.data(), body.w.data()})
      for (int k = 0; k < 3; ++k) base::append_bytes(bytes, part[k]);
    for (int k = 0; k < 4; ++k) base::append_bytes(bytes, body.q.coeffs()[k]);
  }
  base::append_bytes(bytes, beginning_.touches);
  base::append_bytes(bytes, beginning_.pushed);
  base::append_bytes(bytes, beginning_.multipliers);
  base::append_bytes(bytes, beginning_.frames);
}

void ElasticMotion::restore(std::string_view& bytes) {
  bool has_begun = false;
  base::take_bytes(bytes, has_begun);
  base::take_bytes(bytes, counts_);
  if (!has_begun) return;
  base::take_bytes(bytes, noted_depth_);
  base::take_bytes(bytes, beginning_.state.t);
  beginning_.state.bodies.resize(scene_.bodies.size());
  for (BodyState& body : beginning_.state.bodies) {
    for (double* part : {body.x.data(), body.v.data(), body.w.data()})
      for (int k = 0; k < 3; ++k) base::take_bytes(bytes, part[k]);
    for (int k = 0; k < 4; ++k) base::take_bytes(bytes, body.q.coeffs()[k]);
  }
  base::take_bytes(bytes, beginning_.touches);
  base::take_bytes(bytes, beginning_.pushed);
  base::take_bytes(bytes, beginning_.multipliers);
  base::take_bytes(bytes, beginning_.frames);
  resumed_ = true;
}

}  // namespace carom::methods
