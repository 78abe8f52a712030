// Allocates nvJPEG's memory with the functions that it would call itself, so that their errors are not lost.
#ifndef JAXDALI_GPU_DECODING_NVJPEG_MEMORY_H_
#define JAXDALI_GPU_DECODING_NVJPEG_MEMORY_H_

#include <nvjpeg.h>

#include <string>

namespace jaxdali::gpu {

// For nvjpegCreateEx, for the life of the process. Any thread may call them, including nvJPEG's own.
nvjpegDevAllocator_t* NvjpegDeviceMemory();
nvjpegPinnedAllocator_t* NvjpegPinnedMemory();

// If an allocation has failed since the last call: what was requested, and CUDA's error. Otherwise empty.
std::string TakeAllocationFailure();

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_NVJPEG_MEMORY_H_
