// The operands of `jaxdali_decode_v1` and their checks, the same on every platform.
#ifndef JAXDALI_CALLS_DECODE_OPERANDS_H_
#define JAXDALI_CALLS_DECODE_OPERANDS_H_

#include <cstdint>
#include <string>

#include "calls/decode/attributes.h"
#include "handling/encoded_operands.h"

namespace jaxdali {

using Pixels = ffi::ResultBufferR4<ffi::U8>;

inline ffi::Error CheckDecodeOperands(const DecodeAttributes& attributes, Bytes bytes, Rows rows, Pixels pixels,
                                      Statuses status) {
  if (ffi::Error error = CheckEncoded(kDecodeTarget, attributes.threads, bytes, rows, status); error.failure()) {
    return error;
  }
  const auto shape = pixels->dimensions();
  if (shape[0] != rows.dimensions()[0]) {
    return InvalidArgument(kDecodeTarget, std::to_string(rows.dimensions()[0]) + " rows, but results for " +
                                              std::to_string(shape[0]) + " images");
  }
  if (shape[3] != kChannels) {
    return InvalidArgument(kDecodeTarget, "the canvas has " + std::to_string(shape[3]) + " channels; expected 3 (RGB)");
  }
  return ffi::Error::Success();
}

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_DECODE_OPERANDS_H_
