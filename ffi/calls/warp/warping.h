// Warps: each result is the value of an image or a volume at a position between its pixels.
#ifndef JAXDALI_CALLS_WARP_WARPING_H_
#define JAXDALI_CALLS_WARP_WARPING_H_

#include <cstdint>

#include "base/borders.h"
#include "base/per_sample.h"

namespace jaxdali {

enum class Between : int32_t { kNearest, kLinear, kCubic };
inline constexpr int32_t kBetweens = 3;

// Those of kBits are copied, each of so many bytes; the others are numbers.
enum class WarpedType { kUint8, kInt16, kUint16, kFloat32, kBits8, kBits16, kBits32 };

inline constexpr int kMostWarpedAxes = 3;

// Products and sums are rounded one by one; the last axis is interpolated first.
struct Warping {
  WarpedType type;
  const void* images;  // [N, canvas, channels]
  int64_t samples, channels;
  int axes;                                                // 2 or 3
  int64_t canvas[kMostWarpedAxes], size[kMostWarpedAxes];  // of the images and of the results
  PerSample<int32_t> extents;  // [axes]: of the image in the corner of its canvas; held within 1 and the canvas
  PerSample<int32_t> made;     // [axes]: of the result, outside of which there are zeros
  const void* fill;            // [channels], with kConstant: of the images' type if that is bits, else float
  // Where each result lies in its image, in pixels; the centre of the first pixel is at 0.5. Either an affine map
  // [axes, axes + 1] of the result's own position, x first, or, if that has no data, positions [axes, N or 1, size], x
  // last.
  PerSample<float> matrix;
  const float* places;
  int64_t place_rows;
  Border border;
  Between between;  // not cubic with 3 axes
  void* result;     // [N, size, channels]: bits as the images, else float, or
  bool bytes;       // uint8, rounded to the nearest, halves up, and held within its range
};

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_WARP_WARPING_H_
