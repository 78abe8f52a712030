// A block of threads that works in phases; all threads leave a phase before the next one begins.
#ifndef JAXDALI_BASE_TEAM_H_
#define JAXDALI_BASE_TEAM_H_

#include <cstdint>

#include "base/portable.h"

namespace jaxdali {

// Threads. Programs that look for faults have few, so that small inputs are many chunks.
#ifdef JAXDALI_TEAM_THREADS
inline constexpr uint32_t kTeam = JAXDALI_TEAM_THREADS;
#else
inline constexpr uint32_t kTeam = 256;
#endif

// Runs a phase on every thread. Threads exchange data through shared memory; nothing else outlives a phase.
struct Team {
#ifdef __CUDACC__
  template <typename Phase>
  __device__ __forceinline__ void Each(Phase phase) const {
    phase(threadIdx.x);
    __syncthreads();
  }
#else
  template <typename Phase>
  void Each(Phase phase) const {
    for (uint32_t thread = 0; thread < kTeam; ++thread) phase(thread);
  }
#endif
};

#ifdef __CUDACC__
#define JAXDALI_TEAM __device__ __forceinline__
#else
#define JAXDALI_TEAM inline
#endif

// Prefix sums: each thread's entry of `values` becomes the sum of its own and those of all threads before it.
struct TeamSums {
  uint32_t values[kTeam];
  uint32_t scratch[kTeam / 32];
};
JAXDALI_TEAM void AddUp(const Team& team, TeamSums& sums) {
#ifdef __CUDACC__
  constexpr uint32_t kWarp = 32, kAll = 0xFFFFFFFFu;
  const uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  uint32_t sum = sums.values[threadIdx.x];
  for (uint32_t step = 1; step < kWarp; step *= 2) {
    const uint32_t before = __shfl_up_sync(kAll, sum, step);
    if (lane >= step) sum += before;
  }
  if (lane == kWarp - 1) sums.scratch[warp] = sum;
  __syncthreads();
  for (uint32_t other = 0; other < warp; ++other) sum += sums.scratch[other];
  team.Each([&](uint32_t thread) { sums.values[thread] = sum; });
#else
  for (uint32_t thread = 1; thread < kTeam; ++thread) sums.values[thread] += sums.values[thread - 1];
  static_cast<void>(team);
#endif
}

// Lowers `least` to the smallest of the threads' values.
JAXDALI_TEAM void TakeLeast(uint32_t* least, uint32_t value) {
#ifdef __CUDACC__
  atomicMin(least, value);
#else
  *least = Least(*least, value);
#endif
}

// Raises `most` to the largest of the threads' values.
JAXDALI_TEAM void TakeMost(uint32_t* most, uint32_t value) {
#ifdef __CUDACC__
  atomicMax(most, value);
#else
  *most = Most(*most, value);
#endif
}

}  // namespace jaxdali

#endif  // JAXDALI_BASE_TEAM_H_
