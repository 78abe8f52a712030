// How images continue beyond their edges.
#ifndef JAXDALI_BASE_BORDERS_H_
#define JAXDALI_BASE_BORDERS_H_

#include <cstdint>

#include "base/host_device.h"

namespace jaxdali {

enum class Border : int32_t { kReflect101, kReflect1001, kWrap, kClamp, kConstant };
inline constexpr int32_t kBorders = 5;

inline constexpr int64_t kNowhere = -1;

template <typename Int>
JAXDALI_HOST_DEVICE inline Int Modulo(Int place, Int period) {
  const Int rest = place % period;
  return rest < 0 ? rest + period : rest;
}

// Returns the pixel whose value a position has, or kNowhere if it has the fill value. `extent` is at least 1. Int must
// hold twice the extent.
template <typename Int>
JAXDALI_HOST_DEVICE inline Int Source(Border border, Int place, Int extent) {
  Int found = place;
  switch (border) {
    case Border::kReflect101: {
      const Int period = extent > 1 ? 2 * extent - 2 : 1;
      found = (place < 0 ? -place : place) % period;
      found = found < period - found ? found : period - found;
      break;
    }
    case Border::kReflect1001:
      found = Modulo(place, 2 * extent);
      found = found < extent ? found : 2 * extent - 1 - found;
      break;
    case Border::kWrap:
      found = Modulo(place, extent);
      break;
    case Border::kClamp:
      break;
    case Border::kConstant:
      if (place < 0 || place >= extent) return static_cast<Int>(kNowhere);
      break;
  }
  return found < 0 ? 0 : found < extent ? found : extent - 1;
}

}  // namespace jaxdali

#endif  // JAXDALI_BASE_BORDERS_H_
