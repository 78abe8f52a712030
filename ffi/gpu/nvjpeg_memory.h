// The memory that nvJPEG allocates: by the functions that it would call itself, so that what they say is heard.
#ifndef JAXDALI_GPU_NVJPEG_MEMORY_H_
#define JAXDALI_GPU_NVJPEG_MEMORY_H_

#include <nvjpeg.h>

#include <string>

namespace jaxdali::gpu {

// For nvjpegCreateEx, and as long as the process lives. Any thread may call them, nvJPEG's own included.
nvjpegDevAllocator_t* NvjpegDeviceMemory();
nvjpegPinnedAllocator_t* NvjpegPinnedMemory();

// What was asked for, and what CUDA said, where an allocation has failed since this was called last; else empty.
std::string TakeAllocationFailure();

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_NVJPEG_MEMORY_H_
