#include "carom/io/page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "carom/dynamics/energy.h"
#include "carom/io/output_error.h"
#include "carom/io/output_file.h"
#include "carom/io/page_columns.h"
#include "carom/io/page_scene.h"
#include "carom/io/summary_json.h"
#include "carom/io/viewer_page.h"

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
    if (kept_.size() >= 2 * PageSink::kMostEvents) drop();
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
    if (kept_.size() <= PageSink::kMostEvents) return;
    const auto end = kept_.begin() + PageSink::kMostEvents;
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
  void add(std::size_t output, std::span<const record::CarriedForce> forces) {
    if (output % every_ != 0) return;
    for (const record::CarriedForce& force : forces) kept_.push_back({output, force});
    while (kept_.size() > PageSink::kMostForces && every_ <= output) {
      every_ *= 2;
      std::erase_if(kept_, [this](const Kept& kept) { return kept.output % every_ != 0; });
    }
  }

  std::size_t every() const { return every_; }

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
    std::size_t output = 0;
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

  std::size_t every_ = 1;
  std::vector<Kept> kept_;
};

// Without the one number that differs from run to run.
Json shown_summary(const record::Summary& summary) {
  Json json = Json::parse(to_json(summary));
  json.erase("wall_seconds");
  return json;
}

}  // namespace

struct PageSink::Page {
  explicit Page(const Scene& scene_in) : scene(scene_in), tracks(scene_in) {}

  const Scene& scene;
  Tracks tracks;
  std::vector<double> times, kinetic, potential;
  KeptEvents events;
  KeptForces forces;

  std::string pack(const record::Summary& summary) {
    PageColumns columns;
    Json header = {{"format", kFormat},
                   {"scene", Json::parse(describe_for_page(scene, columns))},
                   {"summary", shown_summary(summary)},
                   {"events", events.total()},
                   {"forces_every", forces.every()},
                   {"tracks", tracks.bodies()}};
    columns.add("t", times);
    columns.add("kinetic", kinetic);
    columns.add("potential", potential);
    header["quanta"] = tracks.write(columns);
    events.write(columns);
    forces.write(columns, tracks.place_quantum());
    return columns.pack(header.dump());
  }
};

PageSink::PageSink(std::filesystem::path path) : path_(std::move(path)) {
  if (viewer_page().empty())
    throw make_output_error(path_, "this carom was built without its viewer (CAROM_VIEWER)");
  check_writable(path_);
}

PageSink::~PageSink() = default;

void PageSink::begin(const Scene& scene) { page_ = std::make_unique<Page>(scene); }

void PageSink::output(const State& state) {
  if (!page_->times.empty() && state.t <= page_->times.back()) return;
  const dynamics::Energy energy = dynamics::compute_energy(page_->scene, state);
  page_->times.push_back(state.t);
  page_->kinetic.push_back(energy.kinetic);
  page_->potential.push_back(energy.potential);
  page_->tracks.add(state);
}

void PageSink::forces(double /*t*/, std::span<const record::CarriedForce> forces) {
  page_->forces.add(page_->times.size() - 1, forces);
}

void PageSink::event(const record::ContactEvent& event) { page_->events.add(event); }

void PageSink::end(const record::Summary& summary) {
  const std::string_view page = viewer_page();
  const std::size_t place = page.find(kRecordingPlace);
  TextFile file(path_, Writing::AtOnce);
  file.write(page.substr(0, place));
  file.write(page_->pack(summary));
  file.write(page.substr(place + kRecordingPlace.size()));
  file.close();
}

}  // namespace carom::io
