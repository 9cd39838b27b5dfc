// The copies of a body that a grid asks for, in numbers, names and places.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "carom/model/scene_builder.h"

namespace carom::model {

double copies_of(const BodySpec& spec);  // 1 without a grid; may be too many to count in integers

std::string copy_name(const std::string& name, const std::array<int, 3>& at);

// How a copy differs from the body as given.
struct Shift {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();
};

// Calls add(name, shift) for every copy, the last index running fastest, until it returns false.
// Velocities have random numbers of their own, so that positions are the same without them.
void for_each_copy(const BodySpec& spec,
                   const std::function<bool(const std::string&, const Shift&)>& add);

}  // namespace carom::model
