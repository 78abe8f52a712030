// Device memory and pinned host memory that only grow, and CUDA's errors as exceptions.
#ifndef JAXDALI_GPU_DECODING_MEMORY_H_
#define JAXDALI_GPU_DECODING_MEMORY_H_

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace jaxdali::gpu {

// Thrown if CUDA has no memory left: the machine's fault, not an image's.
class OutOfDeviceMemory : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void Check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // clears the error, so that later checks do not report it again
  const std::string text = std::string(call) + ": " + cudaGetErrorName(error) + ": " + cudaGetErrorString(error);
  if (error == cudaErrorMemoryAllocation) {
    throw OutOfDeviceMemory(text + "; leave more of the device to others with XLA_PYTHON_CLIENT_MEM_FRACTION");
  }
  throw std::runtime_error(text);
}

// Waits for all work on the device, ours or not. Used after a partial failure, when we cannot know which of nvJPEG's
// streams are still working. If the device itself fails, its work has ended, too.
inline void AwaitDevice() noexcept {
  // CUDA refuses while a graph is being captured.
  while (cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported) usleep(1000);
  cudaGetLastError();
}

// Calls `work`, which queues work on a stream, and waits for the queued work even if `work` throws: it may read or
// write memory that is then returned to others.
template <typename Work>
void DoAndAwait(cudaStream_t stream, Work work) {
  try {
    work();
  } catch (...) {
    if (cudaStreamSynchronize(stream) != cudaSuccess) AwaitDevice();
    throw;
  }
  Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

// The kinds of memory that an Arena may hold.
struct DeviceMemory {
  static constexpr const char* kName = "device memory";
  static cudaError_t Allocate(void** data, size_t size) { return cudaMalloc(data, size); }
  static cudaError_t Free(void* data) { return cudaFree(data); }
};
struct PinnedMemory {
  static constexpr const char* kName = "page-locked host memory";
  static cudaError_t Allocate(void** data, size_t size) { return cudaMallocHost(data, size); }
  static cudaError_t Free(void* data) { return cudaFreeHost(data); }
};

// Holds bytes of one kind of memory; a larger request replaces them. To be used by one call at a time.
template <typename Kind>
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    if (data_ != nullptr) Kind::Free(data_);
  }

  size_t capacity() const { return capacity_; }

  // Returns at least `size` bytes. Earlier contents may be lost, so nothing on the device may still be using them.
  uint8_t* Reserve(size_t size) {
    size_t rounded = size_t{1} << 20;
    while (rounded < size) rounded *= 2;
    return ReserveExactly(size <= capacity_ ? size : rounded);
  }

  // The same without rounding up.
  uint8_t* ReserveExactly(size_t size) {
    if (size <= capacity_) return static_cast<uint8_t*>(data_);
    if (data_ != nullptr) Check(Kind::Free(data_), "freeing memory");
    data_ = nullptr;
    capacity_ = 0;
    if (const cudaError_t error = Kind::Allocate(&data_, size); error != cudaSuccess) {
      data_ = nullptr;
      Check(error, ("allocating " + std::to_string(size) + " bytes of " + Kind::kName).c_str());
    }
    capacity_ = size;
    return static_cast<uint8_t*>(data_);
  }

 private:
  void* data_ = nullptr;
  size_t capacity_ = 0;
};

inline bool IsOnDevice(const void* pointer) {
  cudaPointerAttributes attributes{};
  Check(cudaPointerGetAttributes(&attributes, pointer), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeDevice;
}

using DeviceArena = Arena<DeviceMemory>;
using PinnedArena = Arena<PinnedMemory>;

// Makes a device current for the life of this object.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    Check(cudaGetDevice(&before_), "cudaGetDevice");
    if (before_ == device) return;
    Check(cudaSetDevice(device), "cudaSetDevice");
    changed_ = true;
  }
  // Does nothing where nothing changed: that might begin to use a device.
  ~OnDevice() {
    if (changed_) cudaSetDevice(before_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_MEMORY_H_
