// Undoes the filters of a PNG file's rows.
#ifndef JAXDALI_PNG_UNFILTER_H_
#define JAXDALI_PNG_UNFILTER_H_

#include <cstddef>
#include <cstdint>

namespace jaxdali::png {

// How many bytes beyond the last row may be read.
constexpr size_t kReadBeyond = 8;
constexpr uint8_t kFilters = 5;

// Writes rows * row_bytes to `out`.
//
// filtered: rows of 1 + row_bytes, which begin with the number of their filter, below kFilters; kReadBeyond more bytes
//     can be read.
// pixel_bytes: 1 to 4, 6 or 8; of pixels smaller than a byte 1. Rows consist of whole pixels.
void Unfilter(const uint8_t* filtered, size_t rows, size_t row_bytes, size_t pixel_bytes, uint8_t* out);

}  // namespace jaxdali::png

#endif  // JAXDALI_PNG_UNFILTER_H_
