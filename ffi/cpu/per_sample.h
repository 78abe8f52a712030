// Operands of which there is one row for all samples, or one a sample.
#ifndef JAXDALI_CPU_PER_SAMPLE_H_
#define JAXDALI_CPU_PER_SAMPLE_H_

#include <cstdint>

namespace jaxdali::cpu {

template <typename T>
struct PerSample {
  const T* data;
  int64_t rows, width;

  const T* Of(int64_t sample) const { return data + (rows == 1 ? 0 : sample * width); }
};

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_PER_SAMPLE_H_
