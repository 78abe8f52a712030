// Float32 arithmetic with every operation rounded, by any compiler: nvcc would fuse a product and a sum.
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
