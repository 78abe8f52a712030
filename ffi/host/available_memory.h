// Tells how much memory is left. The kernel does not refuse pages of shared memory: if there are none left it kills
// processes, which frees the pages of a memfd only once no process has it any more. So large requests are checked
// first.
#ifndef JAXDALI_HOST_AVAILABLE_MEMORY_H_
#define JAXDALI_HOST_AVAILABLE_MEMORY_H_

#include <cstdint>
#include <stdexcept>
#include <string>

namespace jaxdali::host {

struct Available {
  uint64_t bytes;     // 2**64 - 1 if unknown
  std::string where;  // what has no more: "this machine", or a memory cgroup
};

// Returns what this process could still get: the smallest of what the machine and each memory cgroup (version 1 or 2)
// above the process have left. Includes free swap and what the page cache would return. `root` is prepended to the
// paths of /proc and of cgroups.
Available AvailableMemory(const std::string& root);

// More memory was requested than there is.
class ShortOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Smaller requests are not checked: a check costs 0.1 ms, and the system itself varies by as much.
inline constexpr uint64_t kMuchMemory = uint64_t{64} << 20;

// Throws ShortOfMemory if `bytes` is a large amount, and more than there is.
void RequireMemory(uint64_t bytes);

}  // namespace jaxdali::host

#endif  // JAXDALI_HOST_AVAILABLE_MEMORY_H_
