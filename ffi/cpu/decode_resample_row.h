// Decodes a window of one row of a batch, and resizes, mirrors and converts it. Knows no XLA.
#ifndef JAXDALI_CPU_DECODE_RESAMPLE_ROW_H_
#define JAXDALI_CPU_DECODE_RESAMPLE_ROW_H_

#include <cstdint>

#include "cpu/resample.h"
#include "cpu/row_checks.h"

namespace jaxdali::cpu {

// Writes every byte of `target`: the window as Resample makes it, or zeros where the result is not kOk. Trusts neither
// `fields` (int32[8], a row as jaxdali/batch.py describes it) nor `window` (int32[4]): whatever they say, only bytes
// within `encoded` are read. A window that does not lie within its image is TOO_LARGE.
RowResult DecodeResampleRow(const int32_t* fields, const EncodedBytes& encoded, const int32_t* window, bool flip,
                            const void* table, const ResampleTarget& target) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_DECODE_RESAMPLE_ROW_H_
