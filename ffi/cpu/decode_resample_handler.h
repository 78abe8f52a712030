// The custom call `jaxdali_decode_resample_v1` of the CPU platform.
#ifndef JAXDALI_CPU_DECODE_RESAMPLE_HANDLER_H_
#define JAXDALI_CPU_DECODE_RESAMPLE_HANDLER_H_

#include <cstdint>

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kDecodeResampleTarget[] = "jaxdali_decode_resample_v1";

struct DecodeResampleAttributes {
  bool raise_on_error;  // true: a row that is not OK fails the call
  int32_t threads;      // upper bound of threads used by the call; 0 = as many as XLA's pool has
  bool channels_first;  // images are [N, 3, h, w], else [N, h, w, 3]
};

XLA_FFI_DECLARE_HANDLER_SYMBOL(DecodeResampleHandler);

}  // namespace jaxdali::cpu

XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(jaxdali::cpu::DecodeResampleAttributes,
                                      xla::ffi::StructMember<bool>("raise_on_error"),
                                      xla::ffi::StructMember<int32_t>("threads"),
                                      xla::ffi::StructMember<bool>("channels_first"));

#endif  // JAXDALI_CPU_DECODE_RESAMPLE_HANDLER_H_
