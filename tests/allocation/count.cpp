#include "allocation/count.h"

#include <cstdlib>

namespace carom::support {

std::atomic<long> allocations{0};

}  // namespace carom::support

#ifndef CAROM_ALLOCATIONS_UNSEEN
// The C library's own entry points, which ours stand in front of.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++carom::support::allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++carom::support::allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++carom::support::allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++carom::support::allocations;
  return __libc_memalign(alignment, size);
}
}
#endif
