#include "cpu/file_window.h"

#include <cstring>
#include <string>

#include "common/jpeg_header.h"
#include "cpu/jpeg_decoder.h"
#include "cpu/luma.h"
#include "cpu/orientation.h"

namespace jaxdali::cpu {
namespace {

// Where the pixels of a shown window are stored. EXIF 2.3, section 4.6.4, tag 0x0112.
Window StoredWindow(const Row& row, const Window& shown) {
  Window stored = shown;
  if (SwapsAxes(row.orientation)) stored = {shown.left, shown.top, shown.width, shown.height};
  const int32_t orientation = row.orientation;
  const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  if (from_bottom) stored.top = row.height - stored.top - stored.height;
  if (from_right) stored.left = row.width - stored.left - stored.width;
  return stored;
}

RowResult ReadRaw(const Row& row, const uint8_t* pixels, const Window& window, int64_t channels, FileMemory* memory,
                  FileWindow* found) {
  RowResult checked = CheckRaw(row);
  if (checked.status != Status::kOk) return checked;
  const int64_t stride = row.width * kChannels;
  *found = {pixels + window.top * stride + window.left * kChannels, stride};
  if (channels == kChannels) return RowResult();
  uint8_t* luma = memory->stored.Get(window.height * window.width);
  for (int64_t y = 0; y < window.height; ++y) {
    const uint8_t* rgb = found->pixels + y * stride;
    for (int64_t x = 0; x < window.width; ++x) luma[y * window.width + x] = Luma(rgb + x * kChannels);
  }
  *found = {luma, window.width};
  return RowResult();
}

RowResult ReadJpeg(const Row& row, const uint8_t* bytes, const Window& window, int64_t channels, FileMemory* memory,
                   FileWindow* found) {
  // The file's own word on its extents, before memory for a window of them is taken.
  JpegHeader header;
  const Status status = ParseJpegHeader(bytes, static_cast<size_t>(row.size_bytes), &header);
  if (status != Status::kOk) return Failure(status, "found in the file's header");
  if (header.height != row.height || header.width != row.width || header.components != row.components) {
    return Failure(Status::kCorrupt, "the file holds " + Extents(header.height, header.width) +
                                         " pixels (height x width) of " + std::to_string(header.components) +
                                         " components, its row says " + Extents(row.height, row.width) + " of " +
                                         std::to_string(row.components));
  }
  const int64_t stride = window.width * channels;
  uint8_t* pixels = memory->stored.Get(window.height * stride);
  *found = {pixels, stride};
  const JpegResult decoded = DecodeJpeg(bytes, static_cast<size_t>(row.size_bytes),
                                        {row.height, row.width, row.components}, window, pixels, stride, channels);
  RowResult result = Failure(decoded.status, decoded.message);
  result.out_of_memory = decoded.out_of_memory;
  return result;
}

// Turns the window as EXIF says.
void Orient(const Row& row, const Window& stored, int64_t channels, FileMemory* memory, FileWindow* found) {
  const int64_t dense = stored.width * channels;
  const uint8_t* pixels = found->pixels;
  if (found->stride != dense) {
    uint8_t* copy = memory->stored.Get(stored.height * dense);
    for (int64_t y = 0; y < stored.height; ++y) {
      std::memcpy(copy + y * dense, found->pixels + y * found->stride, dense);
    }
    pixels = copy;
  }
  const int64_t stride = (SwapsAxes(row.orientation) ? stored.height : stored.width) * channels;
  uint8_t* turned = memory->turned.Get(stored.height * dense);
  CopyOriented(pixels, stored.height, stored.width, row.orientation, turned, stride, channels);
  *found = {turned, stride};
}

}  // namespace

RowResult ReadFileWindow(const Row& row, const EncodedBytes& encoded, const Window& window, int64_t channels,
                         FileMemory* memory, FileWindow* found) {
  const uint8_t* bytes = encoded.data + row.offset_bytes;
  const Window stored = StoredWindow(row, window);
  RowResult result;
  switch (row.codec) {
    case static_cast<int32_t>(Codec::kRaw):
      result = ReadRaw(row, bytes, stored, channels, memory, found);
      break;
    case static_cast<int32_t>(Codec::kJpeg):
      result = ReadJpeg(row, bytes, stored, channels, memory, found);
      break;
    default:
      return Failure(Status::kUnsupported, "the row's CODEC is " + std::to_string(row.codec));
  }
  if (result.status == Status::kOk && !result.out_of_memory && row.orientation != 1) {
    Orient(row, stored, channels, memory, found);
  }
  return result;
}

}  // namespace jaxdali::cpu
