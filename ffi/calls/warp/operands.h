// The operands of the custom call `jaxdali_warp_v1`, the same on every platform.
#ifndef JAXDALI_CALLS_WARP_OPERANDS_H_
#define JAXDALI_CALLS_WARP_OPERANDS_H_

#include <cstdint>
#include <utility>

#include "calls/warp/warping.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali {

inline constexpr char kWarpTarget[] = "jaxdali_warp_v1";

using WarpExtents = xla::ffi::BufferR2<xla::ffi::S32>;
using WarpPlaces = xla::ffi::Buffer<xla::ffi::F32>;

// Fills in `call`; fails if shapes or types do not match. A call without results gets no samples.
xla::ffi::Error LoadWarping(int32_t border, int32_t between, xla::ffi::AnyBuffer images, WarpPlaces where,
                            WarpExtents extents, WarpExtents made, xla::ffi::AnyBuffer fill,
                            xla::ffi::Result<xla::ffi::AnyBuffer> results, Warping* call);

// Binds the handler's attributes and operands, after the contexts that its platform adds.
template <typename Binding>
auto BindWarp(Binding&& platform) {
  return std::forward<Binding>(platform)
      .template Attr<int32_t>("border")
      .template Attr<int32_t>("between")
      .template Arg<xla::ffi::AnyBuffer>()  // [N, H, W, C] or [N, D, H, W, C]
      .template Arg<WarpPlaces>()           // float32[N or 1, axes, axes + 1] or [axes, N or 1, size]
      .template Arg<WarpExtents>()          // int32[N or 1, axes], of images
      .template Arg<WarpExtents>()          // likewise, of results
      .template Arg<xla::ffi::AnyBuffer>()  // fill [C]
      .template Ret<xla::ffi::AnyBuffer>();
}

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_WARP_OPERANDS_H_
