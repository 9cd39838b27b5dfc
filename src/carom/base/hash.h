// FNV-1a: a short fingerprint of bytes, to tell whether a recording and a scene belong together.
#pragma once

#include <cstdint>
#include <string_view>

namespace carom::base {

constexpr std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace carom::base
