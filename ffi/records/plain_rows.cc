#include "records/plain_rows.h"

#include "records/tar_head.h"

namespace jaxdali::records {

bool PlainRows::Write(Row row, int64_t index) {
  const auto outputs = static_cast<int64_t>(dtypes_.size());
  for (int64_t output = 0; output < outputs; ++output) {
    uint64_t place, size;
    ByteWindow* const file = Find(index * outputs + output, &place, &size);
    if (file == nullptr) return false;
    if (in_tar_ && size != 0) {
      const uint8_t* const head = place < kTarBlock ? nullptr : file->Peek(place - kTarBlock, kTarBlock);
      if (head == nullptr || !TarHeadFits(head, size)) return false;
    }
    const auto [dtype, item] = dtypes_[static_cast<size_t>(output)];
    const auto number = static_cast<uint32_t>(output);
    if (dtype == kUint8) {
      if (row.Bytes(number, *file, place, size) == nullptr) return false;
      continue;
    }
    if (size % item != 0) return false;
    uint8_t* const to = row.Array(number, dtype, {static_cast<int64_t>(size / item)}, size);
    if (to == nullptr || !file->Copy(place, size, to)) return false;
  }
  return true;
}

}  // namespace jaxdali::records
