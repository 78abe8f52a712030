#include "decoding/stored_pixels.h"

#include <cstring>
#include <new>

#include "decoding/decode_row.h"
#include "decoding/file_window.h"

namespace jaxdali::cpu {
namespace {

RowResult MakeLuma(const Row& row, const EncodedBytes& encoded, uint8_t* target) {
  FileMemory memory;
  FileWindow found = {};
  const PixelForm form = {ImageColor::kGray, 1, ElementType::kUint8};
  RowResult result = ReadFileWindow(row, encoded, {0, 0, row.height, row.width}, form, &memory, &found);
  if (result.status != Status::kOk || result.out_of_memory) return result;
  for (int64_t y = 0; y < row.height; ++y) {
    std::memcpy(target + y * row.width, found.pixels + y * found.stride, static_cast<size_t>(row.width));
  }
  return result;
}

}  // namespace

RowResult MakeStoredPixels(const Row& row, const EncodedBytes& encoded, int64_t channels, uint8_t* target) noexcept {
  Row upright = row;
  upright.orientation = 1;
  if (channels == 1) {
    try {
      return MakeLuma(upright, encoded, target);
    } catch (const std::bad_alloc&) {
      RowResult result;
      result.out_of_memory = true;
      return result;
    }
  }
  int32_t fields[kRowFields];
  StoreRow(upright, fields);
  return DecodeRow(fields, encoded, {target, row.height, row.width});
}

}  // namespace jaxdali::cpu
