// Code that is compiled for the device, where kernels call it, and for the host, where models of the kernels do.
#ifndef JAXDALI_BASE_PORTABLE_H_
#define JAXDALI_BASE_PORTABLE_H_

#include <cstdint>

#ifdef __CUDACC__
#define JAXDALI_PORTABLE __host__ __device__ __forceinline__
#define JAXDALI_UNROLL _Pragma("unroll")
#else
#define JAXDALI_PORTABLE inline
#define JAXDALI_UNROLL
#endif

namespace jaxdali {

// The upper half of `high:low` shifted left by `bits`, 0 to 31.
JAXDALI_PORTABLE uint32_t FunnelLeft(uint32_t low, uint32_t high, uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __funnelshift_l(low, high, bits);
#else
  return bits == 0 ? high : high << bits | low >> (32 - bits);
#endif
}

// The lower half of `high:low` shifted right by `bits`, 0 to 31.
JAXDALI_PORTABLE uint32_t FunnelRight(uint32_t low, uint32_t high, uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __funnelshift_r(low, high, bits);
#else
  return bits == 0 ? low : low >> bits | high << (32 - bits);
#endif
}

// Reads memory that nothing writes while the kernel runs.
template <typename Value>
JAXDALI_PORTABLE Value Load(const Value* at) {
#ifdef __CUDA_ARCH__
  return __ldg(at);
#else
  return *at;
#endif
}

template <typename Value>
JAXDALI_PORTABLE Value Least(Value a, Value b) {
  return b < a ? b : a;
}

template <typename Value>
JAXDALI_PORTABLE Value Most(Value a, Value b) {
  return a < b ? b : a;
}

template <typename Value>
JAXDALI_PORTABLE Value Clamp(Value value, Value least, Value most) {
  return Most(least, Least(value, most));
}

JAXDALI_PORTABLE int32_t ClampToByte(int32_t value) {
#ifdef __CUDA_ARCH__
  return __vimin_s32_relu(value, 255);
#else
  return Clamp(value, 0, 255);
#endif
}

template <typename Value>
JAXDALI_PORTABLE Value CeilDivide(Value value, Value by) {
  return (value + by - 1) / by;
}

}  // namespace jaxdali

#endif  // JAXDALI_BASE_PORTABLE_H_
