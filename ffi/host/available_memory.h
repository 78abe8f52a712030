// How much memory there is left. The kernel does not refuse pages of shared memory: where there are none it ends
// processes, which does not free those of a memfd, until nobody is left. So whoever wants much asks first.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace jaxdali::host {

struct Available {
  uint64_t bytes;     // 2**64 - 1: nobody says
  std::string where;  // what has no more: "this machine", or a memory cgroup
};

// What this process could still get, of the machine and of each memory cgroup (version 1 or 2) above it, what the page
// cache would give back and free swap included; the least of them. `root` is put before the paths of /proc and of
// cgroups.
Available AvailableMemory(const std::string& root);

// Memory that is not there was asked for.
class ShortOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Less is not asked about: it costs 0.1 ms, and the system itself varies by as much.
inline constexpr uint64_t kMuchMemory = uint64_t{64} << 20;

// Throws ShortOfMemory where `bytes` is much, and more than there is.
void RequireMemory(uint64_t bytes);

}  // namespace jaxdali::host
