#include "records/array_rows.h"

#include <algorithm>
#include <cstring>

namespace jaxdali::records {
namespace {

// How much is copied at once: rows of a few bytes share the cost of finding room, and each large row counts as
// progress.
constexpr uint32_t kMostRows = 64;
constexpr uint64_t kMostBytes = 65536;

// Tells which row is being read: it may lie in a file that was cut off meanwhile, which ends the process.
void Tell(const Row& first, uint32_t row) {
  if (first.at != nullptr) first.at->store(first.sample + row, std::memory_order_relaxed);
}

template <size_t kSize>
void CopyNumbers(const Row& first, const ArrayColumn& column, const int64_t* indices, uint32_t count, uint8_t* to) {
  for (uint32_t row = 0; row < count; ++row) {
    Tell(first, row);
    std::memcpy(to + kSize * row, column.data + column.stride * indices[row], kSize);
  }
}

void CopyRows(const Row& first, const ArrayColumn& column, const int64_t* indices, uint32_t count, uint8_t* to) {
  switch (column.size_bytes) {
    case 0:
      return;
    case 1:
      return CopyNumbers<1>(first, column, indices, count, to);
    case 2:
      return CopyNumbers<2>(first, column, indices, count, to);
    case 4:
      return CopyNumbers<4>(first, column, indices, count, to);
    case 8:
      return CopyNumbers<8>(first, column, indices, count, to);
    default:
      for (uint32_t row = 0; row < count; ++row) {
        Tell(first, row);
        std::memcpy(to + column.size_bytes * row, column.data + column.stride * indices[row], column.size_bytes);
      }
  }
}

}  // namespace

uint32_t ArrayRows::WriteSome(Row first, const int64_t* indices, uint32_t count) {
  uint64_t largest = 1;
  int64_t rows = INT64_MAX;
  for (const ArrayColumn& column : columns_) {
    largest = std::max(largest, column.size_bytes);
    rows = std::min(rows, column.count);
  }
  count = std::min({count, kMostRows, static_cast<uint32_t>(std::max<uint64_t>(1, kMostBytes / largest))});
  // Indices that count from the end, or lie beyond it, are left to Python to read or refuse.
  const auto wrong = [rows](int64_t index) { return index < 0 || index >= rows; };
  count = static_cast<uint32_t>(std::find_if(indices, indices + count, wrong) - indices);
  if (count == 0) return 0;
  uint32_t output = 0;
  for (const ArrayColumn& column : columns_) {
    uint8_t* const to =
        first.Arrays(output++, column.dtype, column.dims.data(), column.dims.size(), column.size_bytes, count);
    if (to == nullptr) return 0;
    CopyRows(first, column, indices, count, to);
  }
  return count;
}

}  // namespace jaxdali::records
