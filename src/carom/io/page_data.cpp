#include "carom/io/page_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "carom/dynamics/energy.h"
#include "carom/io/page_columns.h"
#include "carom/io/page_kept.h"
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
