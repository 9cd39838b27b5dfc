#include "carom/io/page_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "carom/dynamics/energy.h"
#include "carom/io/page_columns.h"
#include "carom/io/page_scene.h"

namespace carom::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr std::array<const char*, 13> kChannels = {"x0", "x1", "x2", "q0", "q1", "q2", "q3",
                                                   "v0", "v1", "v2", "w0", "w1", "w2"};
constexpr std::size_t kX = 0, kQ = 3, kV = 7, kW = 10, kEnd = 13;  // where channels begin

using Channel = std::vector<float>;  // all tracks of an output, then those of the next

float greatest_of(std::span<const Channel> channels) {
  float greatest = 0;
  for (const Channel& channel : channels)
    for (const float value : channel) greatest = std::max(greatest, std::abs(value));
  return greatest;
}

// Where bodies that move are and how they move, at the output times.
class Tracks {
 public:
  explicit Tracks(const Scene& scene) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (scene.bodies[i].motion == model::Motion::Fixed) continue;
      bodies_.push_back(static_cast<std::int32_t>(i));
      if (scene.bodies[i].radius > 0) smallest_ = std::min(smallest_, scene.bodies[i].radius);
    }
  }

  std::span<const std::int32_t> bodies() const { return bodies_; }

  void add(const State& state) {
    for (const std::int32_t moving : bodies_) {
      const BodyState& body = state.bodies[static_cast<std::size_t>(moving)];
      for (int axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        channels_[kX + i].push_back(static_cast<float>(body.x[axis]));
        channels_[kV + i].push_back(static_cast<float>(body.v[axis]));
        channels_[kW + i].push_back(static_cast<float>(body.w[axis]));
      }
      add_rotation(body.q);
    }
  }

  // Of places: a ten-thousandth of the smallest body. All quanta leave room for the numbers.
  double place_quantum() const {
    return std::max(1e-4 * (std::isfinite(smallest_) ? smallest_ : 1), quantum_of(kX, kQ, 30));
  }

  Json write(PageColumns& columns) const {
    const double x = place_quantum(), v = quantum_of(kV, kW, 20), w = quantum_of(kW, kEnd, 20);
    const double q = std::exp2(-16);
    write(columns, kX, kQ, {.quantum = x, .order = 2});
    write(columns, kQ, kV, {.quantum = q, .order = 2});
    write(columns, kV, kW, {.quantum = v, .order = 1});
    write(columns, kW, kEnd, {.quantum = w, .order = 1});
    return {{"x", x}, {"q", q}, {"v", v}, {"w", w}};
  }

 private:
  // q and -q are the same attitude; the one nearer to the last changes less.
  void add_rotation(const Quat& q) {
    const Quat unit = q.normalized();
    const std::array<double, 4> now = {unit.x(), unit.y(), unit.z(), unit.w()};
    const std::size_t at = channels_[kQ].size();
    double dot = 0;
    for (std::size_t i = 0; i < 4 && at >= bodies_.size(); ++i)
      dot += now[i] * static_cast<double>(channels_[kQ + i][at - bodies_.size()]);
    for (std::size_t i = 0; i < 4; ++i)
      channels_[kQ + i].push_back(static_cast<float>(dot < 0 ? -now[i] : now[i]));
  }

  double quantum_of(std::size_t first, std::size_t end, int bits) const {
    const float greatest = greatest_of(std::span(channels_).subspan(first, end - first));
    return greatest > 0 ? static_cast<double>(greatest) * std::exp2(-bits) : 1;
  }

  void write(PageColumns& columns, std::size_t first, std::size_t end,
             PageColumns::Series series) const {
    series.length = bodies_.empty() ? 0 : channels_[first].size() / bodies_.size();
    Channel by_body;
    for (std::size_t channel = first; channel < end; ++channel) {
      by_body.clear();
      for (std::size_t track = 0; track < bodies_.size(); ++track)
        for (std::size_t output = 0; output < series.length; ++output)
          by_body.push_back(channels_[channel][output * bodies_.size() + track]);
      columns.add(kChannels[channel], by_body, series);
    }
  }

  std::vector<std::int32_t> bodies_;
  double smallest_ = std::numeric_limits<double>::infinity();  // radius, m
  std::array<Channel, kEnd> channels_;
};

