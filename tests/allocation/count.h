// How often memory was asked for since the program began. malloc itself is counted: matrices call
// it past operator new.
#pragma once

#include <atomic>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define CAROM_ALLOCATIONS_UNSEEN  // somebody else owns malloc
#endif

namespace carom::support {

extern std::atomic<long> allocations;

}  // namespace carom::support
