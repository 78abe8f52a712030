// Weighted sums of the neighbours of each pixel; images are extended beyond their edges.
#ifndef JAXDALI_CALLS_CORRELATE_CPU_CORRELATION_H_
#define JAXDALI_CALLS_CORRELATE_CPU_CORRELATION_H_

#include <cstdint>

#include "base/borders.h"
#include "base/per_sample.h"

namespace jaxdali::cpu {

enum class CorrelatedType { kUint8, kInt16, kUint16, kFloat32 };

// Images with fewer than three axes get leading axes of extent 1.
inline constexpr int kAxes = 3;

struct Correlation {
  CorrelatedType type;
  const void* pixels;  // [N, canvas, channels]
  int64_t samples, channels;
  int64_t canvas[kAxes], taps[kAxes], size[kAxes];  // of the images, the weights and the results
  PerSample<float> weights;
  PerSample<int32_t> extents;  // [kAxes]: of the image in the corner of its canvas; clamped to 1 ... the canvas
  PerSample<int32_t> before;   // [kAxes]: how many weights come before the one for the pixel itself
  PerSample<float> fill;       // [1], used with kConstant
  Border border;
  float* result;  // [N, size, channels]
};

// Returns the number of parts of a correlation; they may be computed concurrently. No extent may be 0.
int64_t CorrelationParts(const Correlation& correlation);

// Computes one part. Each result is the sum over the weights in C order, starting with the first product; each product
// and each sum is rounded. Returns false if out of memory.
bool Correlate(const Correlation& correlation, int64_t part) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_CORRELATE_CPU_CORRELATION_H_
