#include "cpu/decode_row.h"

#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "cpu/jpeg_decoder.h"
#include "cpu/orientation.h"

namespace jaxdali::cpu {
namespace {

RowResult Failure(Status status, std::string message) {
  RowResult result;
  result.status = status;
  result.message = std::move(message);
  return result;
}

std::string Extents(int64_t height, int64_t width) { return std::to_string(height) + " x " + std::to_string(width); }

}  // namespace

RowResult CheckRow(const Row& row, const EncodedBytes& encoded, const Canvas& canvas) {
  if (row.status != static_cast<int32_t>(Status::kOk)) {
    const Status status = static_cast<Status>(row.status);
    if (row.status < 0 || row.status > static_cast<int32_t>(Status::kUnsupported)) {
      return Failure(Status::kCorrupt, "the row's STATUS is " + std::to_string(row.status));
    }
    return Failure(status, "found when the batch was built, from the file's header");
  }
  if (!LiesWithin(row, encoded.capacity)) {
    return Failure(Status::kCorrupt, std::to_string(row.size_bytes) + " bytes at byte " +
                                         std::to_string(row.offset_bytes) + " do not lie within the batch's " +
                                         std::to_string(encoded.capacity) + " bytes");
  }
  if (row.height <= 0 || row.width <= 0 || !IsOrientation(row.orientation)) {
    return Failure(Status::kCorrupt, "the row says " + Extents(row.height, row.width) + " pixels, orientation " +
                                         std::to_string(row.orientation));
  }
  const bool swaps = SwapsAxes(row.orientation);
  const int64_t height = swaps ? row.width : row.height;
  const int64_t width = swaps ? row.height : row.width;
  if (height > canvas.height || width > canvas.width) {
    return Failure(Status::kTooLarge, "the image has " + Extents(height, width) +
                                          " pixels (height x width), the canvas " +
                                          Extents(canvas.height, canvas.width));
  }
  return RowResult();
}

namespace {

RowResult CopyRaw(const Row& row, const uint8_t* pixels, const Canvas& canvas) {
  // Both extents are at most the canvas's, so the product fits.
  const int64_t expected_bytes = row.height * row.width * kChannels;
  if (row.size_bytes != expected_bytes || row.components != kChannels) {
    return Failure(Status::kCorrupt, "a RAW row of " + Extents(row.height, row.width) +
                                         " pixels needs 3 components and " + std::to_string(expected_bytes) +
                                         " bytes, it has " + std::to_string(row.components) + " and " +
                                         std::to_string(row.size_bytes));
  }
  CopyOriented(pixels, row.height, row.width, row.orientation, canvas.pixels, canvas.Stride());
  return RowResult();
}

RowResult DecodeJpegRow(const Row& row, const uint8_t* bytes, const Canvas& canvas) {
  const JpegExpectation expected = {row.height, row.width, row.components};
  const bool upright = row.orientation == 1;
  std::unique_ptr<uint8_t[]> stored;
  uint8_t* target = canvas.pixels;
  int64_t stride = canvas.Stride();
  if (!upright) {
    stride = row.width * kChannels;
    stored.reset(new uint8_t[row.height * stride]);
    target = stored.get();
  }
  const JpegResult decoded = DecodeJpeg(bytes, static_cast<size_t>(row.size_bytes), expected, target, stride);
  if (decoded.status == Status::kOk && !upright) {
    CopyOriented(target, row.height, row.width, row.orientation, canvas.pixels, canvas.Stride());
  }
  RowResult result = Failure(decoded.status, decoded.message);
  result.out_of_memory = decoded.out_of_memory;
  return result;
}

RowResult DecodeChecked(const Row& row, const EncodedBytes& encoded, const Canvas& canvas) {
  RowResult checked = CheckRow(row, encoded, canvas);
  if (checked.status != Status::kOk) return checked;
  const uint8_t* bytes = encoded.data + row.offset_bytes;
  switch (row.codec) {
    case static_cast<int32_t>(Codec::kRaw):
      return CopyRaw(row, bytes, canvas);
    case static_cast<int32_t>(Codec::kJpeg):
      return DecodeJpegRow(row, bytes, canvas);
    default:
      return Failure(Status::kUnsupported, "the row's CODEC is " + std::to_string(row.codec));
  }
}

void ZeroOutside(const Row& row, const Canvas& canvas) {
  const bool swaps = SwapsAxes(row.orientation);
  const int64_t height = swaps ? row.width : row.height;
  const int64_t width = swaps ? row.height : row.width;
  const int64_t used = width * kChannels;
  if (used < canvas.Stride()) {
    for (int64_t y = 0; y < height; ++y) {
      std::memset(canvas.pixels + y * canvas.Stride() + used, 0, canvas.Stride() - used);
    }
  }
  std::memset(canvas.pixels + height * canvas.Stride(), 0, (canvas.height - height) * canvas.Stride());
}

}  // namespace

RowResult DecodeRow(const int32_t* fields, const EncodedBytes& encoded, const Canvas& canvas) noexcept {
  const Row row = LoadRow(fields);
  RowResult result;
  try {
    result = DecodeChecked(row, encoded, canvas);
  } catch (const std::bad_alloc&) {
    result.out_of_memory = true;
  }
  if (result.status == Status::kOk && !result.out_of_memory) {
    ZeroOutside(row, canvas);
  } else if (canvas.Bytes() > 0) {
    std::memset(canvas.pixels, 0, canvas.Bytes());
  }
  return result;
}

}  // namespace jaxdali::cpu
