// Makes what the memory of a GPU holds of a file whose pixels wait there: 8 bits, dense, without its orientation.
#ifndef JAXDALI_CPU_STORED_PIXELS_H_
#define JAXDALI_CPU_STORED_PIXELS_H_

#include <cstdint>

#include "cpu/row_checks.h"

namespace jaxdali::cpu {

// Writes RGB, or of one channel luma, of a row that was checked by CheckRow. Where the result is not kOk, `target` has
// no meaning.
RowResult MakeStoredPixels(const Row& row, const EncodedBytes& encoded, int64_t channels, uint8_t* target) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_STORED_PIXELS_H_
