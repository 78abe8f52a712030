// Decodes a window of one row of a batch, and resizes, mirrors and converts it. Does not depend on XLA.
#ifndef JAXDALI_CALLS_DECODE_RESAMPLE_ROW_H_
#define JAXDALI_CALLS_DECODE_RESAMPLE_ROW_H_

#include <cstdint>

#include "rows/row_checks.h"

namespace jaxdali::cpu {

// A dense result with elements of `element_size` bytes: [height, width, 3], or [3, height, width].
struct ResampleTarget {
  void* data;
  int64_t height;
  int64_t width;
  int element_size;  // 1, 2 or 4
  bool channels_first;

  int64_t Bytes() const { return height * width * 3 * element_size; }
};

// Writes every byte of `target`. Resizes the window with the antialiased triangular filter, mirrors it left to right if
// `flip`, and replaces level v of channel c by element [c][v] of `table`, [3, 256] elements. Writes zeros if the status
// is not kOk. Trusts neither `fields` (int32[8], a row as jaxdali/_base/batch.py describes it) nor `window` (int32[4]):
// whatever they say, only bytes within `encoded` are read. A window that does not lie within its image is TOO_LARGE.
RowResult DecodeResampleRow(const int32_t* fields, const EncodedBytes& encoded, const int32_t* window, bool flip,
                            const void* table, const ResampleTarget& target) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_DECODE_RESAMPLE_ROW_H_
