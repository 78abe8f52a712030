// Allocates nvJPEG's memory with the functions that nvJPEG would call itself, so that their errors are not lost.
#ifndef JAXDALI_GPU_DECODING_NVJPEG_MEMORY_H_
#define JAXDALI_GPU_DECODING_NVJPEG_MEMORY_H_

#include <nvjpeg.h>

#include <string>

namespace jaxdali::gpu {

// Return allocators for nvjpegCreateEx, valid for the life of the process. Any thread may use them, including nvJPEG's
// own.
nvjpegDevAllocator_t* NvjpegDeviceMemory();
nvjpegPinnedAllocator_t* NvjpegPinnedMemory();

// Returns what was requested and CUDA's error if an allocation has failed since the last call, else an empty string.
std::string TakeAllocationFailure();

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_NVJPEG_MEMORY_H_
