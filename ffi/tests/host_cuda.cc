// The CUDA functions that the decode engine calls, for a machine without a GPU. Device memory is the host's, streams do
// everything at once except what host_nvjpeg.cc does, and events are not ready now and then. For stress_engine.cc.
#include "tests/host_cuda.h"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace {

// Returns true on every `period`th call, whichever thread makes it.
bool Sometimes(unsigned period) {
  static std::atomic<unsigned> calls{0};
  return ++calls % period == 0;
}

cudaError_t State() { return host_cuda_broken ? cudaErrorIllegalAddress : cudaSuccess; }

// Whether what nvJPEG was given is done. Streams and events wait for that, but not for calls that failed.
bool IsDone() { return host_cuda_nvjpeg->done >= host_cuda_nvjpeg->begun; }

cudaError_t AwaitStreams() {
  for (const long begun = host_cuda_nvjpeg->begun; host_cuda_nvjpeg->done < begun;) {
    if (host_cuda_broken) break;
    usleep(50);
  }
  return State();
}

template <typename Handle>
cudaError_t Make(Handle* handle) {
  if (host_cuda_broken) return State();
  *handle = static_cast<Handle>(std::malloc(1));
  return cudaSuccess;
}

cudaError_t Free(void* data) {
  std::free(data);
  return cudaSuccess;
}

cudaError_t Allocate(void** data, size_t size) {
  if (Sometimes(2)) usleep(500);
  if (host_cuda_broken) return State();
  *data = std::malloc(size);
  return *data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

// The sizes of what lies on the device.
std::mutex sizes_mutex;
std::map<void*, size_t> sizes;

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** data, size_t size) {
  if (host_cuda_device_bytes_used + size > host_cuda_device_bytes) return cudaErrorMemoryAllocation;
  if (const cudaError_t error = Allocate(data, size); error != cudaSuccess) return error;
  std::lock_guard<std::mutex> lock(sizes_mutex);
  sizes[*data] = size;
  host_cuda_device_bytes_used += size;
  return cudaSuccess;
}
cudaError_t cudaFree(void* data) {
  if (data == nullptr) return cudaSuccess;
  {
    std::lock_guard<std::mutex> lock(sizes_mutex);
    host_cuda_device_bytes_used -= sizes.at(data);
    sizes.erase(data);
  }
  return Free(data);
}
cudaError_t cudaMallocHost(void** data, size_t size) {
  return host_cuda_has_pinned ? Allocate(data, size) : cudaErrorMemoryAllocation;
}
cudaError_t cudaHostAlloc(void** data, size_t size, unsigned) { return cudaMallocHost(data, size); }
cudaError_t cudaFreeHost(void* data) { return Free(data); }
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind, cudaStream_t) {
  std::memcpy(to, from, size);
  ++host_cuda_copies;
  return State();
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t size, cudaStream_t) {
  if (host_cuda_broken) return State();
  std::memset(to, value, size);
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() {
  while (!IsDone() || host_cuda_nvjpeg->astray != 0) usleep(50);
  return State();
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "cudaError"; }
const char* cudaGetErrorString(cudaError_t) { return "an error"; }

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  *lowest = *highest = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  return host_cuda_has_streams ? Make(stream) : cudaErrorMemoryAllocation;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return Free(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return AwaitStreams(); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return Make(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return Free(event); }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  const cudaError_t state = State();
  if (--host_cuda_records_left == 0) host_cuda_broken = true;
  return state;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  if (Sometimes(4)) usleep(200);
  return AwaitStreams();
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  if (host_cuda_broken) return State();
  return Sometimes(3) ? cudaErrorNotReady : State();
}

}  // extern "C"
