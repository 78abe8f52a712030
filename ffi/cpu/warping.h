// What images and volumes have at places between their pixels (common/warping.h), computed by threads.
#ifndef JAXDALI_CPU_WARPING_H_
#define JAXDALI_CPU_WARPING_H_

#include <cstdint>

#include "common/warping.h"

namespace jaxdali::cpu {

// How many parts it has, which may be computed at the same time. None of the extents is 0.
int64_t WarpingParts(const Warping& warping);

// Computes one part. False: there was no memory.
bool Warp(const Warping& warping, int64_t part) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_WARPING_H_
