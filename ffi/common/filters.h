// Kernels of resampling as tables, which are interpolated linearly.
#ifndef JAXDALI_COMMON_FILTERS_H_
#define JAXDALI_COMMON_FILTERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/recipes.h"

namespace jaxdali {

// A kernel from -radius to radius pixels, in equal steps.
struct FilterTable {
  std::vector<float> samples;
  float radius;

  // The kernel `x` steps behind its beginning. One step behind its end it has come down to 0.
  float At(float x) const {
    if (!(x >= 0.0f && x < static_cast<float>(samples.size()))) return 0.0f;
    const size_t below = static_cast<size_t>(x);
    const float above = below + 1 < samples.size() ? samples[below + 1] : 0.0f;
    return samples[below] + (x - static_cast<float>(below)) * (above - samples[below]);
  }
};

// The table of LINEAR, TRIANGULAR, CUBIC, LANCZOS3 or GAUSSIAN.
const FilterTable& TableOf(Filter filter);

// How many source pixels a kernel reaches over, in DALI's order of roundings, which decide whether it has one tap more.
// `scale` is 1 where the kernel is not widened.
float SupportOf(Filter filter, float scale);

}  // namespace jaxdali

#endif  // JAXDALI_COMMON_FILTERS_H_
