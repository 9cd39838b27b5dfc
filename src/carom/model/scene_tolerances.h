// The tolerances that a scene's own size and speed give.
//
// The smallest moving body sets the length: what is touching must be so for it as well. The speed
// is the largest of what that body gains falling through its own radius and of what is there at the
// start, surfaces of spinning bodies included, because round-off grows with the fastest. A scene
// without gravity in which nothing moves takes one length per second.
#pragma once

#include "carom/model/scene.h"

namespace carom::model {

base::Tolerances compute_tolerances(const Scene& scene);

}  // namespace carom::model
