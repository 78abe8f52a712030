// jaxdali._device.ffi._cuda12 or _cuda13: the XLA custom calls of the CUDA platform, and registered memory.
#include <cuda_runtime_api.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "bindings/cuda/engine_binding.h"
#include "bindings/cuda/upload_binding.h"
#include "bindings/cuda/video_binding.h"
#include "bindings/without_gil.h"
#include "calls/clips/gpu_handler.h"
#include "calls/decode/attributes.h"
#include "calls/decode/gpu_handler.h"
#include "calls/decode_resample/attributes.h"
#include "calls/decode_resample/gpu_handler.h"
#include "calls/draws/gpu_handler.h"
#include "calls/draws/operands.h"
#include "calls/images/gpu_handler.h"
#include "calls/levels/gpu_handler.h"
#include "calls/levels/operands.h"
#include "calls/warp/gpu_handler.h"
#include "calls/warp/operands.h"
#include "engine/trace.h"
#include "gpu_decoding/decode_stream.h"
#include "gpu_decoding/memory.h"
#include "gpu_decoding/nvjpeg_library.h"
#include "recipes/images_call.h"

namespace nb = nanobind;

namespace jaxdali::gpu {
namespace {

// The sizes of what is page-locked, by address.
std::mutex locked_mutex;
std::unordered_map<void*, size_t>& Locked() {
  static auto* const locked = new std::unordered_map<void*, size_t>();  // rings may outlive static objects
  return *locked;
}

// For host::Ring, which does not know CUDA: see ring/registration.h.
int Lock(void* data, size_t size) {
  const cudaError_t error = cudaHostRegister(data, size, cudaHostRegisterPortable);
  if (error != cudaSuccess) {
    cudaGetLastError();
    return static_cast<int>(error);
  }
  std::lock_guard<std::mutex> lock(locked_mutex);
  Locked()[data] = size;
  return 0;
}

void Unlock(void* data) {
  {
    std::lock_guard<std::mutex> lock(locked_mutex);
    Locked().erase(data);
  }
  if (cudaHostUnregister(data) != cudaSuccess) cudaGetLastError();
}

size_t LockedBytes() {
  std::lock_guard<std::mutex> lock(locked_mutex);
  size_t bytes = 0;
  for (const auto& [data, size] : Locked()) bytes += size;
  return bytes;
}

nb::dict Registrations() {
  nb::dict targets;
  targets[kClipsTarget] = nb::capsule(reinterpret_cast<void*>(&ClipsHandler));
  targets[kDecodeTarget] = nb::capsule(reinterpret_cast<void*>(&DecodeHandler));
  targets[kDecodeResampleTarget] = nb::capsule(reinterpret_cast<void*>(&DecodeResampleHandler));
  targets[kImagesTarget] = nb::capsule(reinterpret_cast<void*>(&ImagesHandler));
  targets[kThreefryTarget] = nb::capsule(reinterpret_cast<void*>(&ThreefryHandler));
  targets[kWindowTarget] = nb::capsule(reinterpret_cast<void*>(&WindowHandler));
  targets[kWarpTarget] = nb::capsule(reinterpret_cast<void*>(&WarpHandler));
  targets[kCountLevelsTarget] = nb::capsule(reinterpret_cast<void*>(&CountLevelsHandler));
  targets[kLookUpTarget] = nb::capsule(reinterpret_cast<void*>(&LookUpHandler));
  return targets;
}

}  // namespace
}  // namespace jaxdali::gpu

// The stub with types and the contract of each function is jaxdali/_device/ffi/_cuda.pyi.
NB_MODULE(JAXDALI_CUDA_MODULE, module) {
  using namespace nanobind::literals;
  namespace gpu = jaxdali::gpu;
  module.doc() = "The custom calls of the CUDA platform.";
  module.attr("has_nvtx") = bool{JAXDALI_HAS_NVTX};
  module.def("registrations", &gpu::Registrations);
  module.def("open_nvjpeg", &gpu::OpenNvjpeg, "candidates"_a);
  module.def("destroy_idle_decode_streams", &gpu::DestroyIdleDecodeStreams,
             nb::call_guard<jaxdali::python::WithoutGil>());
  module.def("locked_bytes", &gpu::LockedBytes);
  gpu::BindEngine(module);
  gpu::BindUpload(module);
  gpu::BindVideo(module);
  module.def("page_locking", [] {
    return nb::make_tuple(nb::capsule(reinterpret_cast<void*>(&gpu::Lock), "jaxdali_lock"),
                          nb::capsule(reinterpret_cast<void*>(&gpu::Unlock), "jaxdali_unlock"));
  });
}
