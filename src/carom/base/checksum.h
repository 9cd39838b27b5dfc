// A 64-bit checksum over a sequence of bytes. Every change within eight bytes that belong together
// is noticed, because each step maps different values to different values; several changes are
// missed once in 2^64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace carom::base {

class Checksum {
 public:
  // In parts of any length; equal sequences of parts give equal sums. Parts whose lengths are
  // multiples of eight may be divided otherwise.
  void add(std::string_view bytes) {
    for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof word);
      mix(word);
    }
    if (bytes.empty()) return;
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes.data(), bytes.size());
    mix(rest);
    mix(bytes.size());
  }
  void add(const void* bytes, std::size_t count) { add({static_cast<const char*>(bytes), count}); }

  // Signed, as files keep it.
  std::int64_t value() const { return static_cast<std::int64_t>(sum_); }

 private:
  void mix(std::uint64_t word) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    sum_ = (sum_ ^ word) * kOdd;
    sum_ ^= sum_ >> 32U;
  }

  std::uint64_t sum_ = 0x243F6A8885A308D3U;  // so that leading zeros count
};

}  // namespace carom::base
