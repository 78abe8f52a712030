#include "gpu_decoding/nvjpeg_memory.h"

#include <cuda_runtime_api.h>

#include <mutex>
#include <utility>

namespace jaxdali::gpu {
namespace {

std::mutex mutex;
std::string failure;

int Note(const char* call, size_t size, cudaError_t error) {
  if (error == cudaSuccess) return 0;
  cudaGetLastError();  // clears the error, so that later checks do not report it again
  std::lock_guard<std::mutex> lock(mutex);
  failure = std::string(call) + " of " + std::to_string(size) + " bytes: " + cudaGetErrorName(error) + ": " +
            cudaGetErrorString(error);
  return 1;
}

int Allocate(void** data, size_t size) { return Note("cudaMalloc", size, cudaMalloc(data, size)); }

int Free(void* data) { return cudaFree(data) == cudaSuccess ? 0 : 1; }

int AllocatePinned(void** data, size_t size, unsigned flags) {
  return Note("cudaHostAlloc", size, cudaHostAlloc(data, size, flags));
}

int FreePinned(void* data) { return cudaFreeHost(data) == cudaSuccess ? 0 : 1; }

}  // namespace

nvjpegDevAllocator_t* NvjpegDeviceMemory() {
  static nvjpegDevAllocator_t allocator = {Allocate, Free};
  return &allocator;
}

nvjpegPinnedAllocator_t* NvjpegPinnedMemory() {
  static nvjpegPinnedAllocator_t allocator = {AllocatePinned, FreePinned};
  return &allocator;
}

std::string TakeAllocationFailure() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(failure, std::string());
}

}  // namespace jaxdali::gpu
