#include "calls/levels/gpu_handler.h"

#include <cuda_runtime_api.h>

#include "calls/levels/kernels.h"
#include "calls/levels/operands.h"
#include "handling/gpu_queued.h"

namespace ffi = xla::ffi;

namespace jaxdali::gpu {
namespace {

ffi::Error CountedLevels(cudaStream_t stream, LevelPixels pixels, LevelPairs extents, LevelPairs tiles,
                         ffi::Result<LevelFrequencies> counts) noexcept {
  LevelCounts call;
  if (ffi::Error error = LoadLevelCounts(pixels, extents, tiles, counts, &call); error.failure()) return error;
  return Queued(kCountLevelsTarget, QueueLevelCounts(call, stream));
}

ffi::Error LookedUp(cudaStream_t stream, LevelPixels pixels, LevelLookups tables, LevelPairs extents,
                    ffi::Result<LevelPixels> result) noexcept {
  LevelLookup call;
  if (ffi::Error error = LoadLevelLookup(pixels, tables, extents, result, &call); error.failure()) return error;
  return Queued(kLookUpTarget, QueueLevelLookup(call, stream));
}

}  // namespace

// These calls only queue kernels, so XLA may record and replay them.
XLA_FFI_DEFINE_HANDLER_SYMBOL(CountLevelsHandler, CountedLevels,
                              BindCountLevels(ffi::Ffi::Bind().Ctx<ffi::PlatformStream<cudaStream_t>>()),
                              {ffi::Traits::kCmdBufferCompatible});
XLA_FFI_DEFINE_HANDLER_SYMBOL(LookUpHandler, LookedUp,
                              BindLookUp(ffi::Ffi::Bind().Ctx<ffi::PlatformStream<cudaStream_t>>()),
                              {ffi::Traits::kCmdBufferCompatible});

}  // namespace jaxdali::gpu
