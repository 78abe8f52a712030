#include "calls/warp/gpu_handler.h"

#include <cuda_runtime_api.h>

#include "calls/warp/kernels.h"
#include "calls/warp/operands.h"
#include "handling/gpu_queued.h"

namespace ffi = xla::ffi;

namespace jaxdali::gpu {
namespace {

ffi::Error Warped(cudaStream_t stream, int32_t border, int32_t between, ffi::AnyBuffer images, WarpPlaces where,
                  WarpExtents extents, WarpExtents made, ffi::AnyBuffer fill,
                  ffi::Result<ffi::AnyBuffer> results) noexcept {
  Warping w;
  if (ffi::Error error = LoadWarping(border, between, images, where, extents, made, fill, results, &w);
      error.failure()) {
    return error;
  }
  return w.samples == 0 ? ffi::Error::Success() : Queued(kWarpTarget, QueueWarp(w, stream));
}

}  // namespace

// This call only queues a kernel, so XLA may record and replay it.
XLA_FFI_DEFINE_HANDLER_SYMBOL(WarpHandler, Warped, BindWarp(ffi::Ffi::Bind().Ctx<ffi::PlatformStream<cudaStream_t>>()),
                              {ffi::Traits::kCmdBufferCompatible});

}  // namespace jaxdali::gpu
