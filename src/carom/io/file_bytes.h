// The whole of a file in memory, or the reason why not. Files over 256 MB are refused.
#pragma once

#include <filesystem>
#include <string>

namespace carom::io {

struct FileBytes {
  std::string bytes;
  std::string problem;  // empty: all went well
};
FileBytes read_bytes(const std::filesystem::path& path);

}  // namespace carom::io
