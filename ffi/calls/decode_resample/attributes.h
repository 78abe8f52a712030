// The attributes of `jaxdali_decode_resample_v1`, the same on every platform.
#ifndef JAXDALI_CALLS_DECODE_RESAMPLE_ATTRIBUTES_H_
#define JAXDALI_CALLS_DECODE_RESAMPLE_ATTRIBUTES_H_

#include <cstdint>

#include "xla/ffi/api/ffi.h"

namespace jaxdali {

inline constexpr char kDecodeResampleTarget[] = "jaxdali_decode_resample_v1";

struct DecodeResampleAttributes {
  bool raise_on_error, fancy_upsampling;  // these four as in DecodeAttributes
  int32_t threads, decoder;
  bool channels_first;  // images are [N, 3, h, w], else [N, h, w, 3]
  xla::ffi::Span<const int32_t> affinity;
};

}  // namespace jaxdali

XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(jaxdali::DecodeResampleAttributes, xla::ffi::StructMember<bool>("raise_on_error"),
                                      xla::ffi::StructMember<bool>("fancy_upsampling"),
                                      xla::ffi::StructMember<int32_t>("threads"),
                                      xla::ffi::StructMember<int32_t>("decoder"),
                                      xla::ffi::StructMember<bool>("channels_first"),
                                      xla::ffi::StructMember<xla::ffi::Span<const int32_t>>("affinity"));

#endif  // JAXDALI_CALLS_DECODE_RESAMPLE_ATTRIBUTES_H_
