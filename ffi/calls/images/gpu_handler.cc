#include "calls/images/gpu_handler.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "calls/images/gpu_recipe_receiver.h"
#include "calls/images/kernels.h"
#include "calls/images/operands.h"
#include "gpu_decoding/memory.h"
#include "handling/gpu_batch_run.h"

namespace jaxdali::gpu {
namespace {

// Waits for the statuses of a canvas's images; returns an error if one is not OK.
ffi::Error JudgeCanvas(const ImagesCall& call, cudaStream_t stream) {
  std::vector<int32_t> statuses(static_cast<size_t>(call.count));
  Check(cudaMemcpyAsync(statuses.data(), call.statuses, statuses.size() * sizeof(int32_t), cudaMemcpyDeviceToHost,
                        stream),
        "cudaMemcpyAsync");
  Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  for (size_t image = 0; image < statuses.size(); ++image) {
    if (statuses[image] == static_cast<int32_t>(Status::kOk)) continue;
    return ImagesError("row " + std::to_string(image) + ": " + StatusName(static_cast<Status>(statuses[image])) +
                       ": its recipe asks for what its image on the canvas does not have");
  }
  return ffi::Error::Success();
}

ffi::Error MakeFromCanvas(cudaStream_t stream, int32_t device, bool raise_on_error, const ImagesCall& call) noexcept {
  if (call.count == 0) return ffi::Error::Success();
  try {
    OnDevice current(device);
    Check(cudaMemsetAsync(call.statuses, 0, static_cast<size_t>(call.count) * sizeof(int32_t), stream),
          "cudaMemsetAsync");
    Check(MakeImages(images::TasksOf(call, nullptr), images::CanvasOf(call.source), call.count, stream),
          "making images");
    return raise_on_error ? JudgeCanvas(call, stream) : ffi::Error::Success();
  } catch (const OutOfDeviceMemory& error) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, std::string(kImagesTarget) + ": " + error.what());
  } catch (const std::exception& error) {
    return ffi::Error::Internal(std::string(kImagesTarget) + ": " + error.what());
  }
}

ffi::Error Images(cudaStream_t stream, int32_t device, ImagesAttributes attributes, ffi::AnyBuffer data,
                  ffi::AnyBuffer info, ffi::RemainingArgs recipes, ffi::RemainingRets results) noexcept {
  try {
    ImagesCall call;
    if (ffi::Error error = LoadImagesOperands(attributes, data, info, recipes, results, &call); error.failure()) {
      return error;
    }
    if (call.source.kind == ImageSourceKind::kCanvas) {
      return MakeFromCanvas(stream, device, attributes.raise_on_error, call);
    }
    RecipeReceiver receiver(call);
    const CallContext context = ContextOf(kImagesTarget, stream, device, attributes);
    const FileOperands files = {{call.source.data, call.source.capacity}, call.source.info, call.count, call.statuses};
    return RunBatch(context, files, receiver);
  } catch (const std::bad_alloc&) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, "");
  } catch (const std::exception& error) {
    return ffi::Error::Internal(std::string(kImagesTarget) + ": " + error.what());
  }
}

}  // namespace

// No traits, as in calls/decode/gpu_handler.cc.
XLA_FFI_DEFINE_HANDLER_SYMBOL(ImagesHandler, Images,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<cudaStream_t>>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Attrs<ImagesAttributes>()
                                  .Arg<ffi::AnyBuffer>()  // files uint8[1, capacity], on the host, or a canvas
                                  .Arg<ffi::AnyBuffer>()  // rows int32[N, 8], on host or device, or shapes int32[N, 3]
                                  .RemainingArgs()        // for each recipe: geometry, regions, steps, constants
                                  .RemainingRets());      // for each recipe: its images; then status int32[N]

}  // namespace jaxdali::gpu
