// Asks for memory that will be read soon, where a loop jumps about in more than the caches hold.
#pragma once

namespace carom::base {

inline void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  static_cast<void>(address);
#endif
}

}  // namespace carom::base
