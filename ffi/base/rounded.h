// Sums and products of float32, each rounded, whichever compiler is used: nvcc would fuse the two into one instruction.
#ifndef JAXDALI_BASE_ROUNDED_H_
#define JAXDALI_BASE_ROUNDED_H_

#include "base/host_device.h"

namespace jaxdali {

JAXDALI_HOST_DEVICE inline float Product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

JAXDALI_HOST_DEVICE inline float Sum(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}

JAXDALI_HOST_DEVICE inline float Quotient(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fdiv_rn(a, b);
#else
  return a / b;
#endif
}

}  // namespace jaxdali

#endif  // JAXDALI_BASE_ROUNDED_H_
