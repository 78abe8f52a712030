// Decodes one row of a batch into its canvas. Knows no XLA.
#ifndef JAXDALI_CPU_DECODE_ROW_H_
#define JAXDALI_CPU_DECODE_ROW_H_

#include <cstdint>
#include <string>

#include "common/rows.h"

namespace jaxdali::cpu {

// Where the encoded bytes of all rows lie.
struct EncodedBytes {
  const uint8_t* data;
  int64_t capacity;
};

// Where one image goes: dense uint8[height, width, 3].
struct Canvas {
  uint8_t* pixels;
  int64_t height;
  int64_t width;

  int64_t Stride() const { return width * kChannels; }
  int64_t Bytes() const { return height * Stride(); }
};

struct RowResult {
  Status status = Status::kOk;
  bool out_of_memory = false;  // the machine's fault, not the image's; status means nothing then
  std::string message;         // why, where status is not kOk
};

// What can be said of a row without looking at its file: kOk where its bytes lie within `encoded` and its image within
// the canvas.
RowResult CheckRow(const Row& row, const EncodedBytes& encoded, const Canvas& canvas);

// Writes every byte of `canvas`: the image in its top left corner and zeros around it, or zeros
// everywhere where the result is not kOk. Trusts nothing in `fields` (int32[8], a row as
// jaxdali/batch.py describes it): whatever they say, only bytes within `encoded` are read.
RowResult DecodeRow(const int32_t* fields, const EncodedBytes& encoded, const Canvas& canvas) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_DECODE_ROW_H_
