// What a specification must satisfy on its own, before anything is computed from it. Problems are
// reported in the words of a scene file.
#pragma once

#include "carom/model/problems.h"

namespace carom::model {

constexpr double kMaxBodies = 1e7;
constexpr std::size_t kMaxMaterials = 1000;  // the pair table is dense

void check_material(const Material& material, Problems& problems);
void check_pair(const PairSpec& pair, Problems& problems);
void check_shape(const ShapeSpec& shape, Problems& problems);
void check_body(const BodySpec& body, Problems& problems);  // all but its shapes
void check_joint(const JointSpec& joint, Problems& problems);

}  // namespace carom::model
