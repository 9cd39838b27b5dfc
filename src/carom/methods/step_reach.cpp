#include "carom/methods/step_reach.h"

#include <algorithm>
#include <numbers>

#include "carom/model/problems.h"

namespace carom::methods {

namespace {

constexpr double kMostSteps =
    1e12;  // in the duration: step n ends at n · step to four digits of it
constexpr double kMostTurns = 1000;  // of a body in a step: the search for contacts follows each

}  // namespace

void check_step_reach(const Scene& scene, double step, std::vector<base::Diagnostic>& problems) {
  const auto refuse = [&](std::string found, std::string expected) {
    problems.push_back({.place = "/method/step",
                        .found = std::move(found),
                        .expected = std::move(expected),
                        .hint = {},
                        .file = {}});
  };
  if (scene.duration > kMostSteps * step) {
    refuse("a step of " + model::describe(step) + " s for a duration of " +
               model::describe(scene.duration) + " s",
           "at most 1e12 steps");
  }
  const double longest = std::min(step, scene.duration);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const double turns = scene.initial[i].w.norm() * longest / (2 * std::numbers::pi);
    if (turns <= kMostTurns) continue;
    return refuse("a step of " + model::describe(longest) + " s, in which \"" +
                      scene.bodies[i].name + "\" turns " + model::describe(turns) + " times",
                  "at most 1000 turns of a body in a step");
  }
}

}  // namespace carom::methods
