#include "cpu/decode_resample_row.h"

#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "common/jpeg_header.h"
#include "cpu/jpeg_decoder.h"
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

// What the window's pixels are, before orientation. `memory` keeps them where they are not the batch's own.
struct Stored {
  PixelView view;
  std::unique_ptr<uint8_t[]> memory;

  void Allocate(const Window& window) {
    view = {nullptr, window.height, window.width, window.width * kChannels};
    memory.reset(new uint8_t[view.height * view.stride]);
    view.pixels = memory.get();
  }
};

RowResult ReadRaw(const Row& row, const uint8_t* pixels, const Window& window, Stored* stored) {
  RowResult checked = CheckRaw(row);
  if (checked.status != Status::kOk) return checked;
  const int64_t stride = row.width * kChannels;
  stored->view = {pixels + window.top * stride + window.left * kChannels, window.height, window.width, stride};
  return RowResult();
}

RowResult ReadJpeg(const Row& row, const uint8_t* bytes, const Window& window, Stored* stored) {
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
  stored->Allocate(window);
  const JpegResult decoded =
      DecodeJpeg(bytes, static_cast<size_t>(row.size_bytes), {row.height, row.width, row.components}, window,
                 stored->memory.get(), stored->view.stride);
  RowResult result = Failure(decoded.status, decoded.message);
  result.out_of_memory = decoded.out_of_memory;
  return result;
}

RowResult Read(const Row& row, const EncodedBytes& encoded, const Window& window, Stored* stored) {
  const uint8_t* bytes = encoded.data + row.offset_bytes;
  switch (row.codec) {
    case static_cast<int32_t>(Codec::kRaw):
      return ReadRaw(row, bytes, window, stored);
    case static_cast<int32_t>(Codec::kJpeg):
      return ReadJpeg(row, bytes, window, stored);
    default:
      return Failure(Status::kUnsupported, "the row's CODEC is " + std::to_string(row.codec));
  }
}

// Turns the window as EXIF says.
void Orient(const Row& row, const Window& shown, Stored* stored) {
  const PixelView view = stored->view;
  const int64_t dense = view.width * kChannels;
  std::unique_ptr<uint8_t[]> copy;
  const uint8_t* pixels = view.pixels;
  if (view.stride != dense) {
    copy.reset(new uint8_t[view.height * dense]);
    for (int64_t y = 0; y < view.height; ++y) std::memcpy(&copy[y * dense], view.pixels + y * view.stride, dense);
    pixels = copy.get();
  }
  Stored turned;
  turned.Allocate(shown);
  CopyOriented(pixels, view.height, view.width, row.orientation, turned.memory.get(), turned.view.stride);
  *stored = std::move(turned);
}

RowResult DecodeResampleChecked(const Row& row, const EncodedBytes& encoded, const Window& window, bool flip,
                                const void* table, const ResampleTarget& target) {
  RowResult result = CheckRow(row, encoded);
  if (result.status == Status::kOk) result = CheckWindow(row, window);
  if (result.status != Status::kOk) return result;
  Stored stored = {};
  result = Read(row, encoded, StoredWindow(row, window), &stored);
  if (result.status != Status::kOk || result.out_of_memory) return result;
  if (row.orientation != 1) Orient(row, window, &stored);
  Resample(stored.view, flip, table, target);
  return result;
}

}  // namespace

RowResult DecodeResampleRow(const int32_t* fields, const EncodedBytes& encoded, const int32_t* window, bool flip,
                            const void* table, const ResampleTarget& target) noexcept {
  RowResult result;
  try {
    result = DecodeResampleChecked(LoadRow(fields), encoded, LoadWindow(window), flip, table, target);
  } catch (const std::bad_alloc&) {
    result.out_of_memory = true;
  }
  if ((result.status != Status::kOk || result.out_of_memory) && target.Bytes() > 0) {
    std::memset(target.data, 0, target.Bytes());
  }
  return result;
}

}  // namespace jaxdali::cpu