// The first `most` by impulse, in the order of time. Amortised, one more costs O(1).
class KeptEvents {
 public:
  void add(const record::ContactEvent& event) {
    kept_.push_back({total_++, event});
    if (kept_.size() >= 2 * PageData::kMostEvents) drop();
  }

  std::int64_t total() const { return total_; }

  void write(PageColumns& columns) {
    drop();
    add_column<double>(columns, "event t", [](const auto& e) { return e.t; });
    add_column<std::int32_t>(columns, "event kind", [](const auto& e) { return e.kind; });
    add_column<std::int32_t>(columns, "event a", [](const auto& e) { return index(e.a); });
    add_column<std::int32_t>(columns, "event b", [](const auto& e) { return index(e.b); });
    for (int axis = 0; axis < 3; ++axis) {
      const auto name = [axis](const char* of) { return of + std::to_string(axis); };
      add_column<float>(columns, name("event point"), [&](const auto& e) { return e.point[axis]; });
      add_column<float>(columns, name("event normal"),
                        [&](const auto& e) { return e.normal[axis]; });
      add_column<float>(columns, name("event impulse"),
                        [&](const auto& e) { return e.impulse[axis]; });
    }
    add_column<float>(columns, "event approach", [](const auto& e) { return e.approach_speed; });
    add_column<float>(columns, "event separation",
                      [](const auto& e) { return e.separation_speed; });
  }

 private:
  struct Kept {
    std::int64_t number = 0;
    record::ContactEvent event;
  };

  static auto rank(const Kept& kept) {
    const bool is_micro = kept.event.kind == record::EventKind::Microcollision;
    return std::tuple(!is_micro, kept.event.impulse.squaredNorm(), -kept.number);
  }

  void drop() {
    if (kept_.size() <= PageData::kMostEvents) return;
    const auto end = kept_.begin() + PageData::kMostEvents;
    std::nth_element(kept_.begin(), end, kept_.end(),
                     [](const Kept& a, const Kept& b) { return rank(a) > rank(b); });
    kept_.erase(end, kept_.end());
    std::sort(kept_.begin(), kept_.end(),
              [](const Kept& a, const Kept& b) { return a.number < b.number; });
  }

  template <typename T, typename Of>
  void add_column(PageColumns& columns, const std::string& name, const Of& of) const {
    std::vector<T> values;
    for (const Kept& kept : kept_) values.push_back(static_cast<T>(of(kept.event)));
    columns.add(name, std::span<const T>(values));
  }

  std::int64_t total_ = 0;
  std::vector<Kept> kept_;
};

// The forces of every `every`-th output.
class KeptForces {
 public:
  // Number -1 is the output before the first.
  void add(std::int64_t output, std::span<const record::CarriedForce> forces) {
    if (output % every_ != 0) return;
    for (const record::CarriedForce& force : forces) kept_.push_back({output, force});
    while (kept_.size() > PageData::kMostForces && every_ <= output) {
      every_ *= 2;
      std::erase_if(kept_, [this](const Kept& kept) { return kept.output % every_ != 0; });
    }
  }

  std::int64_t every() const { return every_; }

  // Forces keep 13 bits, which are four digits.
  void write(PageColumns& columns, double place_quantum) const {
    add_column(columns, "force output", [](const Kept& k) { return k.output; });
    add_column(columns, "force a", [](const Kept& k) { return index(k.force.a); });
    add_column(columns, "force b", [](const Kept& k) { return index(k.force.b); });
    add_column(columns, "force joint", [](const Kept& k) { return k.force.joint; });
    for (int axis = 0; axis < 3; ++axis) {
      Channel points, forces;
      for (const Kept& kept : kept_) {
        points.push_back(static_cast<float>(kept.force.point[axis]));
        forces.push_back(to_13_bits(kept.force.force[axis]));
      }
      columns.add("force point" + std::to_string(axis), points,
                  {.length = points.size(), .quantum = place_quantum, .order = 0});
      columns.add("force force" + std::to_string(axis), forces);
    }
  }

