// What of the scene format each method can simulate, and which methods can where one cannot.
#pragma once

#include <string>
#include <vector>

#include "carom/methods/shared/method_traits.h"
#include "carom/model/scene.h"

namespace carom::methods {

inline constexpr Ability kAbilities[] = {Ability::Joints, Ability::JointLimits,
                                         Ability::JointDrives, Ability::JointSprings};

const char* name_of(Ability ability);  // as in "joints"
bool has(const model::MethodSettings& method, Ability ability);
std::vector<std::string> methods_with(Ability ability);  // with their default settings

// Of the methods that can simulate the scene with their default settings, the first of `preferred`;
// empty where none can.
std::string find_capable(const Scene& scene, const std::vector<std::string>& preferred);

// Throws base::BadInput where the scene needs what its method cannot do; saying so beats a wrong
// answer.
void refuse_unsupported(const Scene& scene);

std::string list_of(const std::vector<std::string>& names);  // "a", "b" and "c"

}  // namespace carom::methods
