// Small arrays of one batch after the other, copied to places on GPUs that stay the same.
#ifndef JAXDALI_GPU_DECODING_UPLOAD_H_
#define JAXDALI_GPU_DECODING_UPLOAD_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu_decoding/memory.h"

namespace jaxdali::gpu {

// A part of `memory` that goes to a GPU.
struct UploadPart {
  int device;
  void* to;
  size_t from;  // where it begins in `memory`
  size_t size;
};

// To be used by one thread at a time.
class Upload {
 public:
  explicit Upload(std::vector<UploadPart> parts);
  // Waits, so that nothing is written to places that are then freed.
  ~Upload();
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  // What is copied. Nobody may write to it between `Start` and the end of `Wait`.
  uint8_t* memory() { return memory_.ReserveExactly(size_); }
  size_t size() const { return size_; }

  // Begins to copy, beside what XLA and the decoders do. Nothing that was queued may still use the places.
  void Start();
  // Waits until everything is where it should be.
  void Wait();

 private:
  // What goes to one GPU.
  struct Target {
    int device;
    cudaStream_t stream;
    cudaEvent_t done;
    std::vector<UploadPart> parts;
  };

  size_t size_ = 0;
  PinnedArena memory_;
  std::vector<Target> targets_;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_UPLOAD_H_
