// Warps: each result is the value of an image or a volume at a position between its pixels.
#ifndef JAXDALI_CALLS_WARP_WARPING_H_
#define JAXDALI_CALLS_WARP_WARPING_H_

#include <cstdint>

#include "base/borders.h"
#include "base/per_sample.h"

namespace jaxdali {

enum class Between : int32_t { kNearest, kLinear, kCubic };
inline constexpr int32_t kBetweens = 3;

// Elements of type kBits8, kBits16 and kBits32 are copied; the others are numbers that are interpolated.
enum class WarpedType { kUint8, kInt16, kUint16, kFloat32, kBits8, kBits16, kBits32 };

inline constexpr int kMostWarpedAxes = 3;

// Each product and each sum is rounded; the last axis is interpolated first.
struct Warping {
  WarpedType type;
  const void* images;  // [N, canvas, channels]
  int64_t samples, channels;
  int axes;                                                // 2 or 3
  int64_t canvas[kMostWarpedAxes], size[kMostWarpedAxes];  // of the images and of the results
  PerSample<int32_t> extents;  // [axes]: of the image in the corner of its canvas; clamped to 1 ... the canvas
  PerSample<int32_t> made;     // [axes]: of the result; everything outside is zeros
  const void* fill;            // [channels], used with kConstant: of the images' type if that is bits, else float
  // Where each result lies in its image, in pixels; the centre of the first pixel is at 0.5. Either an affine map of
  // the result's own position, [axes, axes + 1], x first; or, if `matrix` has no data, positions [axes, N or 1, size],
  // x last.
  PerSample<float> matrix;
  const float* places;
  int64_t place_rows;
  Border border;
  Between between;  // not cubic with 3 axes
  void* result;     // [N, size, channels]: bits like the images, else float, or uint8 if `bytes`
  bool bytes;       // results are uint8: rounded to the nearest, halves up, and clamped to 0 ... 255
};

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_WARP_WARPING_H_
