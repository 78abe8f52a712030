// Warps (calls/warp/warping.h), computed by threads.
#ifndef JAXDALI_CALLS_WARP_CPU_WARPING_H_
#define JAXDALI_CALLS_WARP_CPU_WARPING_H_

#include <cstdint>

#include "calls/warp/warping.h"

namespace jaxdali::cpu {

// The number of parts, which may be computed concurrently. No extent is 0.
int64_t WarpingParts(const Warping& warping);

// Computes one part. False: out of memory.
bool Warp(const Warping& warping, int64_t part) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_WARP_CPU_WARPING_H_
