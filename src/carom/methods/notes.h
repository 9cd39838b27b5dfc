// What of a scene's method settings has no effect under its method and impact law: one scene runs
// under every method, so that a setting may wait for another one, but never without a word.
#pragma once

#include <string>
#include <vector>

#include "carom/model/scene.h"

namespace carom::methods {

// One sentence for each reason; none where every setting counts.
std::vector<std::string> notes_on(const Scene& scene);

}  // namespace carom::methods
