#include "calls/draws/gpu_handler.h"

#include <cuda_runtime_api.h>

#include "calls/draws/kernels.h"
#include "calls/draws/operands.h"
#include "handling/gpu_queued.h"

namespace ffi = xla::ffi;

namespace jaxdali::gpu {
namespace {

ffi::Error Threefry(cudaStream_t stream, bool counted, DrawKeys keys, DrawWords first, DrawWords second,
                    DrawnWords result) noexcept {
  ThreefryCall call = {};
  if (ffi::Error error = LoadThreefry(counted, keys, first, second, result, &call); error.failure()) return error;
  return Queued(kThreefryTarget, QueueWords(call, stream));
}

ffi::Error Windows(cudaStream_t stream, WindowAttributes attributes, DrawKeys keys, ImageSizes sizes, DrawKeys table,
                   DrawnWindows windows) noexcept {
  WindowCall call = {};
  if (ffi::Error error = LoadWindows(attributes, keys, sizes, table, windows, &call); error.failure()) return error;
  return Queued(kWindowTarget, QueueWindows(call, stream));
}

}  // namespace

// These calls only queue kernels, so XLA may record and replay them.
XLA_FFI_DEFINE_HANDLER_SYMBOL(ThreefryHandler, Threefry,
                              BindThreefry(ffi::Ffi::Bind().Ctx<ffi::PlatformStream<cudaStream_t>>()),
                              {ffi::Traits::kCmdBufferCompatible});
XLA_FFI_DEFINE_HANDLER_SYMBOL(WindowHandler, Windows,
                              BindWindows(ffi::Ffi::Bind().Ctx<ffi::PlatformStream<cudaStream_t>>()),
                              {ffi::Traits::kCmdBufferCompatible});

}  // namespace jaxdali::gpu
