// What Debian 12's libstdc++.a wants of its own C library, 2.36, and the sysroot's does not have. Linked into every module of a wheel,
// and not visible outside of it.
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// Whether the process has only one thread, so that shared_ptr may count without atomic instructions: never.
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;

// For std::random_device, which nothing here uses.
__attribute__((visibility("hidden"))) uint32_t arc4random(void) {
  uint32_t number;
  if (getentropy(&number, sizeof number) != 0) abort();
  return number;
}
