// Warps (calls/warp/warping.h) on the host, in parts that threads may compute concurrently.
#ifndef JAXDALI_CALLS_WARP_CPU_WARPING_H_
#define JAXDALI_CALLS_WARP_CPU_WARPING_H_

#include <cstdint>

#include "calls/warp/warping.h"

namespace jaxdali::cpu {

// Returns the number of parts. No extent may be 0.
int64_t WarpingParts(const Warping& warping);

// Computes one part. Returns false if out of memory.
bool Warp(const Warping& warping, int64_t part) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_WARP_CPU_WARPING_H_
