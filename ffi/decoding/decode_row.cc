#include "decoding/decode_row.h"

#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "decoding/jpeg_decoder.h"
#include "decoding/pixel_forms.h"
#include "rows/orientation.h"

namespace jaxdali::cpu {

RowResult CheckRow(const Row& row, const EncodedBytes& encoded, const Canvas& canvas) {
  RowResult checked = CheckRow(row, encoded);
  if (checked.status != Status::kOk) return checked;
  const int64_t height = ShownHeight(row), width = ShownWidth(row);
  if (height <= canvas.height && width <= canvas.width) return checked;
  return Failure(Status::kTooLarge, "the image has " + Extents(height, width) +
                                        " pixels (height x width), the canvas " + Extents(canvas.height, canvas.width));
}

namespace {

RowResult CopyRaw(const Row& row, const uint8_t* pixels, const Canvas& canvas) {
  RowResult checked = CheckRaw(row);
  if (checked.status != Status::kOk) return checked;
  std::unique_ptr<uint8_t[]> rgb;
  if (!IsRgb(row)) {
    rgb.reset(new uint8_t[row.height * row.width * kChannels]);
    const FilePixels stored = FilePixels::OfRaw(row, pixels);
    FormPixels(stored, {0, 0, row.height, row.width}, kRgbForm, rgb.get());
    pixels = rgb.get();
  }
  CopyOriented(pixels, row.height, row.width, row.orientation, canvas.pixels, canvas.Stride());
  return RowResult();
}

RowResult DecodeJpegRow(const Row& row, const uint8_t* bytes, const Canvas& canvas) {
  const JpegExpectation expected = {row.height, row.width, row.components};
  const Window everything = {0, 0, row.height, row.width};
  const bool upright = row.orientation == 1;
  std::unique_ptr<uint8_t[]> stored;
  uint8_t* target = canvas.pixels;
  int64_t stride = canvas.Stride();
  if (!upright) {
    stride = row.width * kChannels;
    stored.reset(new uint8_t[row.height * stride]);
    target = stored.get();
  }
  const JpegResult decoded =
      DecodeJpeg(bytes, static_cast<size_t>(row.size_bytes), expected, everything, target, stride);
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
    case static_cast<int32_t>(Codec::kRaw16):
      return CopyRaw(row, bytes, canvas);
    case static_cast<int32_t>(Codec::kJpeg):
      return DecodeJpegRow(row, bytes, canvas);
    default:
      return Failure(Status::kUnsupported, "the row's CODEC is " + std::to_string(row.codec));
  }
}

void ZeroOutside(const Row& row, const Canvas& canvas) {
  const int64_t height = ShownHeight(row), width = ShownWidth(row);
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
