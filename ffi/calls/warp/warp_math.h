// The arithmetic of warps that host and device share; each product and each sum is rounded separately.
#ifndef JAXDALI_CALLS_WARP_WARP_MATH_H_
#define JAXDALI_CALLS_WARP_WARP_MATH_H_

#include <cmath>
#include <cstdint>

#include "base/host_device.h"

#define JAXDALI_WARP_INLINE JAXDALI_HOST_DEVICE __attribute__((always_inline)) inline

namespace jaxdali {

// The most pixels along an axis that contribute to a result.
inline constexpr int kMostWarpTaps = 4;

// Converts a whole position to a pixel's index, clamped to +-2**30, which lies outside of every image; NaN becomes
// -2**30.
JAXDALI_WARP_INLINE int32_t WholePlace(float place) {
  constexpr float kEdge = 1 << 30;
  const float held = place > -kEdge ? place : -kEdge;
  return static_cast<int32_t>(held < kEdge ? held : kEdge);
}

// Returns the cubic filter's weight of a pixel at this distance from the position.
JAXDALI_WARP_INLINE float CubicShare(float distance) {
  // The slope one pixel from the centre; OpenCV's value.
  constexpr float kSteep = -0.75f;
  const float x = std::fabs(distance);
  const float near = ((kSteep + 2) * x - (kSteep + 3)) * (x * x) + 1.0f;
  const float far = ((kSteep * x - 5 * kSteep) * x + 8 * kSteep) * x - 4 * kSteep;
  return x < 1 ? near : x < 2 ? far : 0.0f;
}

// Rounds to the nearest level, halves up, and clamps to 0 ... 255; NaN becomes 0.
JAXDALI_WARP_INLINE uint8_t RoundedToByte(float value) {
  float held = value > 0.0f ? value : 0.0f;
  held = held < 255.0f ? held : 255.0f;
  const int32_t whole = static_cast<int32_t>(held);
  return static_cast<uint8_t>(whole + (held - static_cast<float>(whole) >= 0.5f ? 1 : 0));
}

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_WARP_WARP_MATH_H_
