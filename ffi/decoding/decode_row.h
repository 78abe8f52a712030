// Decodes one row of a batch into its canvas. Does not depend on XLA.
#ifndef JAXDALI_DECODING_DECODE_ROW_H_
#define JAXDALI_DECODING_DECODE_ROW_H_

#include <cstdint>

#include "rows/row_checks.h"
#include "rows/rows.h"

namespace jaxdali::cpu {

// Where one image goes: dense uint8[height, width, 3].
struct Canvas {
  uint8_t* pixels;
  int64_t height;
  int64_t width;

  int64_t Stride() const { return width * kChannels; }
  int64_t Bytes() const { return height * Stride(); }
};

// Checks a row without reading its file: kOk if its bytes lie within `encoded` and its image fits the canvas.
RowResult CheckRow(const Row& row, const EncodedBytes& encoded, const Canvas& canvas);

// Writes every byte of `canvas`: the image in its top left corner and zeros around it, or only zeros if the status is
// not kOk. Trusts nothing in `fields` (int32[8], a row as jaxdali/_base/batch.py describes it): whatever they say, only
// bytes within `encoded` are read.
RowResult DecodeRow(const int32_t* fields, const EncodedBytes& encoded, const Canvas& canvas) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_DECODING_DECODE_ROW_H_
