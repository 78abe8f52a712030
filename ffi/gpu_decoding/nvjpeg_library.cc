#include "gpu_decoding/nvjpeg_library.h"

#include <dlfcn.h>

#include <stdexcept>

namespace jaxdali::gpu {
namespace {

NvjpegLibrary library;
bool is_open = false;

template <typename Function>
bool Find(void* handle, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  return *function != nullptr;
}

bool FindAll(void* handle) {
  return Find(handle, "nvjpegCreateEx", &library.CreateEx) && Find(handle, "nvjpegDestroy", &library.Destroy) &&
         Find(handle, "nvjpegJpegStateCreate", &library.JpegStateCreate) &&
         Find(handle, "nvjpegJpegStateDestroy", &library.JpegStateDestroy) &&
         Find(handle, "nvjpegDecodeBatchedInitialize", &library.DecodeBatchedInitialize) &&
         Find(handle, "nvjpegDecodeBatched", &library.DecodeBatched);
}

}  // namespace

std::string OpenNvjpeg(const std::vector<std::string>& candidates) {
  std::string tried;
  for (const std::string& name : candidates) {
    void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      tried += "\n  " + std::string(dlerror());
    } else if (FindAll(handle)) {
      is_open = true;  // never closed, because decoders may live until the process ends
      return name;
    } else {
      tried += "\n  " + name + " lacks functions that jaxdali uses";
      dlclose(handle);
    }
  }
  throw std::runtime_error("jaxdali: libnvjpeg could not be opened; install it with jax's CUDA packages. Tried:" +
                           tried);
}

const NvjpegLibrary& Nvjpeg() {
  if (!is_open) throw std::runtime_error("jaxdali: libnvjpeg was not opened");
  return library;
}

std::string StatusName(nvjpegStatus_t status) {
  switch (status) {
    case NVJPEG_STATUS_SUCCESS:
      return "NVJPEG_STATUS_SUCCESS";
    case NVJPEG_STATUS_NOT_INITIALIZED:
      return "NVJPEG_STATUS_NOT_INITIALIZED";
    case NVJPEG_STATUS_INVALID_PARAMETER:
      return "NVJPEG_STATUS_INVALID_PARAMETER";
    case NVJPEG_STATUS_BAD_JPEG:
      return "NVJPEG_STATUS_BAD_JPEG";
    case NVJPEG_STATUS_JPEG_NOT_SUPPORTED:
      return "NVJPEG_STATUS_JPEG_NOT_SUPPORTED";
    case NVJPEG_STATUS_ALLOCATOR_FAILURE:
      return "NVJPEG_STATUS_ALLOCATOR_FAILURE";
    case NVJPEG_STATUS_EXECUTION_FAILED:
      return "NVJPEG_STATUS_EXECUTION_FAILED";
    case NVJPEG_STATUS_ARCH_MISMATCH:
      return "NVJPEG_STATUS_ARCH_MISMATCH";
    case NVJPEG_STATUS_INTERNAL_ERROR:
      return "NVJPEG_STATUS_INTERNAL_ERROR";
    case NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED:
      return "NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED";
    case NVJPEG_STATUS_INCOMPLETE_BITSTREAM:
      return "NVJPEG_STATUS_INCOMPLETE_BITSTREAM";
  }
  return "nvjpegStatus_t " + std::to_string(static_cast<int>(status));
}

}  // namespace jaxdali::gpu
