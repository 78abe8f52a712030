// Resampling kernels as tables, which are interpolated linearly.
#ifndef JAXDALI_RECIPES_FILTERS_H_
#define JAXDALI_RECIPES_FILTERS_H_

#include <cstdint>

#include "base/host_device.h"
#include "base/rounded.h"
#include "recipes/recipes.h"

namespace jaxdali {

// A kernel from -radius to radius pixels, in equal steps.
struct FilterTable {
  const float* samples;
  int32_t size;

  // Returns the kernel's value `x` steps after its start. One step past its end it is 0.
  JAXDALI_HOST_DEVICE float At(float x) const {
    if (!(x >= 0.0f && x < static_cast<float>(size))) return 0.0f;
    const int32_t below = static_cast<int32_t>(x);
    const float here = samples[below], above = below + 1 < size ? samples[below + 1] : 0.0f;
    return Sum(here, Product(x - static_cast<float>(below), above - here));
  }
};

// The samples of all kernels.
struct FilterTables {
  float triangular[3], gaussian[65], cubic[129], lanczos3[193];

  // Returns the table of a filter that has one: NONE and NEAREST are computed without.
  JAXDALI_HOST_DEVICE FilterTable Of(Filter filter) const {
    switch (filter) {
      case Filter::kGaussian:
        return {gaussian, 65};
      case Filter::kCubic:
        return {cubic, 129};
      case Filter::kLanczos3:
        return {lanczos3, 193};
      case Filter::kNone:
      case Filter::kNearest:
      case Filter::kLinear:
      case Filter::kTriangular:
        break;
    }
    return {triangular, 3};
  }
};

// Returns the tables of this process; a device has a copy.
const FilterTables& HostFilterTables();

// Returns the number of steps from one end of a kernel to the other.
JAXDALI_HOST_DEVICE inline int32_t FilterSteps(Filter filter) {
  switch (filter) {
    case Filter::kGaussian:
      return 64;
    case Filter::kCubic:
      return 128;
    case Filter::kLanczos3:
      return 192;
    case Filter::kNone:
    case Filter::kNearest:
    case Filter::kLinear:
    case Filter::kTriangular:
      break;
  }
  return 2;
}

JAXDALI_HOST_DEVICE inline float FilterRadius(Filter filter) {
  switch (filter) {
    case Filter::kCubic:
      return 2.0f;
    case Filter::kLanczos3:
      return 3.0f;
    case Filter::kNone:
    case Filter::kNearest:
    case Filter::kLinear:
    case Filter::kTriangular:
    case Filter::kGaussian:
      break;
  }
  return 1.0f;
}

// Returns how many source pixels a kernel covers. Rounds in DALI's order, because rounding decides whether there is one
// more tap. `scale` is 1 if the kernel is not widened.
JAXDALI_HOST_DEVICE inline float SupportOf(Filter filter, float scale) {
  constexpr double kRootOfTwo = 1.41421356237309514547;
  const float width = 2.0f * (FilterRadius(filter) * (scale > 1.0f ? scale : 1.0f));
  if (filter != Filter::kGaussian) return width;
  // Computed from its sigma.
  const float sigma = static_cast<float>(static_cast<double>(width) * 0.25 / kRootOfTwo);
  const float support = Product(static_cast<float>(4.0 * kRootOfTwo), sigma);
  return support > 1.0f ? support : 1.0f;
}

}  // namespace jaxdali

#endif  // JAXDALI_RECIPES_FILTERS_H_
