// Makes a file's pixels on the host as a GPU would hold them in its memory: 8 bits, dense, before orientation.
#ifndef JAXDALI_DECODING_STORED_PIXELS_H_
#define JAXDALI_DECODING_STORED_PIXELS_H_

#include <cstdint>

#include "rows/row_checks.h"

namespace jaxdali::cpu {

// Writes the pixels of a row that passed CheckRow: RGB, or luma if `channels` is 1. If the status is not kOk, `target`
// is undefined.
RowResult MakeStoredPixels(const Row& row, const EncodedBytes& encoded, int64_t channels, uint8_t* target) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_DECODING_STORED_PIXELS_H_
