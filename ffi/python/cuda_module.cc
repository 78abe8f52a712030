// jaxdali._ffi._cuda12 or _cuda13: the XLA custom calls of the CUDA platform, and registered memory.
#include <cuda_runtime_api.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/decode_attributes.h"
#include "gpu/decode_handler.h"
#include "gpu/decode_resample_handler.h"
#include "gpu/lane.h"
#include "gpu/memory.h"
#include "gpu/nvjpeg_library.h"

namespace nb = nanobind;

namespace jaxdali::gpu {
namespace {

// For host::Ring, which knows no CUDA: see host/registration.h.
int Lock(void* data, size_t size) {
  const cudaError_t error = cudaHostRegister(data, size, cudaHostRegisterPortable);
  if (error != cudaSuccess) cudaGetLastError();
  return static_cast<int>(error);
}

void Unlock(void* data) {
  if (cudaHostUnregister(data) != cudaSuccess) cudaGetLastError();
}

nb::dict Registrations() {
  nb::dict targets;
  targets[kDecodeTarget] = nb::capsule(reinterpret_cast<void*>(&DecodeHandler));
  targets[kDecodeResampleTarget] = nb::capsule(reinterpret_cast<void*>(&DecodeResampleHandler));
  return targets;
}

}  // namespace
}  // namespace jaxdali::gpu

// The stub with types and the contract of each function is jaxdali/_ffi/_cuda.pyi.
NB_MODULE(JAXDALI_CUDA_MODULE, module) {
  using namespace nanobind::literals;
  namespace gpu = jaxdali::gpu;
  module.doc() = "The custom calls of the CUDA platform.";
  module.def("registrations", &gpu::Registrations);
  module.def("open_nvjpeg", &gpu::OpenNvjpeg, "candidates"_a);
  module.def("destroy_idle_lanes", &gpu::DestroyIdleLanes, nb::call_guard<nb::gil_scoped_release>());
  module.def("page_locking", [] {
    return nb::make_tuple(nb::capsule(reinterpret_cast<void*>(&gpu::Lock), "jaxdali_lock"),
                          nb::capsule(reinterpret_cast<void*>(&gpu::Unlock), "jaxdali_unlock"));
  });
}
