#include "gpu_decoding/decode_route.h"

#include "decoding/jpeg_header.h"
#include "decoding/jpeg_scan.h"

namespace jaxdali::gpu {

DecodeRoute ChooseDecodeRoute(const Row& row, const uint8_t* file, const DecodeSettings& settings,
                              jpeg::Header* header) noexcept {
  if (IsRaw(row)) return IsRgb(row) && !settings.luma ? DecodeRoute::kCopy : DecodeRoute::kHost;
  if (settings.decoder == Decoder::kCuda) {
    const bool is_ours = jpeg::ReadHeader(file, row.size_bytes, header) && header->height == row.height &&
                         header->width == row.width && header->components == row.components;
    // A file of red, green and blue has no luma to read; the host computes it.
    return is_ours && (header->is_ycc || !settings.luma) ? DecodeRoute::kDevice : DecodeRoute::kHost;
  }
  if (settings.luma) return DecodeRoute::kHost;
  JpegHeader parsed;
  const bool plain = IsPlainJpeg(file, row.size_bytes) &&
                     ParseJpegHeader(file, row.size_bytes, &parsed) == Status::kOk && parsed.height == row.height &&
                     parsed.width == row.width && parsed.components == row.components;
  // The host also reports errors.
  return plain ? DecodeRoute::kDevice : DecodeRoute::kHost;
}

}  // namespace jaxdali::gpu
