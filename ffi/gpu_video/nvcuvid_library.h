// libnvcuvid, opened at run time: the driver brings it, though not into every container.
#ifndef JAXDALI_GPU_VIDEO_NVCUVID_LIBRARY_H_
#define JAXDALI_GPU_VIDEO_NVCUVID_LIBRARY_H_

#include <cstdint>
#include <string>

#include "gpu_video/nvcuvid_abi.h"

namespace jaxdali::gpu {

// The functions that we use, named as in nvcuvid.h without the prefix "cuvid".
struct NvcuvidLibrary {
  nvcuvid::Result (*GetDecoderCaps)(nvcuvid::Caps*);
  nvcuvid::Result (*CreateDecoder)(nvcuvid::Decoder*, nvcuvid::CreateInfo*);
  nvcuvid::Result (*DestroyDecoder)(nvcuvid::Decoder);
  nvcuvid::Result (*ReconfigureDecoder)(nvcuvid::Decoder, nvcuvid::ReconfigureInfo*);
  nvcuvid::Result (*DecodePicture)(nvcuvid::Decoder, nvcuvid::Picture*);
  nvcuvid::Result (*GetDecodeStatus)(nvcuvid::Decoder, int, nvcuvid::PictureStatus*);
  nvcuvid::Result (*MapVideoFrame64)(nvcuvid::Decoder, int, uint64_t* data, uint32_t* pitch, nvcuvid::Processing*);
  nvcuvid::Result (*UnmapVideoFrame64)(nvcuvid::Decoder, uint64_t data);
  nvcuvid::Result (*CreateVideoParser)(nvcuvid::Parser*, nvcuvid::ParserInfo*);
  nvcuvid::Result (*ParseVideoData)(nvcuvid::Parser, nvcuvid::Packet*);
  nvcuvid::Result (*DestroyVideoParser)(nvcuvid::Parser);
};

// Opens the library on first use. Throws std::runtime_error, with the reason, if it is not there.
const NvcuvidLibrary& Nvcuvid();

// Returns what the engines of the current device offer for 8 bits and 4:2:0. Throws std::runtime_error.
nvcuvid::Caps CapsOf(nvcuvid::Codec codec);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_VIDEO_NVCUVID_LIBRARY_H_
