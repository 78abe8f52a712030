// Sets which CPUs the threads of a call run on while they work for it. The threads are XLA's, and others use them as
// well, so each gets its previous CPUs back.
#ifndef JAXDALI_BASE_AFFINITY_H_
#define JAXDALI_BASE_AFFINITY_H_

#include <sched.h>

#include <cstddef>
#include <cstdint>

namespace jaxdali::cpu {

// The attribute `affinity`: for each thread, starting with the calling one, a count and that many CPU ids. It points
// into the attribute, which lives as long as the call.
struct Affinity {
  const int32_t* words = nullptr;
  size_t count = 0;

  // Writes the CPUs of a thread of the call. Returns false if the thread stays where it is.
  bool Of(int64_t thread, cpu_set_t* cpus) const {
    size_t at = 0;
    for (; thread > 0 && at < count; --thread) {
      if (words[at] < 0) return false;
      at += 1 + static_cast<size_t>(words[at]);
    }
    if (at >= count || words[at] <= 0 || static_cast<size_t>(words[at]) >= count - at) return false;
    CPU_ZERO(cpus);
    for (int32_t index = 1; index <= words[at]; ++index) {
      const int32_t cpu = words[at + index];
      if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
      CPU_SET(cpu, cpus);
    }
    return true;
  }
};

// Keeps the current thread on some CPUs. If the system refuses, the thread stays where it was, and computes the same.
class Pinned {
 public:
  explicit Pinned(const cpu_set_t& cpus) {
    is_pinned_ = sched_getaffinity(0, sizeof(before_), &before_) == 0 && sched_setaffinity(0, sizeof(cpus), &cpus) == 0;
  }
  ~Pinned() {
    if (is_pinned_) sched_setaffinity(0, sizeof(before_), &before_);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  cpu_set_t before_;
  bool is_pinned_;
};

}  // namespace jaxdali::cpu

#endif  // JAXDALI_BASE_AFFINITY_H_
