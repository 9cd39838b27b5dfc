#include "carom/io/file_bytes.h"

#include <array>
#include <fstream>

namespace carom::io {

FileBytes read_bytes(const std::filesystem::path& path) {
  constexpr std::size_t kMaxBytes = std::size_t{256} << 20U;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return {{}, "no such file"};
  if (std::filesystem::is_directory(path, error)) return {{}, "a folder"};
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return {{}, "a file that cannot be opened"};
  FileBytes file;
  std::array<char, 65536> chunk{};
  do {  // in pieces, because a device or a pipe does not know its size
    stream.read(chunk.data(), chunk.size());
    file.bytes.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
    if (file.bytes.size() > kMaxBytes) return {{}, "a file over 256 MB"};
  } while (stream);
  if (stream.bad()) return {{}, "a file that cannot be read"};
  return file;
}

}  // namespace carom::io
