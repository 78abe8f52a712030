// Chooses how the pixels of a row are made: on the device, by a copy, or on the host.
#ifndef JAXDALI_GPU_DECODING_DECODE_ROUTE_H_
#define JAXDALI_GPU_DECODING_DECODE_ROUTE_H_

#include <cstdint>

#include "gpu_decoding/decode_settings.h"
#include "jpeg/file_header.h"
#include "rows/rows.h"

namespace jaxdali::gpu {

enum class DecodeRoute : uint8_t { kNobody, kUnknown, kDevice, kCopy, kHost };

// Chooses by file and settings alone, so other images in the batch do not affect the choice. Files that a decoder
// refuses because of their data are left to the host later. `row` is OK, and its bytes are at `file`. Reads the whole
// file, or, for our own kernels, only its header, which it stores in `header`.
DecodeRoute ChooseDecodeRoute(const Row& row, const uint8_t* file, const DecodeSettings& settings,
                              jpeg::Header* header) noexcept;

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_DECODE_ROUTE_H_
