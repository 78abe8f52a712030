// The attributes of `jaxdali_decode_v1`, the same on every platform.
#ifndef JAXDALI_CALLS_DECODE_ATTRIBUTES_H_
#define JAXDALI_CALLS_DECODE_ATTRIBUTES_H_

#include <cstdint>

#include "xla/ffi/api/ffi.h"

namespace jaxdali {

inline constexpr char kDecodeTarget[] = "jaxdali_decode_v1";

struct DecodeAttributes {
  bool raise_on_error;    // true: a row that is not OK fails the call
  int32_t threads;        // upper bound of host threads used by the call; 0 = as many as there are
  int32_t decoder;        // Decoder; the CPU platform always uses libjpeg-turbo
  bool fancy_upsampling;  // interpolate chroma, as libjpeg-turbo does; without effect on the CPU platform
  // The CPUs that these host threads run on, see base/affinity.h; if empty, threads stay where they are.
  xla::ffi::Span<const int32_t> affinity;
};

}  // namespace jaxdali

XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(jaxdali::DecodeAttributes, xla::ffi::StructMember<bool>("raise_on_error"),
                                      xla::ffi::StructMember<int32_t>("threads"),
                                      xla::ffi::StructMember<int32_t>("decoder"),
                                      xla::ffi::StructMember<bool>("fancy_upsampling"),
                                      xla::ffi::StructMember<xla::ffi::Span<const int32_t>>("affinity"));

#endif  // JAXDALI_CALLS_DECODE_ATTRIBUTES_H_
