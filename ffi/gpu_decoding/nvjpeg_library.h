// libnvjpeg, opened at run time: jaxdali also loads and works without it.
#ifndef JAXDALI_GPU_DECODING_NVJPEG_LIBRARY_H_
#define JAXDALI_GPU_DECODING_NVJPEG_LIBRARY_H_

#include <nvjpeg.h>

#include <string>
#include <vector>

namespace jaxdali::gpu {

// The functions that we use, named as in nvjpeg.h without the prefix "nvjpeg".
struct NvjpegLibrary {
  decltype(&nvjpegCreateEx) CreateEx;
  decltype(&nvjpegDestroy) Destroy;
  decltype(&nvjpegJpegStateCreate) JpegStateCreate;
  decltype(&nvjpegJpegStateDestroy) JpegStateDestroy;
  decltype(&nvjpegDecodeBatchedInitialize) DecodeBatchedInitialize;
  decltype(&nvjpegDecodeBatched) DecodeBatched;
};

// Opens the first of `candidates` (paths, or names for the loader) that has all functions, and returns it. To be called
// once, before Nvjpeg(). If there is none, throws std::runtime_error with a list of what was tried.
std::string OpenNvjpeg(const std::vector<std::string>& candidates);

// Returns the opened library. Throws std::runtime_error if none was opened.
const NvjpegLibrary& Nvjpeg();

// Returns a name such as "NVJPEG_STATUS_BAD_JPEG"; handles statuses of newer libraries, too.
std::string StatusName(nvjpegStatus_t status);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_NVJPEG_LIBRARY_H_
