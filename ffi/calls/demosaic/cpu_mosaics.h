// Makes images from mosaics: the pixels of a sensor behind a Bayer filter, each of which has one colour.
#ifndef JAXDALI_CALLS_DEMOSAIC_CPU_MOSAICS_H_
#define JAXDALI_CALLS_DEMOSAIC_CPU_MOSAICS_H_

#include <cstdint>

#include "base/per_sample.h"

namespace jaxdali::cpu {

// How a pixel gets its missing colours. kBilinear: the mean of the nearest pixels of a colour. kEdgeAware: the same,
// but green along the direction of the smaller difference. kGray: only the luma of the first method's result.
enum class Demosaicing : int32_t { kBilinear = 0, kEdgeAware = 1, kGray = 2 };
inline constexpr int32_t kDemosaicings = 3;

template <typename T>
struct Mosaics {
  const T* pixels;  // [samples, height, width]
  int64_t samples, height, width;
  PerSample<int32_t> extents;    // [2]: height and width of a mosaic; clamped to its canvas
  PerSample<int32_t> positions;  // [2]: row and column of blue, 0 or 1, in the 2 x 2 pixels that begin at (1, 1)
  Demosaicing demosaicing;
  T* result;  // [samples, height, width, 3], or 1 for kGray
};

// Returns the number of parts; they may be made concurrently.
template <typename T>
int64_t MosaicParts(const Mosaics<T>& mosaics);

// Makes one part. The outermost pixels are copies of those next to them. Mosaics of fewer than 3 rows or columns become
// zeros, and so does everything beyond a mosaic.
template <typename T>
void Demosaic(const Mosaics<T>& mosaics, int64_t part) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_DEMOSAIC_CPU_MOSAICS_H_
