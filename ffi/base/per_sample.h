// Operands that have one row for all samples, or one row per sample.
#ifndef JAXDALI_BASE_PER_SAMPLE_H_
#define JAXDALI_BASE_PER_SAMPLE_H_

#include <cstdint>

#include "base/host_device.h"

namespace jaxdali {

template <typename T>
struct PerSample {
  const T* data;
  int64_t rows, width;

  JAXDALI_HOST_DEVICE const T* Of(int64_t sample) const { return data + (rows == 1 ? 0 : sample * width); }
};

}  // namespace jaxdali

#endif  // JAXDALI_BASE_PER_SAMPLE_H_
