#include "decoding/file_window.h"

#include <cstring>
#include <string>

#include "decoding/jpeg_decoder.h"
#include "decoding/jpeg_header.h"
#include "decoding/pixel_forms.h"
#include "rows/orientation.h"

namespace jaxdali::cpu {
namespace {

// Converts a window of the displayed image to one of the stored pixels. EXIF 2.3, section 4.6.4, tag 0x0112.
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

// Pixels in memory, and which part of them is the window.
struct Found {
  FilePixels pixels;
  Window window;
};

RowResult ReadRaw(const Row& row, const uint8_t* bytes, const Window& window, Found* found) {
  *found = {FilePixels::OfRaw(row, bytes), window};
  return CheckRaw(row);
}

RowResult ReadJpeg(const Row& row, const uint8_t* bytes, const Window& window, const PixelForm& form,
                   FileMemory* memory, Found* found) {
  // Compares the row with the file's own header before memory for the window is allocated.
  JpegHeader header;
  const Status status = ParseJpegHeader(bytes, static_cast<size_t>(row.size_bytes), &header);
  if (status != Status::kOk) return Failure(status, "found in the file's header");
  if (header.height != row.height || header.width != row.width || header.components != row.components) {
    return Failure(Status::kCorrupt, "the file holds " + Extents(header.height, header.width) +
                                         " pixels (height x width) of " + std::to_string(header.components) +
                                         " components, its row says " + Extents(row.height, row.width) + " of " +
                                         std::to_string(row.components));
  }
  const bool is_gray = form.color == ImageColor::kGray || (form.color == ImageColor::kOwn && OwnChannels(row) == 1);
  const int64_t channels = is_gray ? 1 : kChannels, stride = window.width * channels;
  uint8_t* pixels = memory->stored.Get(window.height * stride);
  *found = {{pixels, stride, channels, ElementType::kUint8}, {0, 0, window.height, window.width}};
  const JpegResult decoded = DecodeJpeg(bytes, static_cast<size_t>(row.size_bytes),
                                        {row.height, row.width, row.components}, window, pixels, stride, channels);
  RowResult result = Failure(decoded.status, decoded.message);
  result.out_of_memory = decoded.out_of_memory;
  return result;
}

const uint8_t* FirstByte(const Found& found) {
  const FilePixels& pixels = found.pixels;
  return pixels.data + found.window.top * pixels.stride + found.window.left * pixels.PixelBytes();
}

// Applies the EXIF orientation to the window.
void Orient(const Row& row, FileMemory* memory, Found* found) {
  FilePixels& pixels = found->pixels;
  Window& window = found->window;
  const int64_t pixel = pixels.PixelBytes(), dense = window.width * pixel;
  const uint8_t* source = FirstByte(*found);
  if (pixels.stride != dense) {
    uint8_t* copy = memory->stored.Get(window.height * dense);
    for (int64_t y = 0; y < window.height; ++y) std::memcpy(copy + y * dense, source + y * pixels.stride, dense);
    source = copy;
  }
  const bool swaps = SwapsAxes(row.orientation);
  const int64_t stride = (swaps ? window.height : window.width) * pixel;
  uint8_t* turned = memory->turned.Get(window.height * dense);
  CopyOriented(source, window.height, window.width, row.orientation, turned, stride, pixel);
  pixels = {turned, stride, pixels.channels, pixels.type};
  window = {0, 0, swaps ? window.width : window.height, swaps ? window.height : window.width};
}

RowResult Read(const Row& row, const uint8_t* bytes, const Window& stored, const PixelForm& form, FileMemory* memory,
               Found* found) {
  if (IsRaw(row)) return ReadRaw(row, bytes, stored, found);
  if (row.codec == static_cast<int32_t>(Codec::kJpeg)) return ReadJpeg(row, bytes, stored, form, memory, found);
  return Failure(Status::kUnsupported, "the row's CODEC is " + std::to_string(row.codec));
}

}  // namespace

RowResult ReadFileWindow(const Row& row, const EncodedBytes& encoded, const Window& window, const PixelForm& form,
                         FileMemory* memory, FileWindow* found) {
  Found own = {};
  RowResult result = Read(row, encoded.data + row.offset_bytes, StoredWindow(row, window), form, memory, &own);
  if (result.status != Status::kOk || result.out_of_memory) return result;
  if (form.color == ImageColor::kOwn && OwnChannels(row) > form.channels) {
    return Failure(Status::kTooLarge, "the file has " + std::to_string(OwnChannels(row)) +
                                          " channels, the images that it is one of " + std::to_string(form.channels));
  }
  if (row.orientation != 1) Orient(row, memory, &own);
  if (HaveForm(own.pixels, form)) {
    *found = {FirstByte(own), own.pixels.stride};
    return result;
  }
  const int64_t stride = own.window.width * form.channels * ElementBytes(form.type);
  uint8_t* const formed = memory->formed.Get(own.window.height * stride);
  FormPixels(own.pixels, own.window, form, formed);
  *found = {formed, stride};
  return result;
}

}  // namespace jaxdali::cpu
