// What each method promises: one table. Every promise is a part of a scale of the scene's own, so
// that a scene in millimetres is judged as the same one in metres.
#pragma once

#include <string_view>

#include "carom/model/scene.h"

namespace carom::audit {

// What else a method does that limits and ledgers have to know.
enum class Peculiarity {
  None,
  HoldsMidstep,  // forces and impulses of a step are those of its middle, and gaps linear in it
  Hops,          // bodies at rest do
  Deforms,       // bodies sink in where they push each other
};

// Parts of the scales, for one method. Where its error is controlled, joints and books are off by
// the errors of many steps: kManySteps times its `tolerance`.
struct Promise {
  std::string_view method;
  double penetration;          // of the length
  double joints;               // of the length, and in rad
  double books;                // of energy and momentum
  double angular_momentum;     // of that
  double gain;                 // of energy, beside that, where forces act
  double usual_tolerance = 0;  // of a step; 0: its error is not controlled
  Peculiarity peculiarity = Peculiarity::None;
};
constexpr double kManySteps = 1000;
bool deforms(const Scene& scene);
Promise promise_of(const model::MethodSettings& method);

}  // namespace carom::audit
