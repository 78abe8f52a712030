// Makes the pixels that a GPU would hold in memory for a file: 8 bits, dense, before orientation.
#ifndef JAXDALI_DECODING_STORED_PIXELS_H_
#define JAXDALI_DECODING_STORED_PIXELS_H_

#include <cstdint>

#include "rows/row_checks.h"

namespace jaxdali::cpu {

// Writes RGB, or luma for one channel, from a row that passed CheckRow. If the result is not kOk, `target` is
// undefined.
RowResult MakeStoredPixels(const Row& row, const EncodedBytes& encoded, int64_t channels, uint8_t* target) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_DECODING_STORED_PIXELS_H_
