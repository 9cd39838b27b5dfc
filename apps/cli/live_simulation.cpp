#include "live_simulation.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "carom/base/diagnostics.h"
#include "carom/base/workers.h"
#include "carom/contact/separation.h"
#include "carom/io/page.h"
#include "live_running.h"
#include "session.h"

namespace carom::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPicture{30};
constexpr std::chrono::milliseconds kBetweenSummaries{300};
constexpr std::size_t kLongestDocument = 500'000;  // bytes; longer scenes are not sent as text

bool starts_alike(const Scene& a, const Scene& b) {
  return std::ranges::equal(a.bodies, b.bodies, {}, &model::Body::name, &model::Body::name) &&
         std::ranges::equal(a.initial, b.initial, [](const auto& p, const auto& q) {
           return p.x == q.x && p.q.coeffs() == q.q.coeffs() && p.v == q.v && p.w == q.w;
         });
}

// What sank in under the method before is moved apart, as `carom check --separate` does it; what
// cannot be, the simulation refuses.
void separate(Scene& scene) {
  base::Workers workers(1);
  const contact::Separation result = contact::separate(scene, workers);
  for (std::size_t i = 0; i < scene.initial.size() && !result.left; ++i)
    scene.initial[i].x += result.shifts[i];
}

Scene with_state(Scene scene, const State& state) {
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState& body = state.bodies[i];
    scene.initial[i] = {.x = body.x, .q = body.q, .v = body.v, .w = body.w};
  }
  separate(scene);
  return scene;
}

// A value at a pointer takes the place of those below it; an empty one of itself.
void put(std::vector<io::Override>& changes, const io::Override& value) {
  std::erase_if(changes, [&](const io::Override& old) {
    return old.pointer == value.pointer || old.pointer.starts_with(value.pointer + '/');
  });
  if (!value.value.empty()) changes.push_back(value);
}

Json describe_methods() {
  Json methods = Json::array();
  for (const model::MethodDescription& method : simulation::catalog()) {
    Json laws = Json::array();
    for (const model::SettingDescription& setting : method.settings)
      if (setting.key == "impact") laws = setting.choices;
    methods.push_back({{"name", method.name}, {"summary", method.summary}, {"laws", laws}});
  }
  return methods;
}

Json as_json(const std::vector<io::Override>& changes) {
  Json json = Json::array();
  for (const auto& [pointer, value] : changes) json.push_back({pointer, value});
  return json;
}

}  // namespace

LiveSimulation::LiveSimulation(Source source, base::Watch& watch)
    : source_(std::move(source)), watch_(watch) {
  install(make({}, nullptr), {});
}

LiveSimulation::~LiveSimulation() = default;

double LiveSimulation::time() const { return running_->start + running_->simulation.time(); }

std::unique_ptr<LiveSimulation::Running> LiveSimulation::make(
    const std::vector<io::Override>& changes, const Running* past) {
  std::vector<io::Override> overrides = source_.overrides;
  overrides.insert(overrides.end(), changes.begin(), changes.end());
  io::LoadedScene loaded = io::load_scene(source_.file, overrides, simulation::catalog());
  const simulation::RunOptions options{.threads = source_.threads, .watch = &watch_};
  const bool goes_on = past != nullptr && starts_alike(past->loaded.scene, loaded.scene);
  Scene scene = goes_on ? with_state(loaded.scene, past->simulation.state()) : Scene(loaded.scene);
  const double start = goes_on ? past->start + past->simulation.time() : 0;
  return with_file_named(source_.file, [&] {
    return std::make_unique<Running>(std::move(loaded), start, std::move(scene), options);
  });
}

void LiveSimulation::install(std::unique_ptr<Running> next, std::vector<io::Override> changes) {
  running_ = std::move(next);
  changes_ = std::move(changes);
  saved_.clear();
  pulls_ = {{running_->simulation.time(), {}}};
  is_torn_ = false;
  between_saved_ = 10 * running_->simulation.scene().output_every;
  stopped_.clear();
  save();  // which tells the first output
}

std::string LiveSimulation::advance(double to, const std::function<bool()>& interrupted) {
  mend();
  const auto deadline = Clock::now() + kPicture;
  while (stopped_.empty() && !is_torn_ && time() < to && Clock::now() < deadline && !interrupted())
    take(running_->simulation.step());
  return tell();
}

std::string LiveSimulation::step() {
  mend();
  if (!stopped_.empty()) return tell();
  take(running_->simulation.step());
  show_now();
  return tell();
}

std::string LiveSimulation::advance_to_next_event() {
  mend();
  if (!stopped_.empty()) return tell();
  simulation::Simulation& simulation = running_->simulation;
  const double latest = simulation.time() + std::max(1.0, simulation.scene().duration);
  take(simulation.advance_to_next_event(latest));
  show_now();
  return tell();
}

std::string LiveSimulation::restart() {
  install(make(changes_, nullptr), changes_);
  return tell_scene();
}

std::string LiveSimulation::change(double at, const std::vector<io::Override>& values) {
  go_back(at);
  std::vector<io::Override> changes = changes_;
  for (const io::Override& value : values) put(changes, value);
  install(make(changes, running_.get()), changes);
  return tell_scene();
}

std::string LiveSimulation::summary() const {
  return io::summary_for_page(running_->simulation.summary());
}

std::string LiveSimulation::tell() {
  Json header = {{"kind", "frames"}, {"time", time()}, {"stopped", stopped_}};
  if (back_to_ >= 0) header["back_to"] = std::exchange(back_to_, -1);
  const auto now = Clock::now();
  if (!stopped_.empty() || now > summarised_ + kBetweenSummaries) {
    summarised_ = now;
    header["summary"] = Json::parse(summary());
  }
  return running_->data.take_bytes(header.dump());
}

std::string LiveSimulation::tell_scene() {
  back_to_ = -1;  // which `from` says
  Json header = {{"kind", "scene"},
                 {"time", time()},
                 {"from", running_->start},
                 {"every", running_->simulation.scene().output_every},
                 {"summary", Json::parse(summary())},
                 {"methods", describe_methods()},
                 {"changes", as_json(changes_)}};
  if (running_->loaded.json.size() <= kLongestDocument) header["document"] = running_->loaded.json;
  std::string bytes = running_->data.to_bytes(header.dump());
  running_->data.forget();
  return bytes;
}

std::string LiveSimulation::open() { return tell_scene(); }

}  // namespace carom::cli
