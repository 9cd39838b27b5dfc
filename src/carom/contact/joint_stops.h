// Limits of joints as contacts: what a joint may not pass is a stop, with a gap, a normal and a
// restitution like the touch of two shapes, but without friction. So every method that resolves
// contacts resolves limits. The stop of a hinge stands at the radius of a moving body from the
// axis, where its gap and its speed are those of a door's edge; where it stands does not change the
// motion, only what the hinge carries of the blow.
#pragma once

#include <vector>

#include "carom/geometry/distance/feature_pair.h"
#include "carom/model/scene.h"

namespace carom::contact {

// At most two: what keeps the joint above its lower and below its upper limit. A distance joint
// with a lower limit of zero has but the upper one, a rope.
std::vector<geometry::FeaturePair> make_stops(const Scene& scene, const model::Joint& joint);

// From the axis of a hinge, m; zero for other joints.
double stop_lever(const Scene& scene, const model::Joint& joint);

}  // namespace carom::contact
