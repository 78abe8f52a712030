// What images go on with beyond their edges.
#ifndef JAXDALI_CPU_BORDERS_H_
#define JAXDALI_CPU_BORDERS_H_

#include <algorithm>
#include <cstdint>

namespace jaxdali::cpu {

enum class Border : int32_t { kReflect101, kReflect1001, kWrap, kClamp, kConstant };
inline constexpr int32_t kBorders = 5;

inline constexpr int64_t kNowhere = -1;

inline int64_t Modulo(int64_t place, int64_t period) {
  const int64_t rest = place % period;
  return rest < 0 ? rest + period : rest;
}

// Of a place the pixel that has its value, of an extent of at least 1; kNowhere: it has the fill.
inline int64_t Source(Border border, int64_t place, int64_t extent) {
  int64_t found = place;
  switch (border) {
    case Border::kReflect101: {
      const int64_t period = std::max<int64_t>(2 * extent - 2, 1);
      found = (place < 0 ? -place : place) % period;
      found = std::min(found, period - found);
      break;
    }
    case Border::kReflect1001:
      found = Modulo(place, 2 * extent);
      found = std::min(found, 2 * extent - 1 - found);
      break;
    case Border::kWrap:
      found = Modulo(place, extent);
      break;
    case Border::kClamp:
      break;
    case Border::kConstant:
      if (place < 0 || place >= extent) return kNowhere;
      break;
  }
  return std::clamp<int64_t>(found, 0, extent - 1);
}

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_BORDERS_H_
