#include "decoding/header_row.h"

#include <limits>

#include "decoding/jpeg_header.h"
#include "decoding/known_header.h"
#include "rows/rows.h"

namespace jaxdali {

void DescribeFile(const uint8_t* buffer, uint64_t offset, uint64_t size, uint64_t known, uint64_t max_image_pixels,
                  int32_t* row, int32_t* extents) noexcept {
  JpegHeader header;
  Status status = Status::kTooLarge;  // SIZE could not hold it
  if (size <= uint64_t{std::numeric_limits<int32_t>::max()}) {
    if (!UnpackHeader(known, &header, &status)) status = ParseJpegHeader(buffer + offset, size, &header);
    row[kSize] = static_cast<int32_t>(size);
  }
  if (status == Status::kOk && uint64_t(header.height) * uint64_t(header.width) > max_image_pixels) {
    status = Status::kTooLarge;
  }
  row[kOffset] = static_cast<int32_t>(offset / kAlignment);
  row[kHeight] = header.height;
  row[kWidth] = header.width;
  row[kComponents] = header.components;
  row[kCodec] = static_cast<int32_t>(Codec::kJpeg);
  row[kOrientation] = header.orientation;
  row[kStatus] = static_cast<int32_t>(status);
  if (status != Status::kOk) return;
  const bool swaps = SwapsAxes(header.orientation);
  extents[0] = swaps ? header.width : header.height;
  extents[1] = swaps ? header.height : header.width;
  extents[2] = kChannels;
}

}  // namespace jaxdali
