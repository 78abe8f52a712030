#include "gpu_video/nvcuvid_library.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <stdexcept>

#include "gpu_decoding/memory.h"

namespace jaxdali::gpu {
namespace {

constexpr char kName[] = "libnvcuvid.so.1";

template <typename Function>
void Find(void* handle, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  if (*function == nullptr) throw std::runtime_error(std::string(kName) + " lacks " + name);
}

NvcuvidLibrary Open() {
  // Never closed, because decoders may live until the process ends.
  void* const handle = dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  NvcuvidLibrary library{};
  Find(handle, "cuvidGetDecoderCaps", &library.GetDecoderCaps);
  Find(handle, "cuvidCreateDecoder", &library.CreateDecoder);
  Find(handle, "cuvidDestroyDecoder", &library.DestroyDecoder);
  Find(handle, "cuvidReconfigureDecoder", &library.ReconfigureDecoder);
  Find(handle, "cuvidDecodePicture", &library.DecodePicture);
  Find(handle, "cuvidGetDecodeStatus", &library.GetDecodeStatus);
  Find(handle, "cuvidMapVideoFrame64", &library.MapVideoFrame64);
  Find(handle, "cuvidUnmapVideoFrame64", &library.UnmapVideoFrame64);
  Find(handle, "cuvidCreateVideoParser", &library.CreateVideoParser);
  Find(handle, "cuvidParseVideoData", &library.ParseVideoData);
  Find(handle, "cuvidDestroyVideoParser", &library.DestroyVideoParser);
  return library;
}

}  // namespace

const NvcuvidLibrary& Nvcuvid() {
  static const NvcuvidLibrary library = Open();  // tried again if it throws
  return library;
}

nvcuvid::Caps CapsOf(nvcuvid::Codec codec) {
  Check(cudaFree(nullptr), "cudaFree");  // makes the device's context, if there is none yet
  nvcuvid::Caps caps{};
  caps.codec = codec;
  caps.chroma = nvcuvid::k420;
  const nvcuvid::Result result = Nvcuvid().GetDecoderCaps(&caps);
  if (result != 0) throw std::runtime_error("cuvidGetDecoderCaps: " + std::to_string(result));
  if ((caps.formats >> nvcuvid::kNv12 & 1) == 0) caps.is_supported = 0;
  return caps;
}

}  // namespace jaxdali::gpu
