// The page of viewer/, built into the program: HTML with everything in it but a recording, which
// takes the place of kRecordingPlace. The build makes its source.
#pragma once

#include <string_view>

namespace carom::io {

inline constexpr std::string_view kRecordingPlace = "@RECORDING@";

std::string_view viewer_page();  // empty where carom was built without (CAROM_VIEWER)

}  // namespace carom::io
