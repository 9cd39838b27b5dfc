#include <fmt/format.h>

#include <cmath>
#include <set>

#include "carom/io/outputs.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"
#include "commands.h"
#include "session.h"
#include "summary_table.h"

namespace carom::cli {

namespace {

// Watches the break and remembers what is worth telling.
class BreakStory : public record::Sink {
 public:
  void begin(const Scene& scene) override { scene_ = &scene; }

  void event(const record::ContactEvent& event) override {
    if (event.kind != record::EventKind::Impact) return;
    const bool a_is_ball = scene_->body(event.a).is_dynamic();
    const bool b_is_ball = scene_->body(event.b).is_dynamic();
    if (a_is_ball && b_is_ball) {
      ++ball_hits_;
      if (first_hit_ < 0) first_hit_ = event.t;
      touched_.insert(event.a);
      touched_.insert(event.b);
    } else if (std::abs(event.normal.z()) < 0.5) {
      ++cushion_hits_;
    } else {
      ++cloth_hits_;
    }
  }

  void output(const State& state) override {
    for (const BodyState& body : state.bodies) fastest_ = std::max(fastest_, body.v.norm());
    last_ = state;
  }

  void tell() const {
    double spread = 0;
    for (std::size_t i = 0; i < last_.bodies.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!scene_->bodies[i].is_dynamic() || !scene_->bodies[j].is_dynamic()) continue;
        spread = std::max(spread, (last_.bodies[i].x - last_.bodies[j].x).norm());
      }
    }
    fmt::print("The cue ball, at {:.1f} m/s, met the rack after {:.3f} s.\n", fastest_, first_hit_);
    fmt::print(
        "{} balls were set moving: {} impacts, {} between balls, {} off the cushions and {} on the "
        "cloth.\n",
        touched_.size(), ball_hits_ + cushion_hits_ + cloth_hits_, ball_hits_, cushion_hits_,
        cloth_hits_);
    fmt::print("At the end they lie up to {:.2f} m apart.\n\n", spread);
  }

 private:
  const Scene* scene_ = nullptr;
  int ball_hits_ = 0, cushion_hits_ = 0, cloth_hits_ = 0;  // one for each contact point
  double first_hit_ = -1, fastest_ = 0;
  std::set<BodyId> touched_;
  State last_;
};

void tell_file(const std::filesystem::path& path) {
  if (io::output_of(path) == io::Output::Page)
    fmt::print("Look at it: open {} in a browser.\n\n", std::filesystem::absolute(path).string());
  else
    fmt::print("Also written: {}\n\n", path.string());
}

}  // namespace

void add_demo_command(Parser& parser, int& status) {
  auto out = std::make_shared<std::vector<std::string>>(
      std::vector<std::string>{"carom-demo.html", "carom-demo.glb"});
  Command command = parser.add_command(
      "demo", "Simulate a billiards break, tell what happened, write a page that plays it");
  command.add_option("--out", *out, "Where it goes: .html a page, .glb an animation; repeatable")
      .one_at_a_time()
      .shows_default();
  command.on_call([out, &status] {
    const auto scene = std::filesystem::path(CAROM_SOURCE_DIR) / "scenes" / "break.json";
    const io::LoadedScene loaded = io::load_scene(scene, {}, simulation::catalog());
    BreakStory story;
    SessionOptions session;
    session.scene_file = scene.string();
    session.out.assign(out->begin(), out->end());
    check_outputs(session, {.files = files_of(scene, loaded), .recording = {}});
    const record::Summary summary = run_session(loaded, session, nullptr, {&story});
    for (const auto& path : session.out) tell_file(path);
    story.tell();
    print_summary(summary);
    fmt::print("\nNext: carom --help, and {}\n",
               (std::filesystem::path(CAROM_SOURCE_DIR) / "docs").string());
    status = exit_status(summary);
  });
}

}  // namespace carom::cli
