// The custom call `jaxdali_decode_v1` of the CPU platform.
#ifndef JAXDALI_CPU_DECODE_HANDLER_H_
#define JAXDALI_CPU_DECODE_HANDLER_H_

#include <cstdint>

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kDecodeTarget[] = "jaxdali_decode_v1";

struct DecodeAttributes {
  bool raise_on_error;  // true: a row that is not OK fails the call
  int32_t threads;      // upper bound of threads used by the call; 0 = as many as XLA's pool has
};

XLA_FFI_DECLARE_HANDLER_SYMBOL(DecodeHandler);

}  // namespace jaxdali::cpu

XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(jaxdali::cpu::DecodeAttributes, xla::ffi::StructMember<bool>("raise_on_error"),
                                      xla::ffi::StructMember<int32_t>("threads"));

#endif  // JAXDALI_CPU_DECODE_HANDLER_H_
