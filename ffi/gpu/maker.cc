#include "gpu/maker.h"

#include "common/jpeg_header.h"
#include "common/jpeg_scan.h"

namespace jaxdali::gpu {

Maker ChooseMaker(const Row& row, const uint8_t* file) noexcept {
  if (IsRaw(row)) return IsRgb(row) ? Maker::kCopy : Maker::kHost;
  JpegHeader header;
  const bool plain = IsPlainJpeg(file, row.size_bytes) &&
                     ParseJpegHeader(file, row.size_bytes, &header) == Status::kOk && header.height == row.height &&
                     header.width == row.width && header.components == row.components;
  // The host also finds the words for what is wrong.
  return plain ? Maker::kNvjpeg : Maker::kHost;
}

}  // namespace jaxdali::gpu
