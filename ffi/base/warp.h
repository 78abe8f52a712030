// A warp whose lanes do the same, each with values of its own. On the host, a loop over lanes.
#ifndef JAXDALI_BASE_WARP_H_
#define JAXDALI_BASE_WARP_H_

#include <cstdint>

#include "base/team.h"

namespace jaxdali {

inline constexpr uint32_t kWarp = 32;  // lanes
inline constexpr uint32_t kWholeWarp = 0xFFFFFFFFu;

// A value of each lane.
template <typename Value>
class PerLane {
 public:
#ifdef __CUDACC__
  // Gives each lane `make(lane)`.
  template <typename Make>
  JAXDALI_TEAM void Fill(Make make) {
    own_ = make(threadIdx.x % kWarp);
  }
  // Calls `visit(lane, value)` in each lane.
  template <typename Visit>
  JAXDALI_TEAM void Each(Visit visit) const {
    visit(threadIdx.x % kWarp, own_);
  }
  JAXDALI_TEAM Value At(uint32_t lane) const { return __shfl_sync(kWholeWarp, own_, static_cast<int>(lane)); }
  JAXDALI_TEAM void Set(uint32_t lane, Value value) {
    if (threadIdx.x % kWarp == lane) own_ = value;
  }

 private:
  Value own_;
#else
  template <typename Make>
  void Fill(Make make) {
    for (uint32_t lane = 0; lane < kWarp; ++lane) values_[lane] = make(lane);
  }
  template <typename Visit>
  void Each(Visit visit) const {
    for (uint32_t lane = 0; lane < kWarp; ++lane) visit(lane, values_[lane]);
  }
  Value At(uint32_t lane) const { return values_[lane]; }
  void Set(uint32_t lane, Value value) { values_[lane] = value; }

 private:
  Value values_[kWarp];
#endif
};

// Calls `visit(lane)` in each lane.
template <typename Visit>
JAXDALI_TEAM void EachLane(Visit visit) {
#ifdef __CUDACC__
  visit(threadIdx.x % kWarp);
#else
  for (uint32_t lane = 0; lane < kWarp; ++lane) visit(lane);
#endif
}

// Whether this is the lane that acts for the warp.
JAXDALI_TEAM bool IsFirstLane() {
#ifdef __CUDACC__
  return threadIdx.x % kWarp == 0;
#else
  return true;
#endif
}

// What the first lane has read, in all lanes: what others write may change between their reads.
template <typename Value>
JAXDALI_TEAM Value OfFirstLane(Value value) {
#ifdef __CUDACC__
  return __shfl_sync(kWholeWarp, value, 0);
#else
  return value;
#endif
}

JAXDALI_TEAM uint32_t CountBits(uint32_t bits) {
#ifdef __CUDACC__
  return __popc(bits);
#else
  return static_cast<uint32_t>(__builtin_popcount(bits));
#endif
}
JAXDALI_TEAM uint32_t CountBits(uint64_t bits) {
  return CountBits(static_cast<uint32_t>(bits)) + CountBits(static_cast<uint32_t>(bits >> 32));
}

// Lanes see what other lanes have written before.
JAXDALI_TEAM void SyncWarp() {
#ifdef __CUDACC__
  __syncwarp();
#endif
}

// Sets bits of a mask that other warps set bits of, too.
JAXDALI_TEAM void SetBits(uint64_t* mask, uint64_t bits) {
#ifdef __CUDACC__
  atomicOr(reinterpret_cast<unsigned long long*>(mask), bits);
#else
  *mask |= bits;
#endif
}

// Reads memory that other warps wrote while this kernel was running.
template <typename Value>
JAXDALI_TEAM Value LoadShared(const Value* at) {
#ifdef __CUDACC__
  return __ldcg(at);
#else
  return *at;
#endif
}

// Adds to a count of what this warp's lanes have written, so that those who await the count see it.
JAXDALI_TEAM void Announce(uint32_t* count, uint32_t more) {
#ifdef __CUDACC__
  __threadfence();
  __syncwarp();
  if (IsFirstLane()) atomicAdd(count, more);
#else
  *count += more;
#endif
}

// Waits until a count that others announce is at least `least`. Returns it. On the host, all others have run before.
JAXDALI_TEAM uint32_t AwaitCount(const uint32_t* count, uint32_t least) {
#ifdef __CUDACC__
  constexpr unsigned kNap = 100;  // nanoseconds
  uint32_t found;
  while ((found = *static_cast<const volatile uint32_t*>(count)) < least) __nanosleep(kNap);
  __threadfence();
  return OfFirstLane(found);
#else
  static_cast<void>(least);
  return *count;
#endif
}

}  // namespace jaxdali

#endif  // JAXDALI_BASE_WARP_H_
