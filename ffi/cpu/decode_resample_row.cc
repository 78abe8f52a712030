#include "cpu/decode_resample_row.h"

#include <cstring>
#include <new>

#include "cpu/file_window.h"

namespace jaxdali::cpu {
namespace {

RowResult DecodeResampleChecked(const Row& row, const EncodedBytes& encoded, const Window& window, bool flip,
                                const void* table, const ResampleTarget& target) {
  RowResult result = CheckRow(row, encoded);
  if (result.status == Status::kOk) result = CheckWindow(row, window);
  if (result.status != Status::kOk) return result;
  FileMemory memory;
  FileWindow found = {};
  result = ReadFileWindow(row, encoded, window, kChannels, &memory, &found);
  if (result.status != Status::kOk || result.out_of_memory) return result;
  Resample({found.pixels, window.height, window.width, found.stride}, flip, table, target);
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
