#include "records/array_rows.h"

#include <cstring>

namespace jaxdali::records {

bool ArrayRows::Write(Row row, int64_t index) {
  uint32_t output = 0;
  for (const ArrayColumn& column : columns_) {
    // What counts from the end, or lies behind it, is Python's to read or refuse.
    if (index < 0 || index >= column.count) return false;
    uint8_t* const to = row.Array(output++, column.dtype, column.dims.data(), column.dims.size(), column.size_bytes);
    if (to == nullptr) return false;
    if (column.size_bytes != 0) std::memcpy(to, column.data + column.stride * index, column.size_bytes);
  }
  return true;
}

}  // namespace jaxdali::records
