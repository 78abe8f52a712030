// What Debian 12's libstdc++.a wants of its own C library, 2.36, and what its headers want of the sysroot's, 2.31, but 2.28 does not
// have. Linked into every module of a wheel, and not visible outside of it.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#define HIDDEN __attribute__((visibility("hidden")))

// Whether the process has only one thread, so that shared_ptr may count without atomic instructions: never.
HIDDEN char __libc_single_threaded = 0;

// For std::random_device, which nothing here uses.
HIDDEN uint32_t arc4random(void) {
  uint32_t number;
  if (getentropy(&number, sizeof number) != 0) abort();
  return number;
}

// For std::condition_variable's waits with a time. As libstdc++ does it without this function, of glibc 2.30: the time is one of
// the clock on the wall, so a wait may last longer than asked for if that is set back meanwhile.
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* end) {
  const long second = 1000000000;
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  long nanoseconds = wall.tv_nsec + end->tv_nsec - now.tv_nsec;
  wall.tv_sec += end->tv_sec - now.tv_sec + (nanoseconds >= second) - (nanoseconds < 0);
  wall.tv_nsec = nanoseconds + (nanoseconds < 0 ? second : nanoseconds >= second ? -second : 0);
  return pthread_cond_timedwait(condition, mutex, &wall);
}
