// Operands of which there is one row for all samples, or one per sample.
#ifndef JAXDALI_COMMON_PER_SAMPLE_H_
#define JAXDALI_COMMON_PER_SAMPLE_H_

#include <cstdint>

#include "common/host_device.h"

namespace jaxdali {

template <typename T>
struct PerSample {
  const T* data;
  int64_t rows, width;

  JAXDALI_HOST_DEVICE const T* Of(int64_t sample) const { return data + (rows == 1 ? 0 : sample * width); }
};

}  // namespace jaxdali

#endif  // JAXDALI_COMMON_PER_SAMPLE_H_
