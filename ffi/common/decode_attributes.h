// The attributes of the calls that decode, the same on every platform.
#ifndef JAXDALI_COMMON_DECODE_ATTRIBUTES_H_
#define JAXDALI_COMMON_DECODE_ATTRIBUTES_H_

#include <cstdint>

#include "xla/ffi/api/ffi.h"

namespace jaxdali {

inline constexpr char kDecodeTarget[] = "jaxdali_decode_v1";
inline constexpr char kDecodeResampleTarget[] = "jaxdali_decode_resample_v1";

// Which decoder a GPU uses. Files that it refuses by their headers are decoded by libjpeg-turbo on the host.
enum class Decoder : int32_t {
  kHardware = 0,  // the GPU's JPEG engine; where it has none, kGpu
  kGpu = 1,       // nvJPEG with entropy decoding on the GPU
  kHybrid = 2,    // nvJPEG with entropy decoding on the host
  kCpu = 3,       // libjpeg-turbo
  kCuda = 4,      // our own kernels; also what they refuse is libjpeg-turbo's
};

struct DecodeAttributes {
  bool raise_on_error;    // true: a row that is not OK fails the call
  int32_t threads;        // upper bound of host threads used by the call; 0 = as many as there are
  int32_t decoder;        // Decoder; the CPU platform always uses libjpeg-turbo
  bool fancy_upsampling;  // interpolate chroma, as libjpeg-turbo does; without effect on the CPU platform
  // The CPUs of these host threads, see cpu/affinity.h; empty: threads stay where they are.
  xla::ffi::Span<const int32_t> affinity;
};

struct DecodeResampleAttributes {
  bool raise_on_error, fancy_upsampling;  // as above
  int32_t threads, decoder;               // as above
  bool channels_first;                    // images are [N, 3, h, w], else [N, h, w, 3]
  xla::ffi::Span<const int32_t> affinity;
};

}  // namespace jaxdali

XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(jaxdali::DecodeAttributes, xla::ffi::StructMember<bool>("raise_on_error"),
                                      xla::ffi::StructMember<int32_t>("threads"),
                                      xla::ffi::StructMember<int32_t>("decoder"),
                                      xla::ffi::StructMember<bool>("fancy_upsampling"),
                                      xla::ffi::StructMember<xla::ffi::Span<const int32_t>>("affinity"));

XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(jaxdali::DecodeResampleAttributes, xla::ffi::StructMember<bool>("raise_on_error"),
                                      xla::ffi::StructMember<bool>("fancy_upsampling"),
                                      xla::ffi::StructMember<int32_t>("threads"),
                                      xla::ffi::StructMember<int32_t>("decoder"),
                                      xla::ffi::StructMember<bool>("channels_first"),
                                      xla::ffi::StructMember<xla::ffi::Span<const int32_t>>("affinity"));

#endif  // JAXDALI_COMMON_DECODE_ATTRIBUTES_H_
