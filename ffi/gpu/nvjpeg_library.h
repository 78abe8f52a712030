// libnvjpeg, opened at run time: jaxdali loads and works where there is none.
#ifndef JAXDALI_GPU_NVJPEG_LIBRARY_H_
#define JAXDALI_GPU_NVJPEG_LIBRARY_H_

#include <nvjpeg.h>

#include <string>
#include <vector>

namespace jaxdali::gpu {

// The functions in use, by the names they have in nvjpeg.h without "nvjpeg".
struct NvjpegLibrary {
  decltype(&nvjpegCreateEx) CreateEx;
  decltype(&nvjpegDestroy) Destroy;
  decltype(&nvjpegJpegStateCreate) JpegStateCreate;
  decltype(&nvjpegJpegStateDestroy) JpegStateDestroy;
  decltype(&nvjpegJpegStreamCreate) JpegStreamCreate;
  decltype(&nvjpegJpegStreamDestroy) JpegStreamDestroy;
  decltype(&nvjpegJpegStreamParse) JpegStreamParse;
  decltype(&nvjpegDecodeBatchedInitialize) DecodeBatchedInitialize;
  decltype(&nvjpegDecodeBatched) DecodeBatched;
  decltype(&nvjpegDecodeBatchedSupported) DecodeBatchedSupported;
};

// Opens the first of `candidates` (paths, or names for the loader) that has all functions. Called once, before
// Nvjpeg(). Returns the one that was opened; throws std::runtime_error with what was tried.
std::string OpenNvjpeg(const std::vector<std::string>& candidates);

// The opened library. Throws std::runtime_error where there is none.
const NvjpegLibrary& Nvjpeg();

// "NVJPEG_STATUS_BAD_JPEG", also of a status that a newer library invents.
std::string StatusName(nvjpegStatus_t status);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_NVJPEG_LIBRARY_H_