 private:
  struct Kept {
    std::int64_t output = 0;
    record::CarriedForce force;
  };

  static float to_13_bits(double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return static_cast<float>(std::ldexp(std::round(std::ldexp(fraction, 13)), exponent - 13));
  }

  template <typename Of>
  void add_column(PageColumns& columns, const char* name, const Of& of) const {
    std::vector<std::int32_t> values;
    for (const Kept& kept : kept_) values.push_back(static_cast<std::int32_t>(of(kept)));
    columns.add(name, std::span<const std::int32_t>(values));
  }

  std::int64_t every_ = 1;
  std::vector<Kept> kept_;
};

}  // namespace

struct PageData::Gathered {
  explicit Gathered(const Scene& scene_in) : scene(scene_in), tracks(scene_in) {}

  const Scene& scene;
  Tracks tracks;
  std::vector<double> times, kinetic, potential;
  std::array<std::vector<double>, 6> momentum;  // linear, then angular about the world's origin
  KeptEvents events;
  KeptForces forces;

  std::string to_bytes(PageColumns& columns, Json header) {
    header["events"] = events.total();
    header["forces_every"] = forces.every();
    header["tracks"] = tracks.bodies();
    columns.add("t", times);
    columns.add("kinetic", kinetic);
    columns.add("potential", potential);
    for (std::size_t i = 0; i < momentum.size(); ++i)
      columns.add("momentum" + std::to_string(i), momentum[i]);
    header["quanta"] = tracks.write(columns);
    events.write(columns);
    forces.write(columns, tracks.place_quantum());
    return columns.to_bytes(header.dump());
  }
};

PageData::PageData(double start) : start_(start) {}

PageData::~PageData() = default;

void PageData::begin(const Scene& scene) { gathered_ = std::make_unique<Gathered>(scene); }

void PageData::output(const State& state) {
  Gathered& to = *gathered_;
  const double t = start_ + state.t;
  if (t <= last_) return;
  last_ = t;
  const dynamics::Energy energy = dynamics::compute_energy(to.scene, state);
  to.times.push_back(t);
  to.kinetic.push_back(energy.kinetic);
  to.potential.push_back(energy.potential);
  const dynamics::Momentum momentum = dynamics::compute_momentum(to.scene, state);
  for (int axis = 0; axis < 3; ++axis) {
    to.momentum[static_cast<std::size_t>(axis)].push_back(momentum.linear[axis]);
    to.momentum[static_cast<std::size_t>(axis) + 3].push_back(momentum.angular[axis]);
  }
  to.tracks.add(state);
}

void PageData::forces(double /*t*/, std::span<const record::CarriedForce> forces) {
  gathered_->forces.add(std::ssize(gathered_->times) - 1, forces);
}

void PageData::event(const record::ContactEvent& event) {
  record::ContactEvent shifted = event;
  shifted.t += start_;
  gathered_->events.add(shifted);
}

std::string PageData::to_bytes(const std::string& more) {
  PageColumns columns;
  Json header = {{"format", kFormat},
                 {"scene", Json::parse(describe_for_page(gathered_->scene, columns))}};
  header.update(Json::parse(more));
  return gathered_->to_bytes(columns, header);
}

std::string PageData::take_bytes(const std::string& more) {
  PageColumns columns;
  std::string bytes = gathered_->to_bytes(columns, Json::parse(more));
  gathered_ = std::make_unique<Gathered>(gathered_->scene);
  return bytes;
}

void PageData::forget() {
  gathered_ = std::make_unique<Gathered>(gathered_->scene);
  last_ = -std::numeric_limits<double>::infinity();
}

}  // namespace carom::io
