// The operands of the custom calls that draw random numbers, `jaxdali_threefry_v1` and
// `jaxdali_resized_crop_window_v1`, the same on every platform.
#ifndef JAXDALI_CALLS_DRAWS_OPERANDS_H_
#define JAXDALI_CALLS_DRAWS_OPERANDS_H_

#include <cstdint>
#include <utility>

#include "calls/draws/draws.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali {

inline constexpr char kThreefryTarget[] = "jaxdali_threefry_v1";
inline constexpr char kWindowTarget[] = "jaxdali_resized_crop_window_v1";

struct WindowAttributes {
  uint32_t stream, area_low, area_high, low_numerator, low_denominator, high_numerator, high_denominator, attempts;
};

using DrawKeys = xla::ffi::BufferR2<xla::ffi::U32>;
using DrawWords = xla::ffi::BufferR3<xla::ffi::U32>;
using DrawnWords = xla::ffi::ResultBufferR3<xla::ffi::U32>;
using ImageSizes = xla::ffi::BufferR2<xla::ffi::S32>;
using DrawnWindows = xla::ffi::ResultBufferR2<xla::ffi::S32>;

// Fill in `call`; fail if shapes do not match.
xla::ffi::Error LoadThreefry(bool counted, DrawKeys keys, DrawWords first, DrawWords second, DrawnWords result,
                             ThreefryCall* call);
xla::ffi::Error LoadWindows(const WindowAttributes& attributes, DrawKeys keys, ImageSizes sizes, DrawKeys table,
                            DrawnWindows windows, WindowCall* call);

// Bind the handlers' attributes and operands, after the contexts that their platform adds.
template <typename Binding>
auto BindThreefry(Binding&& platform) {
  return std::forward<Binding>(platform)
      .template Attr<bool>("counted")  // whether the index of a draw is folded in last
      .template Arg<DrawKeys>()        // keys uint32[1 or N, 2]
      .template Arg<DrawWords>()       // words uint32[1 or N, 1, k]
      .template Arg<DrawWords>()       // then words uint32[1 or N, 1 or M, k]
      .template Ret<DrawWords>();      // uint32[N, M, 1 or 2]
}

template <typename Binding>
auto BindWindows(Binding&& platform) {
  return std::forward<Binding>(platform)
      .template Attrs<WindowAttributes>()
      .template Arg<DrawKeys>()     // keys uint32[N, 2]
      .template Arg<ImageSizes>()   // sizes int32[N, 2 or more]: height, width, ...
      .template Arg<DrawKeys>()     // table uint32[2, 4096]: roots of 1 / ratio, of ratio
      .template Ret<ImageSizes>();  // windows int32[N, 4]: top, left, height, width
}

}  // namespace jaxdali

XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(
    jaxdali::WindowAttributes, xla::ffi::StructMember<uint32_t>("stream"), xla::ffi::StructMember<uint32_t>("area_low"),
    xla::ffi::StructMember<uint32_t>("area_high"), xla::ffi::StructMember<uint32_t>("low_numerator"),
    xla::ffi::StructMember<uint32_t>("low_denominator"), xla::ffi::StructMember<uint32_t>("high_numerator"),
    xla::ffi::StructMember<uint32_t>("high_denominator"), xla::ffi::StructMember<uint32_t>("attempts"));

#endif  // JAXDALI_CALLS_DRAWS_OPERANDS_H_
